"""Calls of all kinds, to see what settings come to: what runs, what is asked, what is blocked."""

from pathlib import PurePath

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category
from assent.model.sandbox import SandboxKind
from assent.model.verdict import Outcome
from assent.policy.decide import Rules, decide
from assent.policy.rules.book import RuleBook
from assent.settings.effective import Effective

ROOT, HOME = "/work", "/home/me"

PROBES = [
    *(
        (tool, path, access, Category.READ if access is Access.READ else Category.WRITE)
        for tool in ("read_file", "write_file")
        for path in ("/work/src/a", "/work/docs/a", "/work/.env", "/beside/deep/a", "/etc/hosts", "/home/me/x/a")
        for access in (Access.READ, Access.WRITE)
    ),
    ("bash", "/work", Access.READ, Category.EXECUTE),
    ("web_fetch", "/work", Access.READ, Category.EXTERNAL),
]
RANK = {Outcome.RUN: 2, Outcome.ASK: 1, Outcome.BLOCK: 0, Outcome.ERROR: 0}


def outcomes(result: Effective, agent: str) -> list[int]:
    """What is decided about each probe, in a new chat with this agent."""
    roots = (ROOT, *result.additional_directories)
    rules = Rules(
        mode=result.mode_for_new_chats,
        beside=frozenset({result.mode_ceiling} if result.mode_ceiling else ()),
        matrix_overrides=result.matrix_overrides,
        enabled=result.enabled,
        bypass_available=result.bypass_available,
        bypass_agent=result.bypass(agent).on,
        sandbox_auto=result.sandbox.auto_allow,
        session_grants=frozenset({"write_file"} if result.session_grants else ()),
        book=RuleBook(result.rules.rules, roots, HOME),
        always_allowed=result.rules.always_allowed,
        confirm_outside_workspace=result.confirm_outside_workspace,
        home=HOME,
        roots=roots,
        agent_name=agent,
    )
    held = _is_held(result)
    return [RANK[decide(_facts(roots, *probe, held=held), rules).outcome] for probe in PROBES]


def permitted_beyond(one: Effective, other: Effective, agent: str) -> list[object]:
    """The probes that the first settings permit more than the second."""
    compared = zip(PROBES, outcomes(one, agent), outcomes(other, agent), strict=True)
    return [probe for probe, new, old in compared if new > old]


def _is_held(result: Effective) -> bool:
    """Whether a command would run in a sandbox that leaves nothing open, on a machine that has every kind of one."""
    choice = result.sandbox
    return choice.enabled is not SandboxKind.OFF and not choice.network and not choice.writable


def _facts(
    roots: tuple[str, ...], tool: str, path: str, access: Access, category: Category, *, held: bool
) -> CallFacts:
    inside = any(PurePath(path).is_relative_to(root) for root in roots)
    uses = (PathUse(path, path, access, inside, named=path),)
    return CallFacts(
        tool, True, category, uses, grant_key=tool, sandbox="bubblewrap" if held and tool == "bash" else None
    )
