"""Facts and rules for the decision, short enough for tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st

from assent.model.calls import Access, CallFacts, HookAnswer, Hooks, PathUse
from assent.model.grants import DirectoryGrant
from assent.model.modes import Category, Mode
from assent.policy import decide as decide_module
from assent.policy.answer import Rung
from assent.policy.decide import Rules
from assent.policy.matrix import Cell
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from tests.support.scale import examples

law = settings(max_examples=examples(200), deadline=None)
"""For tests that hold for all inputs: how fast the machine is does not matter."""

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


Ladder = tuple[tuple[int, str, Rung], ...]


@contextmanager
def another_ladder(ladder: Ladder) -> Iterator[None]:
    """The decision goes by this ladder meanwhile."""
    whole = decide_module.LADDER
    decide_module.LADDER = ladder
    try:
        yield
    finally:
        decide_module.LADDER = whole


@contextmanager
def without_rung(level: int) -> Iterator[None]:
    """The ladder with one rung sawn off: what a forgotten rung would be like."""
    whole = decide_module.LADDER
    assert any(rung[0] == level for rung in whole), level
    with another_ladder(tuple(rung for rung in whole if rung[0] != level)):
        yield


PLACES = st.sampled_from(
    [
        "src/a.py",
        "tools/hook.py",
        ".vscode/tasks.json",
        ".git/hooks/pre-commit",
        ".env",
        "id_rsa",
        "/etc/hosts",
        "/home/me/.ssh/config",
        "/home/me/notes.txt",
        "/data/in.csv",
        "/data/deep/out.csv",
        "/home/me",
        "/state/consent.json",
        "/dev/sda",
        "/dev/null",
        "/",
        "/x\0y",
    ]
)
PATH_USES = st.builds(path, PLACES, st.sampled_from(Access))
ALONE = st.builds(
    CallFacts,
    tool=st.just(KEY),
    known=st.booleans() | st.just(True),
    category=st.sampled_from(Category),
    paths=st.lists(PATH_USES, max_size=3).map(tuple),
    arguments_fault=st.none() | st.none() | st.just("they do not fit"),
    grant_key=st.sampled_from([KEY, "other", ""]),
    hooks=st.just(Hooks())
    | st.builds(
        Hooks,
        st.sampled_from(HookAnswer),
        st.sampled_from(["", "because"]),
        changed=st.sampled_from(["", "A hook has changed it."]),
        overlooked=st.sampled_from(["", "Another one failed."]),
        failed=st.sampled_from(["", "it was gone"]),
    ),
    sandbox=st.sampled_from([None, "bubblewrap"]),
    part_of=st.sampled_from(["", "", KEY, "other"]),
)
STEPS = st.lists(ALONE, min_size=1, max_size=3).map(tuple)
MAKING_CALLS = st.builds(lambda facts, steps: replace(facts, steps=steps), ALONE, STEPS)
FACTS = ALONE | ALONE | MAKING_CALLS
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
DIRECTORY_GRANTS = st.builds(
    DirectoryGrant,
    st.sampled_from(["/data", "/data/deep", "/etc", "/home/me", ROOT, f"{ROOT}/src", "/", ""]),
    st.sampled_from(Access),
)
OVERRIDES = st.dictionaries(
    st.sampled_from(Mode), st.dictionaries(st.sampled_from(Category), st.sampled_from(Cell), max_size=3), max_size=2
)
RULES = st.builds(
    Rules,
    mode=st.sampled_from(Mode),
    beside=st.frozensets(st.sampled_from(Mode), max_size=1),
    matrix_overrides=OVERRIDES,
    enabled=st.booleans() | st.just(True),
    alive=st.booleans() | st.just(True),
    exhausted_limit=st.none() | st.none() | st.just("too many calls"),
    bypass_available=st.booleans(),
    bypass_agent=st.booleans(),
    bypass_session=st.booleans(),
    session_grants=GRANTS,
    directory_grants=st.lists(DIRECTORY_GRANTS, max_size=2).map(tuple),
    session_grants_offered=st.booleans(),
    book=BOOKS,
    chat_book=st.just(book()) | BOOKS,
    always_allowed=GRANTS,
    chat_tools=GRANTS,
    sandbox_auto=st.booleans(),
    confirm_outside_workspace=st.booleans(),
    own_places=st.just(("/state",)),
    named_by_commands=st.sampled_from([(), (f"{ROOT}/tools/hook.py",)]),
    home=st.just(HOME),
    roots=st.just((ROOT,)),
    agent_name=st.just("Agent"),
)
