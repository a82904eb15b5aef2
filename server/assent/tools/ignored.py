"""What git would not look at, learned folder by folder on the way down: for whoever walks through a tree.

    ignored = ignored_at(folder)
    ignored.hides("build", is_folder=True)
    ignored.into("src")

Read are the `.gitignore` of each folder, those of the folders above it up to the top of its repository, and the
repository's own `info/exclude`. The user's list for all repositories is not looked at. None of them is obeyed where it
is a link, as git does it.
"""
# ruff: noqa: PTH118, PTH120, PTH206 - names as the system spells them

import os
import stat
from contextlib import suppress
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.tools.search.ignored import Line, last_word, lines_of

NAME = ".gitignore"
NEVER_WALKED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__"})
"""Folders that hold what nobody wrote by hand."""
_GIT = ".git"
MOST_LINES = 2_000
"""Of one file. Each is compared with every name below it, and a stranger can write as many as they like."""
_MOST_BYTES = 256 * 1024
_DEEPEST = 64
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)

Lists = tuple[tuple[int, tuple[Line, ...]], ...]
"""Each with the number of names that lead to its folder; what stands later has the last word."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """What is hidden of the names in one folder."""

    folder: str
    names: tuple[str, ...] = ()
    """From the top of the repository to the folder."""
    lists: Lists = ()
    everything: bool = False
    """The folder itself lies in what is hidden."""
    sources: tuple[str, ...] = field(default=(), compare=False)
    """The files that were asked, whether they are there or not."""

    def hides(self, name: str, *, is_folder: bool) -> bool:
        """Whether git would pass over what has this name in the folder."""
        if self.everything or (is_folder and name in NEVER_WALKED):
            return True
        path = (*self.names, name)
        for depth, lines in reversed(self.lists):
            hidden = last_word(lines, path[depth:], is_folder=is_folder)
            if hidden is not None:
                return hidden
        return False

    def into(self, name: str) -> "Ignored":
        """The same for the folder of this name, with what its own file says."""
        hidden = self.hides(name, is_folder=True)
        return _entered(os.path.join(self.folder, name), (*self.names, name), self.lists, everything=hidden)


def ignored_at(folder: str) -> Ignored:
    """What is hidden in this folder, given by its real path. Never fails: what cannot be read hides nothing."""
    top = _top_above(folder)
    below = [name for name in os.path.relpath(folder, top).split(os.sep) if name != os.curdir]
    ignored = _entered(top, (), (), everything=False)
    for name in below:
        # A folder that is walked on purpose is walked, whatever it is called.
        inside = ignored.into(name)
        hidden = ignored.everything or (inside.everything and name not in NEVER_WALKED)
        sources = (*ignored.sources, *inside.sources)
        ignored = Ignored(inside.folder, inside.names, inside.lists, hidden, sources)
    return ignored


def _entered(folder: str, names: tuple[str, ...], lists: Lists, *, everything: bool) -> Ignored:
    own = os.path.join(folder, NAME)
    sources: tuple[str, ...] = (own,)
    if os.path.lexists(os.path.join(folder, _GIT)):
        exclude = os.path.join(_repository_of(folder), "info", "exclude")
        sources = (exclude, own)
        # A repository within another one is none of the outer one's business.
        lists = ()
    for source in sources:
        said = lines_of(_text(source))[:MOST_LINES]
        if said:
            lists = (*lists, (len(names), said))
    return Ignored(folder, names, lists, everything, sources)


def _top_above(folder: str) -> str:
    """The top of the repository that the folder lies in; the folder itself where it lies in none."""
    above = folder
    for _ in range(_DEEPEST):
        if os.path.lexists(os.path.join(above, _GIT)):
            return above
        parent = os.path.dirname(above)
        if parent == above:
            break
        above = parent
    return folder


def _repository_of(top: str) -> str:
    """Where git keeps what belongs to these files: in `.git`, or where that file points to."""
    beside = os.path.join(top, _GIT)
    for name, mark in ((beside, "gitdir:"), ("commondir", "")):
        text = _text(os.path.join(beside, name)).strip()
        if text and text.startswith(mark) and "\n" not in text:
            # Joined to where it stands: a path that begins at the top stays what it is.
            start = top if mark else beside
            beside = os.path.normpath(os.path.join(start, text.removeprefix(mark).strip()))
    return beside


def _text(path: str) -> str:
    """What a file says, as far as it is read; nothing where it is none."""
    with suppress(OSError, ValueError):
        descriptor = os.open(path, _OPEN)
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return file.read(_MOST_BYTES).decode("utf-8", "surrogateescape")
    return ""
