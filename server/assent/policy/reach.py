"""How far a call reaches: what it changes, what it reads, where that lies."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from typing import TypeVar

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.grants import DirectoryGrant
from assent.model.modes import Category, graver, parse_category
from assent.policy.protected import folded
from assent.policy.rules.naming import holds_secrets
from assent.policy.rules.naming import is_raised as is_raised_use
from assent.policy.rules.reserved import Reach, reach_of_host
from assent.policy.rules.spelling import is_resolved, names_of

__all__ = [
    "category_of_use",
    "changes",
    "changes_it",
    "counts_as_write",
    "effective_category",
    "granted",
    "holds_secrets",
    "is_raised",
    "is_raised_use",
    "is_within",
    "reaches_near",
    "starts_outside",
    "widest",
]

T = TypeVar("T")

_RANK = {Access.READ: 0, Access.WRITE: 1, Access.DELETE: 2, Access.RUN: 3}

# Programs that are installed for the whole machine lie there, and what belongs to them.
_PROGRAM_FOLDERS = (
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/libexec",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew",
    "/nix/store",
)


def _kept_for_the_last(found: Callable[[CallFacts], T]) -> Callable[[CallFacts], T]:
    """One decision asks it a dozen times of the same facts."""
    last: tuple[CallFacts, T] | None = None

    @wraps(found)
    def kept(facts: CallFacts) -> T:
        nonlocal last
        known = last
        if known is None or known[0] is not facts:
            known = last = (facts, found(facts))
        return known[1]

    return kept


@_kept_for_the_last
def effective_category(facts: CallFacts) -> Category:
    """The category by what the call touches: it is never milder than what the tool declares."""
    return _effective_category(facts)


def _effective_category(facts: CallFacts) -> Category:
    category = parse_category(facts.category)
    for use in facts.paths:
        category = graver(category, category_of_use(use))
    for step in facts.steps:
        category = graver(category, _effective_category(step))
    return category


def category_of_use(use: PathUse) -> Category:
    """What touching this path alone amounts to. What is started is as harmless as its program, unless it lies apart."""
    match use.access:
        case Access.READ:
            return Category.EXTERNAL if is_raised_use(use) else Category.READ
        case Access.RUN:
            return Category.EXECUTE if starts_outside(use) else Category.INTERNAL
        case Access.WRITE | Access.DELETE:
            return Category.WRITE


def starts_outside(use: PathUse) -> bool:
    """Whether this is started outside the roots, and not from where the system has its programs."""
    if use.access is not Access.RUN or use.inside or use.installed:
        return False
    names = names_of(use.real) if is_resolved(use.real) else ()
    return not any(names[: len(folder)] == folder for folder in _PROGRAM_PLACES)


@_kept_for_the_last
def is_raised(facts: CallFacts) -> bool:
    """Whether the call reads outside the roots or a secret: a grant for its tool does not cover that."""
    return _is_raised(facts)


def _is_raised(facts: CallFacts) -> bool:
    return any(map(is_raised_use, facts.paths)) or any(map(_is_raised, facts.steps))


def reaches_near(facts: CallFacts) -> bool:
    """Whether the call reaches this machine or a network around it: what allows its tool does not cover that."""
    return any(reach_of_host(one.host) is not Reach.PUBLIC for one in facts.addresses.named)


def changes(facts: CallFacts) -> tuple[PathUse, ...]:
    """What the call writes or deletes."""
    return tuple(use for use in facts.paths if changes_it(use))


def counts_as_write(facts: CallFacts) -> bool:
    """Whether a run's limit of writes is about this call: it is known to change something, whatever else it does.

    A program of which nothing is known does not count: most are tests and builds, and a limit that these use up would
    end runs that write nothing. The limit of tool calls is there for them, and for calls without end.
    """
    if facts.steps:
        # Those count, each when it is made.
        return False
    return effective_category(facts) is Category.WRITE or bool(changes(facts))


def changes_it(use: PathUse) -> bool:
    """Whether the path itself becomes another one."""
    return use.access in (Access.WRITE, Access.DELETE)


def widest(uses: Iterable[PathUse]) -> Access:
    """The access among these that needs most."""
    return max((use.access for use in uses), key=_RANK.__getitem__)


def granted(use: PathUse, grants: Sequence[DirectoryGrant]) -> bool:
    """Whether a directory that was granted for the chat holds this path, for this kind of access. Secrets never are."""
    if not grants or holds_secrets(use) or not is_resolved(use.real):
        return False
    way = names_of(use.real)
    return any(_RANK[use.access] <= _RANK[grant.access] and _starts(way, grant.directory) for grant in grants)


def _starts(way: tuple[str, ...], directory: str) -> bool:
    """A permission: compared name by name and exactly, and never for the whole file system."""
    above = names_of(directory) if is_resolved(directory) else ()
    return bool(above) and way[: len(above)] == above


_PROGRAM_PLACES = tuple(map(names_of, _PROGRAM_FOLDERS))


def is_within(path: str, folder: str) -> bool:
    """Both real and absolute. Compared as the laxest file system would: a stricter answer does no harm here."""
    # Each decision compares the same path with the same few folders.
    return _kept_within(path, folder) if len(path) + len(folder) <= _LONG else _within(path, folder)


_LONG = 1_024


@lru_cache(maxsize=1_024)
def _kept_within(path: str, folder: str) -> bool:
    return _within(path, folder)


def _within(path: str, folder: str) -> bool:
    inner, outer = folded(path), folded(folder).rstrip("/")
    return inner == outer or inner.startswith(outer + "/")
