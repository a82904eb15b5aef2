"""What the configuration of a git repository adds to git's commands: the same repository that git would find, read
within bounds. Of the user's own configuration only the aliases are: they are verbs like any other.
"""
# ruff: noqa: PTH118, PTH119, PTH120 - names as the system spells them

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress

from assent.commandline.catalogue.git_config import aliases, hooks_folders, named_files, running_entries
from assent.commandline.surroundings import GitFacts
from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.policy.protected import is_secret
from assent.tools.disk import read_regular
from assent.tools.names import printable
from assent.tools.places import home_folder, locate
from assent.tools.resolve import resolve
from assent.tools.submodules import named_in

MOST_BYTES = 1024 * 1024
_POINTER_BYTES = 8_192
_DEEPEST = 256
_MOST_WITHIN = 50
_MOST_OF_ITS_OWN = 20_000
_NOT_SHOWN = re.compile(r"hooks|modules|lfs|annex|objects/[0-9a-f]{2}")
"""Folders of a repository that hold no text of which git shows lines. Hooks and submodules are looked at apart."""
_LOOKED_AT = frozenset({"extensions.worktreeconfig"})
"""Entries that lead to more configuration, which is read here."""
_NAMED = re.compile(r"worktree(?!config)", re.IGNORECASE)
_WORK_TREE = re.compile(r"^[ \t]*worktree[ \t]*=[ \t]*([^\s\"\\#;]+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
"""In the plain form in which git writes it, and only where it is named but once."""


def git_facts(directory: str, roots: tuple[str, ...]) -> GitFacts:
    """What git would take from the repository in which this folder lies. Never opens anything but regular files."""
    found = _find(directory, roots)
    named = _aliases_of_user()
    if found is None:
        return GitFacts(aliases=named)
    running = list(found.remarks)
    for text in _configurations(found.folder, running):
        running += _entries(found, text)
        running += _hooks_elsewhere(found, text)
        running += _files_elsewhere(found, text, roots)
        named.update(aliases(text))
    running += _hooks_of_reading(found.folder)
    running += _links_out_of(found.folder)
    running += _objects_elsewhere(found.folder, roots)
    running += _of_repositories_within(found, roots)
    moved = any("worktree" in entry.casefold() for entry in running)
    return GitFacts(tuple(dict.fromkeys(running)), named, "" if moved else found.files or "")


@dataclass(frozen=True, slots=True)
class _Repository:
    folder: str
    """Where git's own files are."""
    files: str | None
    """Where the files are that it keeps; None for a bare one."""
    remarks: tuple[str, ...] = ()
    """What is remarkable about the way to it."""


def _aliases_of_user() -> dict[str, str]:
    """Verbs of the user's own: what they stand for is looked at like any other verb."""
    home = home_folder()
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    named = dict[str, str]()
    for name in (os.path.join(settings, "git", "config"), os.path.join(home, ".gitconfig")):
        named.update(aliases(_text(name, [])))
    return named


def _find(directory: str, roots: tuple[str, ...]) -> _Repository | None:
    for folder in _upwards(resolve(directory).real):
        found = _kept_in(folder, roots)
        if found is not None:
            return found
        if _is_repository(folder):
            return _Repository(folder, None, (f"a bare repository ({printable(folder)}) that is no checkout",))
    return None


def _kept_in(folder: str, roots: tuple[str, ...]) -> _Repository | None:
    """The repository of the files in this folder."""
    beside = os.path.join(folder, ".git")
    pointed = _pointed_to(beside)
    if pointed is not None and _is_repository(pointed):
        own = _is_made_for(pointed, beside)
        return _Repository(pointed, folder, () if own else _ways_outside(beside, pointed, roots))
    if _is_repository(beside):
        return _Repository(beside, folder, _ways_outside(beside, resolve(beside).real, roots))
    return None


def _is_made_for(pointed: str, beside: str) -> bool:
    """Whether the repository names this worktree as its own, which nothing in the workspace can make it do."""
    text = _small_text(os.path.join(pointed, "gitdir"))
    return text is not None and resolve(text.rstrip("\r\n")).real == resolve(beside).real


def _entries(repository: _Repository, text: str) -> list[str]:
    """What this text makes git start, without what is known to be harmless here."""
    at_home = _files_are_at_home(repository, text)
    return [
        name for name in running_entries(text) if name not in _LOOKED_AT and (name != "core.worktree" or not at_home)
    ]


def _files_are_at_home(repository: _Repository, text: str) -> bool:
    """Git can be told that the files are in another folder. In a submodule it is told so of the right one."""
    said = _WORK_TREE.findall(text)
    if repository.files is None or len(said) != 1 or len(_NAMED.findall(text)) != 1:
        return False
    meant = os.path.join(resolve(repository.folder).real, said[0])
    return resolve(meant).real == resolve(repository.files).real


def _of_repositories_within(outer: _Repository, roots: tuple[str, ...]) -> Iterator[str]:
    """Git asks every repository within this one how it stands, and those within them."""
    ahead, seen = [outer], {resolve(outer.folder).real}
    while ahead:
        repository = ahead.pop()
        if repository is not outer:
            yield from _entries_of_inner(repository, roots)
        names = named_in(repository.folder) if repository.files is not None else ()
        if names is None or len(seen) > _MOST_WITHIN:
            yield "repositories within this one that could not be looked at"
            return
        for name in names:
            inner = _kept_in(os.path.join(repository.files or "", name), roots)
            if inner is not None and resolve(inner.folder).real not in seen:
                seen.add(resolve(inner.folder).real)
                ahead.append(inner)


def _entries_of_inner(repository: _Repository, roots: tuple[str, ...]) -> list[str]:
    running = list(repository.remarks)
    for text in _configurations(repository.folder, running):
        running += _entries(repository, text)
        running += _files_elsewhere(repository, text, roots)
    running += _links_out_of(repository.folder)
    return [*running, *_hooks_of_reading(repository.folder), *_objects_elsewhere(repository.folder, roots)]


def _upwards(folder: str) -> Iterator[str]:
    for _ in range(_DEEPEST):
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _pointed_to(name: str) -> str | None:
    """Where a `.git` file says that the repository is: in worktrees and submodules."""
    text = _small_text(name)
    if text is None or not text.startswith("gitdir:"):
        return None
    return os.path.join(os.path.dirname(name), text.removeprefix("gitdir:").strip("\r\n").lstrip())


def _is_repository(folder: str) -> bool:
    """As git judges it: a HEAD, and objects and references, which a worktree has in common with another folder."""
    if not _exists(os.path.join(folder, "HEAD")):
        return False
    common = _common(folder)
    return all(_is_folder(os.path.join(common, name)) for name in ("objects", "refs"))


def _common(folder: str) -> str:
    text = _small_text(os.path.join(folder, "commondir"))
    return folder if text is None else os.path.join(folder, text.rstrip("\r\n"))


def _ways_outside(name: str, real: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    shared = os.path.join(real, "commondir")
    return (*_led_outside(name, real, roots), *_led_outside(shared, resolve(_common(real)).real, roots))


def _led_outside(name: str, real: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """A file or a link in the workspace that makes git work with a repository somewhere else."""
    led = not locate(real, roots).inside and locate(os.path.dirname(name), roots).inside
    return (f"{printable(name)}, which leads to {printable(real)}",) if led else ()


def _configurations(folder: str, running: list[str]) -> Iterator[str]:
    """The texts of its configuration; what cannot be read is added to what it may start."""
    yield _text(os.path.join(_common(folder), "config"), running)
    worktree = os.path.join(folder, "config.worktree")
    if _exists(worktree):
        # Only read by git with an extension switched on; nobody has it without that.
        yield _text(worktree, running)


def _hooks_of_reading(folder: str) -> Iterator[str]:
    """A hook that even commands which only look start, because they bring the index up to date."""
    name = os.path.join(_common(folder), "hooks", "post-index-change")
    if _exists(name):
        yield "hooks/post-index-change"


def _files_elsewhere(repository: _Repository, text: str, roots: tuple[str, ...]) -> Iterator[str]:
    """Git shows lines of these files where they are not what it expects."""
    base = resolve(repository.files or repository.folder).real
    for entry, value in named_files(text):
        place = locate(os.path.join(base, os.path.expanduser(value)), (*roots, base))  # noqa: PTH111
        if value.startswith("%") or not place.inside or is_secret(place.real):
            yield f"{entry}, which leads to {printable(value)}"


def _links_out_of(folder: str) -> Iterator[str]:
    """Git shows lines of its own files, too: of those that are damaged, and of what it is in the middle of."""
    for top in dict.fromkeys((resolve(folder).real, resolve(_common(folder)).real)):
        ahead, count = [top], 0
        while ahead:
            with suppress(OSError), os.scandir(ahead.pop()) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_symlink() and not f"{resolve(entry.path).real}/".startswith(f"{top}/"):
                        yield f"{printable(entry.path)}, which is a link to another file"
                    elif entry.is_dir(follow_symlinks=False) and not _NOT_SHOWN.fullmatch(entry.path[len(top) + 1 :]):
                        ahead.append(entry.path)
            if count > _MOST_OF_ITS_OWN:
                yield f"{printable(top)}, which holds too many files to be looked at"
                break


def _objects_elsewhere(folder: str, roots: tuple[str, ...]) -> Iterator[str]:
    """Other repositories of which everything can be read as if it was this one's."""
    objects = os.path.join(_common(folder), "objects")
    if not locate(objects, roots).inside:
        return
    running: list[str] = []
    for line in _text(os.path.join(objects, "info", "alternates"), running).splitlines():
        if line and not line.startswith("#") and _leads_further(os.path.join(objects, line), line, roots):
            yield f"objects/info/alternates, which leads to {printable(line)}"
    yield from running


def _leads_further(place: str, line: str, roots: tuple[str, ...]) -> bool:
    """Out of the workspace, or to objects that are again elsewhere. What is quoted could be any place."""
    return line[0] == '"' or not locate(place, roots).inside or _exists(os.path.join(place, "info", "alternates"))


def _hooks_elsewhere(repository: _Repository, text: str) -> Iterator[str]:
    """The same hook in the folder that the configuration names."""
    for folder in hooks_folders(text):
        base = repository.files or repository.folder
        if _exists(os.path.join(base, os.path.expanduser(folder), "post-index-change")):  # noqa: PTH111
            yield "hooks/post-index-change"


def _text(name: str, running: list[str]) -> str:
    """The content of a configuration. What cannot be read is told as something that could start anything."""
    target = resolve(name)
    try:
        content = read_regular(target, MOST_BYTES)
    except ToolFault as fault:
        running.append(f"{printable(name)}, which cannot be read ({fault.code})")
        return ""
    if content is None:
        return ""
    if not content.whole:
        running.append(f"{printable(name)}, which is too long to be read")
    if target.real != resolve(os.path.dirname(name)).real + "/" + os.path.basename(name):
        running.append(f"{printable(name)}, which is a link to another file")
    return content.data.decode("utf-8", "replace")


def _small_text(name: str) -> str | None:
    target = resolve(name)
    if target.mode is None or not stat.S_ISREG(target.mode):
        return None
    try:
        content = read_regular(target, _POINTER_BYTES)
    except ToolFault:
        return None
    return None if content is None else content.data.decode("utf-8", "surrogateescape")


def _exists(name: str) -> bool:
    return os.path.lexists(name)


def _is_folder(name: str) -> bool:
    mode = resolve(name).mode
    return mode is not None and stat.S_ISDIR(mode)
