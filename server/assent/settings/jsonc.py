"""JSON with comments, trailing commas and a byte order mark, read strictly and with the place of every value."""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from io import StringIO
from itertools import accumulate
from types import MappingProxyType

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.settings.faults import JsonFault

MAX_LENGTH = 5 * 1024 * 1024
MAX_DEPTH = 100
MAX_VALUES = 50_000
# More digits than this are read as a float: Python refuses to make huge whole numbers of text.
MAX_WHOLE_DIGITS = 400

# The editor ends a line comment at each of these breaks and takes each of these as space: this reader must see a
# setting wherever the editor sees it.
BREAKS = "\n\r\u2028\u2029"
BYTE_ORDER_MARK = "\ufeff"
_BLANK = "[ \t\v\f\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff" + BREAKS + "]"
SPACE = re.compile(f"{_BLANK}*")
_TRIVIA = re.compile(rf"(?:{_BLANK}++|//[^{BREAKS}]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
# Most values follow each other with one blank or none between them: then nothing has to be searched for.
_NEVER_TRIVIA = frozenset('{}[]:,"-0123456789')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_STRINGS = json.JSONDecoder()


@dataclass(slots=True)
class Node:
    """A value with its place in the text. `end` is the offset after its last character."""

    start: int
    end: int
    value: Json
    members: "list[Member] | None" = None
    items: "list[Node] | None" = None
    last: "Mapping[str, Member]" = field(default_factory=lambda: _NO_MEMBERS)
    """The member that counts for each key: the last one of that name."""


@dataclass(slots=True)
class Member:
    """A key of an object and its value; `comma` is the offset of the comma behind it, if there is one."""

    key: str
    start: int
    node: Node
    comma: int | None = None
    key_end: int = 0


_NO_MEMBERS: Mapping[str, Member] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text as editors count: from 0, columns in UTF-16 units, without the byte order mark."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Document:
    """A parsed text. `root` is None where there is nothing but space and comments; that reads as no settings."""

    text: str
    root: Node | None
    repeated: tuple[int, ...] = ()
    """Where a key stands that its object has already."""

    @property
    def value(self) -> Json:
        return {} if self.root is None else self.root.value

    def find(self, *path: str | int) -> Node | None:
        """The value at the end of the path, or None."""
        node = self.root
        for step in path:
            if node is None:
                return None
            node = below(node, step)
        return node

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, offset: int) -> int:
        return self.place(offset)[0]

    def span(self, start: int, end: int) -> Span:
        """Where an editor shows what stands from one offset to the other."""
        return Span(*self._as_editors_count(start), *self._as_editors_count(end))

    def _as_editors_count(self, offset: int) -> tuple[int, int]:
        line, column = self.place(offset)
        before = self.text[offset - column + 1 : offset]
        if line == 1:
            before = before.removeprefix(BYTE_ORDER_MARK)
        return line - 1, len(before) if before.isascii() else len(before.encode("utf-16-le", "surrogatepass")) // 2

    @cached_property
    def _line_starts(self) -> list[int]:
        # Lines end as editors end them: at \n, \r and \r\n.
        ends = [0, *accumulate(map(len, StringIO(self.text, newline="")))]
        return ends if self.text.endswith(("\n", "\r")) or len(ends) == 1 else ends[:-1]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A stretch of a text. Its span is worked out when someone wants to show it: few of many places are shown."""

    document: Document
    start: int
    end: int

    @property
    def span(self) -> Span:
        return self.document.span(self.start, self.end)


def below(node: Node, step: str | int) -> Node | None:
    """The value of a key, or an item of a list."""
    if isinstance(step, str):
        member = node.last.get(step)
        return member.node if member else None
    items = node.items or []
    return items[step] if 0 <= step < len(items) else None


def parse(text: str) -> Document:
    """The text with its values and their places, or a JsonFault. Time and memory are bounded by the text's length."""
    if len(text) > MAX_LENGTH:
        raise JsonFault(f"the text is longer than {MAX_LENGTH} characters, too long for settings")
    return _Parser(text).document()


