"""Facts and rules for the decision, short enough for tables."""

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import strategies as st

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category, Mode
from assent.policy import decide as decide_module
from assent.policy.decide import Rules
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule

ROOT = "/my project"
HOME = "/home/me"
KEY = "some_tool"


def path(name: str, access: Access = Access.READ) -> PathUse:
    """A path: absolute ones lie outside of the workspace, relative ones inside."""
    if name.startswith("/"):
        return PathUse(name, name, access, inside=False, named=name)
    return PathUse(f"{ROOT}/{name}", name, access, inside=True, named=f"{ROOT}/{name}")


def facts(category: Category, *paths: PathUse, known: bool = True, fault: str | None = None) -> CallFacts:
    """What is known of a call of `some_tool`."""
    return CallFacts(KEY, known, category, paths, arguments_fault=fault, grant_key=KEY)


READ_INSIDE = facts(Category.READ, path("src/a.py"))
READ_OUTSIDE = facts(Category.READ, path("/etc/hosts"))
READ_SECRET = facts(Category.READ, path(".env"))
WRITE_INSIDE = facts(Category.WRITE, path("src/a.py", Access.WRITE))
WRITE_OUTSIDE = facts(Category.WRITE, path("/etc/hosts", Access.WRITE))
WRITE_PROTECTED = facts(Category.WRITE, path(".vscode/settings.json", Access.WRITE))
EXECUTE = facts(Category.EXECUTE)
EXTERNAL = facts(Category.EXTERNAL)
INTERNAL = facts(Category.INTERNAL)


def rule(effect: Effect, pattern: str = "*", *, tool: str = KEY, agents: tuple[str, ...] | None = None) -> Rule:
    """A rule of the user's settings for `some_tool`."""
    return Rule(effect, tool, pattern, agents=agents)


def book(*rules: Rule) -> RuleBook:
    """These rules, in the workspace that the paths here lie in."""
    return RuleBook(rules, (ROOT,), HOME)


@contextmanager
def without_rung(level: int) -> Iterator[None]:
    """The ladder with one rung sawn off: what a forgotten rung would be like."""
    whole = decide_module.LADDER
    assert any(rung[0] == level for rung in whole), level
    decide_module.LADDER = tuple(rung for rung in whole if rung[0] != level)
    try:
        yield
    finally:
        decide_module.LADDER = whole


PLACES = st.sampled_from(
    [
        "src/a.py",
        ".vscode/tasks.json",
        ".git/hooks/pre-commit",
        ".env",
        "id_rsa",
        "/etc/hosts",
        "/home/me/.ssh/config",
        "/home/me",
        "/state/consent.json",
        "/dev/sda",
        "/dev/null",
        "/",
        "/x\0y",
    ]
)
PATH_USES = st.builds(path, PLACES, st.sampled_from(Access))
FACTS = st.builds(
    CallFacts,
    tool=st.just(KEY),
    known=st.booleans() | st.just(True),
    category=st.sampled_from(Category),
    paths=st.lists(PATH_USES, max_size=3).map(tuple),
    arguments_fault=st.none() | st.none() | st.just("they do not fit"),
    grant_key=st.sampled_from([KEY, "other"]),
)
GRANTS = st.frozensets(st.sampled_from([KEY, "other"]))
PATTERNS = st.sampled_from(
    ["*", "**", "src/**", "src/a.py", "a.py", "src/", ".env", "id_*", ".vscode/*", "/etc/**", "~/.ssh/**", "~", "[", ""]
)
AGENTS = st.sampled_from([None, ("Agent",), ("Somebody else",), ("Somebody else", "Agent"), ()])


def rules_of(*effects: Effect) -> st.SearchStrategy[Rule]:
    """Rules with these effects: most of them speak of `some_tool`, few are for another agent or make no sense."""
    return st.builds(
        rule,
        st.sampled_from(effects),
        PATTERNS,
        tool=st.sampled_from([KEY, KEY, "other"]),
        agents=st.none() | AGENTS,
    )


BOOKS = st.lists(rules_of(*Effect), max_size=4).map(lambda rules: book(*rules))
RULES = st.builds(
    Rules,
    mode=st.sampled_from(Mode),
    enabled=st.booleans() | st.just(True),
    alive=st.booleans() | st.just(True),
    exhausted_limit=st.none() | st.none() | st.just("too many calls"),
    bypass_available=st.booleans(),
    bypass_agent=st.booleans(),
    bypass_session=st.booleans(),
    session_grants=GRANTS,
    book=BOOKS,
    always_allowed=GRANTS,
    confirm_outside_workspace=st.booleans(),
    own_places=st.just(("/state",)),
    home=st.just(HOME),
    roots=st.just((ROOT,)),
    agent_name=st.just("Agent"),
)
