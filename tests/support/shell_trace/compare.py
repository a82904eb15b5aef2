"""What a command did against what was read in it."""

import os
import posixpath
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache

from assent.model.calls import Access, PathUse
from assent.model.commands import Touch
from assent.model.modes import Category
from tests.support.shell_trace.decision import Decided
from tests.support.shell_trace.expected import (
    DEVICES,
    HELPERS,
    INDEX,
    LEFTOVERS,
    NAMES_OF_USERS,
    NO_FILE,
    PUTS_BACK,
    Helper,
)
from tests.support.shell_trace.places import Places
from tests.support.shell_trace.trace import Deed, Did

_FOLLOWS = ("chmod(", "truncate(", "setxattr(", "chown(")


@dataclass(slots=True)
class Compared:
    """What was done although nobody read it, as sentences; and secrets that were read with the whole folder."""

    faults: list[str] = field(default_factory=list)
    swept: list[str] = field(default_factory=list)


def compare(deeds: list[Deed], decided: Decided, places: Places) -> Compared:
    """The first deed is the start of the shell itself."""
    compared = Compared()
    opaque = _opaque(decided)
    for deed in deeds[1:]:
        match deed.did:
            case Did.START if not _may_start(deed, decided):
                compared.faults.append(f"starts {deed.what}, which was not named")
            case Did.CONTACT if decided.category is not Category.EXTERNAL and not NAMES_OF_USERS.search(deed.what):
                compared.faults.append(f"contacts {deed.what}")
            case Did.CHANGE if _program(deed.by) not in opaque and not _may_change(deed, decided, places):
                compared.faults.append(f"changes {deed.what} with {deed.by} ({deed.call[:120]}), which was not named")
            case Did.READ if places.is_planted(deed.what):
                kind = compared.swept if _swept(deed, decided) else compared.faults
                kind.append(f"reads {deed.what} with {deed.by}")
    compared.faults = list(dict.fromkeys(compared.faults))
    return compared


def _opaque(decided: Decided) -> set[str]:
    """Programs of which a rule allows that they run anything, and so change anything."""
    beyond = (Category.EXECUTE, Category.EXTERNAL)
    parts = (part for part in decided.command.all() if part.category in beyond and part.words)
    return {_program(_found(part.words[0].text) or part.words[0].text) for part in parts}


def _program(path: str) -> str:
    """The name of a program under whatever name it was started."""
    return posixpath.basename(os.path.realpath(path))


def _may_start(deed: Deed, decided: Decided) -> bool:
    real = os.path.realpath(deed.what)
    for name in decided.programs():
        found = _found(name) if "/" not in name else os.path.realpath(posixpath.join(_directory(decided), name))
        if found is not None and found == real:
            return True
    return any(_is_helper(helper, real, deed, decided) for helper in HELPERS)


def _is_helper(helper: Helper, real: str, deed: Deed, decided: Decided) -> bool:
    named = {posixpath.basename(name) for name in decided.programs()}
    return helper.by in named and helper.starts == posixpath.basename(real) and helper.saying in deed.call


def _directory(decided: Decided) -> str:
    return next((part.directory for part in decided.command.all() if part.directory), "/")


@cache
def _found(name: str) -> str | None:
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")
    return os.path.realpath(found) if found is not None else None


def _may_change(deed: Deed, decided: Decided, places: Places) -> bool:
    if DEVICES.fullmatch(deed.what) or NO_FILE.fullmatch(deed.what):
        return True
    path = _real(deed)
    if any(_covers(use, path) for use in decided.paths if use.access in (Access.WRITE, Access.DELETE)):
        return True
    if any(_matches(touch, path) for part in decided.command.all() for touch in part.touches):
        return True
    by = _program(deed.by)
    return (
        _is_leftover(by, path, decided, places)
        or _of_git(by, path, decided, places)
        or _on_the_way(deed, path, decided)
    )


def _matches(touch: Touch, path: str) -> bool:
    """A pattern speaks of names that are not there yet, too."""
    if not touch.glob or touch.access not in (Access.WRITE, Access.DELETE):
        return False
    folder, _, pattern = touch.name.rpartition("/")
    above, _, name = path.rpartition("/")
    return os.path.realpath(folder) == above and fnmatchcase(name, pattern)


def _real(deed: Deed) -> str:
    """The world lies here as it was before the command ran."""
    if deed.call.startswith(("open", "creat")) or any(deed.call.startswith(call) for call in _FOLLOWS):
        return os.path.realpath(deed.what)
    folder, _, name = deed.what.rpartition("/")
    return posixpath.join(os.path.realpath(folder or "/"), name)


def _covers(use: PathUse, path: str) -> bool:
    return any(path == name or (use.is_directory and path.startswith(name.rstrip("/") + "/")) for name in _names(use))


def _names(use: PathUse) -> Iterator[str]:
    yield use.real
    if use.named:
        folder, _, name = use.named.rstrip("/").rpartition("/")
        yield posixpath.join(os.path.realpath(folder or "/"), name)


def _is_leftover(by: str, path: str, decided: Decided, places: Places) -> bool:
    folder, _, name = path.rpartition("/")
    for leftover in LEFTOVERS:
        if leftover.by != by or not leftover.name.fullmatch(name):
            continue
        changed = {use.real.rpartition("/")[0] for use in decided.paths if use.access is Access.WRITE}
        if folder == str(places.scratch) or (leftover.beside and folder in changed):
            return True
    return False


def _of_git(by: str, path: str, decided: Decided, places: Places) -> bool:
    if by != "git":
        return False
    repository = f"{places.workspace}/.git"
    if decided.category is Category.WRITE:
        puts_back = any(part.steps[:2] == ("git", PUTS_BACK) for part in decided.command.all())
        place = str(places.workspace) if puts_back else repository
        return path == repository or path.startswith(f"{place}/")
    return INDEX.fullmatch(path.removeprefix(str(places.workspace))) is not None


def _on_the_way(deed: Deed, path: str, decided: Decided) -> bool:
    """`mkdir -p a/b` makes `a`, too; and so does `mkdir -p a/../b`."""
    if not deed.call.startswith("mkdir"):
        return False
    written = (touch.name for part in decided.command.all() for touch in part.touches if touch.access is Access.WRITE)
    return any(path in _above(name) for name in written)


def _above(name: str) -> set[str]:
    pieces = name.split("/")
    return {os.path.realpath("/".join(pieces[:count]) or "/") for count in range(1, len(pieces))}


def _swept(deed: Deed, decided: Decided) -> bool:
    """Git looks at all files that it keeps to see whether they have changed; the key is one of them."""
    if _program(deed.by) == "git" and deed.what.endswith("/workspace/keys/id_rsa"):
        return True
    reads = (use for use in decided.paths if use.access is Access.READ and use.is_directory)
    return any(deed.what.startswith(use.real.rstrip("/") + "/") for use in reads)
