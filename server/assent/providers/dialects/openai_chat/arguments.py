"""The arguments of a call as they come in pieces, and whether they are whole. Each piece is looked at once."""

import re
from dataclasses import field

from assent.agent.assemble import LONGEST_ARGUMENTS
from assent.jsontext import NotJson, read_json
from assent.lazy_dataclasses import dataclass

_MARKS = re.compile(r'[\\"{}\[\]]')
_BLANKS = " \t\n\r"


@dataclass(slots=True)
class ArgumentsText:
    """Collects pieces up to one more than is allowed: whoever takes the call apart can tell that it is too long."""

    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _depth: int = 0
    _in_text: bool = False
    _skip: int = 0
    """Characters at the beginning of the next piece that a backslash before them has taken."""
    _closed: bool = False
    """Its outermost bracket is closed: from here on only blanks may follow."""
    _hopeless: bool = False
    """Whatever follows, it is no whole object."""
    _whole: bool | None = None
    """Whether it is one, once that was looked at."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)

    def add(self, piece: str) -> None:
        """What comes next."""
        if self._length > LONGEST_ARGUMENTS:
            return
        self._pieces.append(piece)
        self._length += len(piece)
        self._hopeless = self._hopeless or self._length > LONGEST_ARGUMENTS
        if not self._hopeless:
            self._follow(piece)

    def is_whole(self) -> bool:
        """Whether it is one whole JSON object: then nothing can be missing at its end."""
        if self._hopeless or not self._closed:
            return False
        if self._whole is None:
            self._whole = _is_object(self.text)
        return self._whole

    def _follow(self, piece: str) -> None:
        if not self._depth and not self._closed:
            piece = piece.lstrip(_BLANKS)
            self._hopeless = piece[:1] not in ("", "{")
        after = piece if self._closed else piece[self._end_in(piece) :]
        self._hopeless = self._hopeless or bool(after.strip(_BLANKS))

    def _end_in(self, piece: str) -> int:
        """The place after the outermost bracket, or after the piece where it is not closed in it."""
        at, self._skip = self._skip, 0
        for found in _MARKS.finditer(piece):
            if found.start() < at:
                continue
            mark = found[0]
            if self._in_text:
                self._in_text = mark != '"'
                at = found.end() + 1 if mark == "\\" else at
            elif mark == '"':
                self._in_text = True
            else:
                self._depth += (mark in "{[") - (mark in "}]")
                if self._depth == 0:
                    self._closed = True
                    return found.end()
        self._skip = max(at - len(piece), 0)
        return len(piece)


def _is_object(text: str) -> bool:
    try:
        return isinstance(read_json(text), dict)
    except NotJson:
        return False
