"""What stands at a place of a text that may be half typed: the way to it, and what is being written there."""

import json
import re
from dataclasses import field
from enum import Enum

from assent.lazy_dataclasses import dataclass
from assent.settings.spelling import PREFIX

_COMMENT = r"//[^\n\r]*|/\*.*?(?:\*/|\Z)"
_QUOTED = r'"(?:[^"\\\n\r]|\\[^\n\r])*(?:"|(?=[\n\r])|\Z|\\)'
_TOKENS = re.compile(rf'{_COMMENT}|{_QUOTED}|[{{}}\[\]:,]|[^\s{{}}\[\]:,"/]+|/', re.DOTALL)
_IN_WORKSPACE_FILE = "settings"

Path = tuple[str | int, ...]


class Role(Enum):
    """What belongs to a place."""

    NAME = "name"
    """The name of a member; the last step of the path is the one that stands there."""
    VALUE = "value"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Where:
    """A place of a text."""

    path: Path
    role: Role
    start: int
    end: int
    """The word or text around it; nothing, where there is none."""
    written: str = ""
    """What stands there, without quotes."""
    beside: frozenset[str] = frozenset()
    """The names or texts that stand before it in the same object or list."""

    def steps(self, *, in_workspace_file: bool = False) -> Path:
        """The way to it from where the settings begin."""
        inside = in_workspace_file and self.path[:1] == (_IN_WORKSPACE_FILE,)
        return self.path[1:] if inside else self.path

    def setting(self, *, in_workspace_file: bool = False) -> tuple[str, Path] | None:
        """The setting that it belongs to, by its name without the prefix, and the way from there."""
        path = self.path
        if in_workspace_file:
            if path[:1] != (_IN_WORKSPACE_FILE,):
                return None
            path = path[1:]
        first = path[0] if path else None
        if isinstance(first, str) and first.startswith(f"{PREFIX}."):
            return first.removeprefix(f"{PREFIX}."), path[1:]
        if first == PREFIX and len(path) > 1 and isinstance(path[1], str):
            return path[1], path[2:]
        return None


@dataclass(slots=True)
class _Holder:
    """An object or a list that is open at the place that was reached."""

    is_object: bool
    role: Role
    key: str = ""
    index: int = 0
    said: list[str] = field(default_factory=list)

    @property
    def step(self) -> str | int:
        return self.key if self.is_object else self.index


def locate(text: str, offset: int) -> Where | None:
    """What stands at this offset; None inside of a comment. The text is read once, up to there."""
    holders: list[_Holder] = []
    for found in _TOKENS.finditer(text):
        word, start, end = found[0], found.start(), found.end()
        if start >= offset:
            break
        is_comment = word.startswith(("//", "/*"))
        if is_comment and (offset < end or (offset == end and not word.endswith("*/"))):
            return None
        if is_comment:
            continue
        if word[0] not in "{}[]:," and (offset < end or (offset == end and not _is_closed(word))):
            return _at(holders, start, end, word)
        _advance(holders, word)
    ahead = _TOKENS.match(text, offset)
    if ahead is not None and ahead[0][0] not in "{}[]:,/":
        return _at(holders, ahead.start(), ahead.end(), ahead[0])
    return _at(holders, offset, offset, "")


def offset_of(text: str, line: int, character: int) -> int:
    """The offset of a position as editors count: from 0, columns in UTF-16 units."""
    start = 0
    for _ in range(line):
        found = _BREAK.search(text, start)
        if found is None:
            return len(text)
        start = found.end()
    end = found.start() if (found := _BREAK.search(text, start)) else len(text)
    return start + _units(text[start:end], character)


_BREAK = re.compile("\r\n|\n|\r")


def _units(line: str, count: int) -> int:
    """How many characters so many UTF-16 units are."""
    if line.isascii():
        return min(count, len(line))
    for index, character in enumerate(line):
        if count <= 0:
            return index
        count -= 2 if character > "\uffff" else 1
    return len(line)


def _is_closed(word: str) -> bool:
    return word[0] == '"' and len(word) > 1 and word.endswith('"')


def _at(holders: list[_Holder], start: int, end: int, word: str) -> Where:
    written = _plain(word)
    if not holders:
        return Where((), Role.NOTHING, start, end, written)
    *outer, inner = holders
    path: list[str | int] = [holder.step for holder in outer]
    role = inner.role
    if role is Role.NAME:
        path.append(written)
    elif role is Role.VALUE:
        path.append(inner.step)
    return Where(tuple(path), role, start, end, written, frozenset(inner.said))


def _advance(holders: list[_Holder], word: str) -> None:
    """Goes on behind a word. What does not belong there is passed over: a text is half typed most of the time."""
    inner = holders[-1] if holders else None
    if word in "{[":
        holders.append(_Holder(word == "{", Role.NAME if word == "{" else Role.VALUE))
    elif inner is None:
        return
    elif word in "}]":
        holders.pop()
        if holders:
            holders[-1].role = Role.NOTHING
    elif word == ":":
        inner.role = Role.VALUE if inner.is_object else inner.role
    elif word == ",":
        inner.role = Role.NAME if inner.is_object else Role.VALUE
        inner.index += 1
    elif inner.role is Role.NAME:
        inner.key = _plain(word)
        inner.said.append(inner.key)
        inner.role = Role.NOTHING
    else:
        if not inner.is_object:
            inner.said.append(_plain(word))
        inner.role = Role.NOTHING


def _plain(word: str) -> str:
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word))
    except ValueError:
        return word.strip('"')
