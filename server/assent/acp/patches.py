"""Changes of files that an agent gives as one text: unified diffs, patches of its own format, search and replace.

Each piece of a change becomes a diff of its own, of the lines that it shows. A text that is not wholly understood says
so: half of a patch is no patch.
"""

import re
from dataclasses import field
from enum import Enum, auto

from assent.acp.paths_told import may_be_same
from assent.acp.words import Diff
from assent.lazy_dataclasses import dataclass

BEGIN_PATCH = "*** Begin Patch"

_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
_SEARCH = re.compile(r"<{5,} ?SEARCH\s*$")
_BETWEEN = re.compile(r"={5,}\s*$")
_REPLACE = re.compile(r">{5,} ?REPLACE\s*$")
_BEFORE_FILES = (
    "diff --git ",
    "Index: ",
    "index ",
    "====",
    "new file mode ",
    # Not git's word, but that of Copilot.
    "create file mode ",
    "similarity index ",
)
_QUOTED = ('--- "', '+++ "', 'rename from "', 'rename to "')
"""Names with unusual characters, in a spelling that is not read here."""
_NOWHERE = ("/dev/null", "a/dev/null", "b/dev/null")


@dataclass(slots=True)
class Patch:
    """What a text of changes does."""

    edits: list[Diff] = field(default_factory=list)
    deletes: list[str] = field(default_factory=list)
    moves: list[tuple[str, str]] = field(default_factory=list)
    whole: bool = True
    """Everything in the text was understood."""

    @property
    def is_empty(self) -> bool:
        return not (self.edits or self.deletes or self.moves)


def patch_in(text: str, path: str | None) -> Patch:
    """The changes in a text, of whatever format. `path`: of the file, where it is told beside the text."""
    if text.lstrip().startswith(BEGIN_PATCH):
        patch = _Sections().read(text)
    elif has_blocks(text):
        patch = blocks_in(text, path)
    else:
        patch = _Unified(path).read(text)
    patch.whole = patch.whole and not patch.is_empty
    return patch


def has_blocks(text: str) -> bool:
    """Whether it is a text that searches and replaces, and not the content of a file."""
    lines = text.split("\n")
    return any(_SEARCH.match(line) for line in lines) and any(_REPLACE.match(line) for line in lines)


def blocks_in(text: str, path: str | None) -> Patch:
    """The changes of a text that searches and replaces. What stands outside of its blocks means nothing known."""
    if path is None:
        return Patch(whole=False)
    patch, place = Patch(), _Blocks.OUTSIDE
    searched: list[str] = []
    replaced: list[str] = []
    for line in text.split("\n"):
        if place is _Blocks.OUTSIDE and _SEARCH.match(line):
            place, searched, replaced = _Blocks.SEARCHED, [], []
        elif place is _Blocks.SEARCHED and _BETWEEN.match(line):
            place = _Blocks.REPLACED
        elif place is _Blocks.REPLACED and _REPLACE.match(line):
            patch.edits.append(Diff(path, "\n".join(searched), "\n".join(replaced)))
            place = _Blocks.OUTSIDE
        elif place is _Blocks.OUTSIDE:
            patch.whole = patch.whole and not line.strip()
        else:
            (searched if place is _Blocks.SEARCHED else replaced).append(line)
    patch.whole = patch.whole and place is _Blocks.OUTSIDE
    return patch


class _Blocks(Enum):
    """Where in such a text a line stands."""

    OUTSIDE = auto()
    SEARCHED = auto()
    REPLACED = auto()


@dataclass(slots=True)
class _Lines:
    """The lines of one piece, before and after it."""

    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    last: str = ""

    def take(self, line: str) -> bool:
        """Adds a line of the piece; false where it is none."""
        mark, text = line[:1], f"{line[1:]}\n"
        if mark == "\\":
            self._without_end()
            return True
        if mark not in ("", " ", "-", "+"):
            return False
        self.last = mark
        if mark != "+":
            self.old.append(text)
        if mark != "-":
            self.new.append(text)
        return True

    def _without_end(self) -> None:
        for lines, mark in ((self.old, "+"), (self.new, "-")):
            if lines and self.last != mark:
                lines[-1] = lines[-1].removesuffix("\n")

    def __bool__(self) -> bool:
        return bool(self.old or self.new)


