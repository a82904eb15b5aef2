"""A place in a text, and what all who read on from there share: blanks, faults, depth and positions."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, Self

from assent.commandline.syntax.tree import NotUnderstood, Piece, Redirect, Sequence, Text, Word
from assent.lazy_dataclasses import dataclass

MAX_DEPTH = 40
"""How deep constructs may stand in each other. Each costs a dozen frames of the interpreter's stack."""

BLANKS = re.compile(r"(?:[ \t]|\\\n)*+(?:#[^\n]*+)?")
CONTINUATION = "\\\n"
NEVER_TEXT = re.compile("[\\x00\\x01\\x7f\\ud800-\\udfff]")
"""NUL ends a text, bash uses two characters as marks of its own, and half a surrogate is no character."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """A here-document whose body stands below the line that is being read."""

    redirect: Redirect
    delimiter: str
    expands: bool
    strips_tabs: bool


class Cursor:
    """Where reading has come to, in a text that may itself be a piece of another."""

    __slots__ = (
        *("_base", "_span", "at", "count", "depth", "inside", "literal_quotes"),
        *("mixed", "pending", "posix", "text", "waits_outside"),
    )

    def __init__(self, text: str, *, posix: bool = False) -> None:
        self.text = text
        self.at = 0
        self.posix = posix
        self.depth = 0
        self.count = 0
        """How many commands were read."""
        self.inside = 0
        """How many `$(` stand open around this place, in this same text."""
        self.literal_quotes = False
        """Whether this is a sum or a here-document, where quotes are no quotes, but can be some again in `${ }`."""
        self.mixed = False
        """Whether this word has quotes in quotes. Looking for braces, bash takes the inner for the end of the outer."""
        self.pending: list[Awaited] = []
        self.waits_outside = False
        """Whether a here-document is awaited by the line around the substitution that is being read."""
        self._base = 0
        self._span: tuple[int, int] | None = None

    def child(self, text: str, start: int, end: int, *, verbatim: bool) -> Self:
        """A cursor for a text that was taken out of this one. Unless `verbatim`, its nodes all have its place."""
        other = type(self)(text, posix=self.posix)
        other.depth = self.depth
        if self._span is not None or not verbatim:
            other._span = self.place(start, end)
        else:
            other._base = self._base + start
        return other

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The slice of the whole text that these positions stand for."""
        if self._span is not None:
            return self._span
        return self._base + start, self._base + end

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        """This is not read. Says why, and where."""
        where = min(self.at if at is None else at, len(self.text))
        raise NotUnderstood(reason, self.place(where, where)[0])

    def only_bash(self, construct: str) -> None:
        """Refuses what bash and a plain `sh` read differently, in a text for `sh`."""
        if self.posix:
            self.fail(f"{construct} means something else to a plain sh than to bash")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Counts a construct that others may stand in."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("the command is nested too deeply")
        yield
        self.depth -= 1

    def peek(self, length: int = 1) -> str:
        """The next characters; fewer where the text ends."""
        return self.text[self.at : self.at + length]

    def blanks(self) -> None:
        """Passes over blanks, and over a comment: only called where a new token may begin."""
        if self.text[self.at : self.at + 1] not in " \t\\#":
            return
        found = BLANKS.match(self.text, self.at)
        if found is not None:
            self.at = found.end()

    def word_of(self, pieces: tuple[Piece, ...], start: int, end: int) -> Word:
        """A word with its place in the whole text."""
        if self._span is not None:
            return Word(pieces, *self._span)
        return Word(pieces, self._base + start, self._base + end)

    # What stands in words and in commands can hold the other in turn.

    def dollar(self, pieces: list[Piece], *, quoted: bool) -> None:
        """Reads what begins with `$`. In quotes, `$'` and `$"` are nothing special."""
        raise NotImplementedError

    def backtick(self, pieces: list[Piece], *, quoted: bool, in_double: bool = False) -> None:
        """Reads a command between backticks."""
        raise NotImplementedError

    def single_quoted(self, pieces: list[Piece]) -> None:
        """Reads `'…'`."""
        raise NotImplementedError

    def double_quoted(self, pieces: list[Piece]) -> None:
        """Reads `"…"`."""
        raise NotImplementedError

    def parameter(self, *, quoted: bool) -> Piece:
        """Reads `${…}`."""
        raise NotImplementedError

    def word(self, *, braces: bool = True, attached: bool = False) -> Word:
        """Reads one word."""
        raise NotImplementedError

    def sequence(self) -> Sequence:
        """Reads commands up to whatever cannot be one."""
        raise NotImplementedError

    def everything(self) -> Sequence:
        """Reads commands up to the end of the text."""
        raise NotImplementedError

    def redirect(self, descriptor: str, start: int) -> Redirect:
        """Reads a redirection from its operator on."""
        raise NotImplementedError


def merged(pieces: list[Piece]) -> tuple[Piece, ...]:
    """The pieces, with neighbours that are plain text of the same kind made one; none for nothing but `''`.

    An empty quoted text stays where it stands between others: it keeps a tilde or a pattern from being one.
    """
    whole: list[Piece] = []
    run: list[str] = []
    quoted = False
    for piece in pieces:
        if isinstance(piece, Text):
            if run and piece.quoted is not quoted:
                whole.append(Text("".join(run), quoted))
                run = []
            quoted = piece.quoted
            run.append(piece.text)
            continue
        if run:
            whole.append(Text("".join(run), quoted))
            run = []
        whole.append(piece)
    if run:
        whole.append(Text("".join(run), quoted))
    if len(whole) == 1 and whole[0] in (Text("", True), Text("")):
        return ()
    return tuple(whole)
