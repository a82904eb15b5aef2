"""Every cell: four modes, six kinds of calls, nine things that may be allowed. All outcomes are written out here."""

from dataclasses import replace

import pytest

from assent.model.calls import CallFacts, HookAnswer, Hooks
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome, Reason
from assent.policy.decide import Rules, decide
from assent.policy.matrix import Cell
from assent.policy.rules.rule import Effect
from tests.support import ladder

COLUMNS: tuple[tuple[CallFacts, ...], ...] = (
    (ladder.READ_INSIDE,),
    (ladder.READ_OUTSIDE, ladder.READ_SECRET),
    (ladder.WRITE_INSIDE,),
    (ladder.EXECUTE,),
    (ladder.EXTERNAL, replace(ladder.EXTERNAL, category="teleport")),  # type: ignore[arg-type]
    (ladder.INTERNAL,),
)
NAMES = ("read inside", "read outside, or a secret", "write", "execute", "external, unknown", "internal")

CELLS = {
    "asks": (Outcome.ASK, Reason.NEEDS_APPROVAL),
    "plan": (Outcome.BLOCK, Reason.BLOCKED_IN_PLAN_MODE),
    "internal": (Outcome.RUN, Reason.INTERNAL),
    "reads": (Outcome.RUN, Reason.READ_AUTO),
    "agent": (Outcome.RUN, Reason.BYPASS_AGENT),
    "chat": (Outcome.RUN, Reason.BYPASS_SESSION),
    "rule": (Outcome.RUN, Reason.ALLOW_RULE),
    "tool": (Outcome.RUN, Reason.ALWAYS_ALLOW),
    "grant": (Outcome.RUN, Reason.SESSION_ALLOW),
    "hook": (Outcome.RUN, Reason.HOOK_ALLOW),
    "sandbox": (Outcome.RUN, Reason.SANDBOXED),
    "mode": (Outcome.RUN, Reason.MODE_AUTO),
}

#                    read     raised   write    execute  external internal
TABLE = """
nothing      plan    reads    plan     plan     plan     plan     internal
nothing      ask     asks     asks     asks     asks     asks     internal
nothing      default reads    asks     asks     asks     asks     internal
nothing      auto    reads    mode     mode     mode     mode     internal

bypass-agent plan    reads    plan     plan     plan     plan     internal
bypass-agent ask     agent    agent    agent    agent    agent    internal
bypass-agent default reads    agent    agent    agent    agent    internal
bypass-agent auto    reads    agent    agent    agent    agent    internal

bypass-chat  plan    reads    plan     plan     plan     plan     internal
bypass-chat  ask     chat     chat     chat     chat     chat     internal
bypass-chat  default reads    chat     chat     chat     chat     internal
bypass-chat  auto    reads    chat     chat     chat     chat     internal

allow-rule   plan    reads    plan     plan     plan     plan     internal
allow-rule   ask     rule     asks     rule     rule     rule     internal
allow-rule   default reads    asks     rule     rule     rule     internal
allow-rule   auto    reads    mode     rule     rule     rule     internal

allow-list   plan    reads    plan     plan     plan     plan     internal
allow-list   ask     tool     asks     tool     tool     tool     internal
allow-list   default reads    asks     tool     tool     tool     internal
allow-list   auto    reads    mode     tool     tool     tool     internal

this-chat    plan    reads    plan     plan     plan     plan     internal
this-chat    ask     grant    asks     grant    grant    grant    internal
this-chat    default reads    asks     grant    grant    grant    internal
this-chat    auto    reads    mode     grant    grant    grant    internal

hook-allows  plan    reads    plan     plan     plan     plan     internal
hook-allows  ask     hook     hook     hook     hook     hook     internal
hook-allows  default reads    hook     hook     hook     hook     internal
hook-allows  auto    reads    hook     hook     hook     hook     internal

sandbox      plan    reads    plan     plan     plan     plan     internal
sandbox      ask     sandbox  sandbox  sandbox  sandbox  sandbox  internal
sandbox      default reads    sandbox  sandbox  sandbox  sandbox  internal
sandbox      auto    reads    sandbox  sandbox  sandbox  sandbox  internal

override     plan    reads    plan     plan     plan     plan     internal
override     ask     reads    mode     mode     mode     mode     internal
override     default reads    mode     mode     mode     mode     internal
override     auto    reads    mode     mode     mode     mode     internal
"""