class _Unified:
    """Reads a unified diff, of one file or several. How long a piece is stands in its head, so no line can pretend."""

    def __init__(self, path: str | None) -> None:
        self._told = path
        self._before: str | None = path
        self._after: str | None = path
        self._patch = Patch()
        self._hunk = _Lines()
        self._left = (0, 0)
        self._is_deleted = False
        """A head says so, and no name of it was read yet."""

    def read(self, text: str) -> Patch:
        for line in text.removesuffix("\n").split("\n"):
            if self._left != (0, 0):
                self._within(line)
            else:
                self._between(line)
        self._finish()
        self._patch.whole = self._patch.whole and self._left == (0, 0) and not self._is_deleted
        return self._patch

    def _within(self, line: str) -> None:
        if not self._hunk.take(line):
            self._patch.whole = False
            self._left = (0, 0)
            return
        old, new = self._left
        mark = line[:1]
        self._left = (old - (mark in ("", " ", "-")), new - (mark in ("", " ", "+")))

    def _between(self, line: str) -> None:
        if line.startswith("\\"):
            self._hunk.take(line)
            return
        self._finish()
        if head := _HUNK.match(line):
            self._left = (int(head[1] or 1), int(head[2] or 1))
        elif line.startswith(_QUOTED):
            self._patch.whole = False
        elif line.startswith("--- "):
            self._before = self._after = _header(line[4:])
        elif line.startswith("+++ "):
            self._after = _header(line[4:])
            self._note_whole_file()
        elif line.startswith("rename from "):
            self._before = line.removeprefix("rename from ")
        elif line.startswith("rename to "):
            self._patch.moves.append((self._before or "", line.removeprefix("rename to ")))
        elif line.startswith("deleted file mode "):
            # An empty one has no other head that names it.
            self._is_deleted = True
        elif line.strip() and not line.startswith(_BEFORE_FILES):
            self._patch.whole = False
        if line.startswith("diff --git ") and self._is_deleted:
            self._patch.whole = False

    def _note_whole_file(self) -> None:
        if self._after is None and self._before is not None:
            self._patch.deletes.append(self._named(self._before))
            self._is_deleted = False
        elif self._before is not None and self._after != self._before and not self._renamed():
            # The head of one file above the change of another.
            self._patch.whole = False

    def _renamed(self) -> bool:
        return bool(self._patch.moves) and self._patch.moves[-1] == (self._before, self._after)

    def _finish(self) -> None:
        hunk, self._hunk = self._hunk, _Lines()
        if not hunk:
            return
        if self._before is None and self._after is None:
            self._patch.whole = False
        elif self._after is not None:
            old = None if self._before is None else "".join(hunk.old)
            self._patch.edits.append(Diff(self._named(self._after), old, "".join(hunk.new)))

    def _named(self, path: str) -> str:
        """The path as it is told beside the diff, where the diff means the same: heads leave its beginning away."""
        told = self._told
        return told if told is not None and len(told) >= len(path) and may_be_same(told, path) else path


def _header(text: str) -> str | None:
    """The path in a head; None for no file at all."""
    path = text.split("\t", maxsplit=1)[0].strip()
    if path in _NOWHERE:
        return None
    return path[2:] if path.startswith(("a/", "b/")) else path


class _Sections:
    """Reads the format that begins with its own name, and names what it does to each file."""

    def __init__(self) -> None:
        self._patch = Patch()
        self._path: str | None = None
        self._adds = False
        self._lines = _Lines()

    def read(self, text: str) -> Patch:
        for line in text.strip().split("\n"):
            self._line(line)
        self._finish(new_file=True)
        return self._patch

    def _line(self, line: str) -> None:
        if line.startswith("*** "):
            self._section(line[4:].strip())
        elif line.startswith("@@"):
            self._finish()
        elif self._path is None or not self._lines.take(line):
            self._patch.whole = self._patch.whole and not line.strip()

    def _section(self, head: str) -> None:
        self._finish(new_file=True)
        word, _, path = head.partition(": ")
        if word == "Move to" and self._path is not None:
            self._patch.moves.append((self._path, path))
            return
        if head == "End of File":
            return
        self._adds = word == "Add File"
        self._path = path if word in ("Add File", "Update File") and path else None
        if word == "Delete File" and path:
            self._patch.deletes.append(path)
        elif self._path is None and head not in ("Begin Patch", "End Patch"):
            self._patch.whole = False

    def _finish(self, *, new_file: bool = False) -> None:
        lines, self._lines = self._lines, _Lines()
        if self._path is None or not (lines or (self._adds and new_file)):
            return
        self._patch.edits.append(Diff(self._path, None if self._adds else "".join(lines.old), "".join(lines.new)))
        self._adds = False
