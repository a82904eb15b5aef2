"""Calls and rules for what is tested about rules: a workspace folder /ws, a home directory /home/me."""

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.spelling import is_absolute

ROOT, HOME = "/ws", "/home/me"
TOOL = "write_file"


def use(real: str, access: Access = Access.WRITE, *, folder: bool = False, shown: str = "", named: str = "") -> PathUse:
    """A path of a call. A relative one lies in the workspace folder."""
    path = real if is_absolute(real) else f"{ROOT}/{real}"
    inside = path == ROOT or path.startswith(f"{ROOT}/")
    return PathUse(path, shown or path.removeprefix(f"{ROOT}/"), access, inside, is_directory=folder, named=named)


def call(*paths: str | PathUse, tool: str = TOOL, access: Access = Access.WRITE, known: bool = True) -> CallFacts:
    """A call of a tool that touches these paths."""
    uses = tuple(use(path, access) if isinstance(path, str) else path for path in paths)
    return CallFacts(tool, known, Category.READ if access is Access.READ else Category.WRITE, uses)


def rule(pattern: str, effect: Effect = Effect.ALLOW, tool: str = TOOL, **more: object) -> Rule:
    return Rule(effect, tool, pattern, **more)  # type: ignore[arg-type]


def book(*rules: Rule, roots: tuple[str, ...] = (ROOT,), home: str = HOME) -> RuleBook:
    return RuleBook(rules, roots, home)


def speaks(effect: Effect, pattern: str, facts: CallFacts, roots: tuple[str, ...] = (ROOT,)) -> bool:
    """Whether a rule with this pattern speaks of the call."""
    return book(rule(pattern, effect, facts.tool), roots=roots).first(effect, facts, "Demo") is not None


def allows(pattern: str, *paths: str | PathUse, access: Access = Access.WRITE) -> bool:
    return speaks(Effect.ALLOW, pattern, call(*paths, access=access))


def denies(pattern: str, *paths: str | PathUse, access: Access = Access.WRITE) -> bool:
    return speaks(Effect.DENY, pattern, call(*paths, access=access))