# The chat's own rules and tools stand beside those of the settings: both are tried.
RULES: dict[str, tuple[dict[str, object], ...]] = {
    "nothing": ({},),
    "bypass-agent": ({"bypass_agent": True},),
    "bypass-chat": ({"bypass_session": True},),
    "allow-rule": tuple({name: ladder.book(ladder.rule(Effect.ALLOW))} for name in ("book", "chat_book")),
    "allow-list": tuple({name: frozenset({ladder.KEY})} for name in ("always_allowed", "chat_tools")),
    "this-chat": ({"session_grants": frozenset({ladder.KEY})},),
    "hook-allows": ({},),
    "sandbox": ({"sandbox_auto": True},),
    "override": ({"matrix_overrides": {mode: dict.fromkeys(Category, Cell.AUTO) for mode in Mode}},),
}
ROWS = [line.split() for line in TABLE.splitlines() if line]
CASES = [
    (grant, Mode(mode), column, cell)
    for grant, mode, *cells in ROWS
    for column, cell in zip(range(len(COLUMNS)), cells, strict=True)
]


def calls(grant: str, column: int) -> list[CallFacts]:
    """The calls of a column, as they stand where this is allowed."""
    facts = COLUMNS[column]
    if grant == "hook-allows":
        return [replace(one, hooks=Hooks(HookAnswer.ALLOW)) for one in facts]
    return [replace(one, sandbox="bubblewrap" if grant == "sandbox" else None) for one in facts]


def test_the_table_is_whole() -> None:
    assert len({case[:3] for case in CASES}) == len(CASES) == 4 * 6 * 9 == 216
    assert {cell for *_, cell in CASES} == set(CELLS)


@pytest.mark.parametrize(
    ("grant", "mode", "column", "cell"), CASES, ids=[f"{grant}-{mode}-{NAMES[at]}" for grant, mode, at, _ in CASES]
)
def test_the_cell(grant: str, mode: Mode, column: int, cell: str) -> None:
    for facts in calls(grant, column):
        for allowed in RULES[grant]:
            decision = decide(facts, Rules(mode, agent_name="A", **allowed))  # type: ignore[arg-type]
            assert (decision.outcome, decision.reason) == CELLS[cell]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("grant", ["bypass-agent", "bypass-chat"])
def test_where_no_bypass_is_available_the_row_is_as_if_there_were_none(grant: str, mode: Mode) -> None:
    for column in range(len(COLUMNS)):
        for facts in calls(grant, column):
            bare = decide(facts, Rules(mode))
            rules = Rules(mode, bypass_available=False, **RULES[grant][0])  # type: ignore[arg-type]
            decision = decide(facts, rules)
            assert (decision.outcome, decision.reason) == (bare.outcome, bare.reason)


@pytest.mark.parametrize("column", range(6))
def test_what_is_allowed_for_another_tool_changes_nothing(column: int) -> None:
    other = frozenset({"other"})
    elsewhere = ladder.book(ladder.rule(Effect.ALLOW, tool="other"))
    for facts in calls("nothing", column):
        for mode in Mode:
            rules = Rules(
                mode,
                session_grants=other,
                always_allowed=other,
                chat_tools=other,
                book=elsewhere,
                chat_book=elsewhere,
                sandbox_auto=True,
            )
            bare = decide(facts, Rules(mode))
            assert (decide(facts, rules).outcome, decide(facts, rules).reason) == (bare.outcome, bare.reason)
    sandboxed = [replace(facts, sandbox="bubblewrap") for facts in calls("nothing", column)]
    assert all(decide(facts, Rules(Mode.ASK)).reason is not Reason.SANDBOXED for facts in sandboxed)