def skip_trivia(text: str, position: int, fail: Callable[[str, int], JsonFault]) -> int:
    """The offset of the next character that is neither space nor part of a comment."""
    found = _TRIVIA.match(text, position)
    position = found.end() if found else position
    if text.startswith("/*", position):
        raise fail("this comment never ends; close it with */", position)
    return position


class _Parser:
    """One pass from left to right; each method starts at `position` and leaves it behind what it read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 1 if text.startswith(BYTE_ORDER_MARK) else 0
        self.values = 0
        self.repeated: list[int] = []

    def document(self) -> Document:
        root = None if self._next() == "" else self._value(0)
        if self._next() != "":
            raise self._fault("there is something behind the end of the settings")
        return Document(self.text, root, tuple(self.repeated))

    def _value(self, depth: int) -> Node:
        self.values += 1
        if self.values > MAX_VALUES:
            raise self._fault(f"there are more than {MAX_VALUES} values, too many for settings")
        if depth > MAX_DEPTH:
            raise self._fault(f"this is nested more than {MAX_DEPTH} levels deep")
        start = self.position
        opening = self.text[start : start + 1]
        if opening == "{":
            return self._object(start, depth)
        if opening == "[":
            return self._array(start, depth)
        value = self._string() if opening == '"' else self._number_or_word()
        return Node(start, self.position, value)

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        last: dict[str, Member] = {}
        self.position += 1
        while self._next() != "}":
            if members and members[-1].comma is None:
                raise self._fault("a comma or a closing } belongs here")
            member = self._member(depth)
            if member.key in last:
                self.repeated.append(member.start)
            last[member.key] = member
            members.append(member)
            if self._next() == ",":
                member.comma = self.position
                self.position += 1
        self.position += 1
        value = {key: member.node.value for key, member in last.items()}
        return Node(start, self.position, value, members=members, last=last)

    def _member(self, depth: int) -> Member:
        start = self.position
        if self.text[start : start + 1] != '"':
            raise self._fault("a name in double quotes belongs here")
        key, key_end = self._string(), self.position
        if self._next() != ":":
            raise self._fault("a colon belongs here")
        self.position += 1
        self._next()
        return Member(key, start, self._value(depth + 1), key_end=key_end)

    def _array(self, start: int, depth: int) -> Node:
        items: list[Node] = []
        self.position += 1
        comma = True
        while self._next() != "]":
            if not comma:
                raise self._fault("a comma or a closing ] belongs here")
            items.append(self._value(depth + 1))
            comma = self._next() == ","
            self.position += comma
        self.position += 1
        return Node(start, self.position, [item.value for item in items], items=items)

    def _string(self) -> str:
        try:
            value, self.position = _STRINGS.raw_decode(self.text, self.position)
        except json.JSONDecodeError as fault:
            raise self._fault(f"this text in quotes is broken ({fault.msg})", fault.pos) from None
        return str(value)

    def _number_or_word(self) -> Json:
        for word, value in _WORDS.items():
            if self.text.startswith(word, self.position):
                self.position += len(word)
                return value
        found = _NUMBER.match(self.text, self.position)
        if not found:
            raise self._fault("the text ends too early" if self._at_end() else "a value belongs here")
        self.position = found.end()
        is_whole = found[1] is None and found[2] is None and len(found[0]) <= MAX_WHOLE_DIGITS
        return int(found[0]) if is_whole else float(found[0])

    def _next(self) -> str:
        """The next character that means something, or nothing at the end."""
        here = self.text[self.position : self.position + 1]
        if here in _NEVER_TRIVIA:
            return here
        self.position = skip_trivia(self.text, self.position, self._fault)
        return self.text[self.position : self.position + 1]

    def _at_end(self) -> bool:
        return self.position >= len(self.text)

    def _fault(self, reason: str, offset: int | None = None) -> JsonFault:
        offset = self.position if offset is None else offset
        return JsonFault(reason, *Document(self.text, None).place(offset), offset)
