"""`${…}` in all its forms."""

import re

from assent.commandline.syntax.cursor import CONTINUATION, merged
from assent.commandline.syntax.expansions import NAME, ExpansionReader
from assent.commandline.syntax.tree import Parameter, Piece, Text, Word

_HEAD = re.compile(rf"\$\{{(?:(#)(?=[A-Za-z0-9_@*])|(!)(?=[A-Za-z0-9_]))?({NAME}|[0-9]++|[@*#?$!-])")
_OPERATOR = re.compile(r"\}|:[-=?+]|[-=?+]|##?|%%?|/[/#%]?|\^\^?|,,?|@[UuLQEPAKak](?=\})|:")
_NAMES = re.compile(r"([*@])\}")
_INDEX_PLAIN = re.compile(r"[A-Za-z0-9_.:/%@*+,-]++")
_PLAIN_INDEX = re.compile(r"[A-Za-z0-9_.:/%@*+, -]*+")

_IN_WORD = re.compile(r"[^}'\"\\$`{<>\x00-\x08\x0b-\x1f]++")
_IN_SUM = re.compile(r"[^}'\"\\$`{<>\x00-\x1f]++")
_DEFAULTS = frozenset({":-", ":=", ":?", ":+", "-", "=", "?", "+"})
_PLAIN_SH = _DEFAULTS | {"", "#", "##", "%", "%%", "}"}


class ParameterReader(ExpansionReader):
    """Reads `${…}`."""

    __slots__ = ()

    def parameter(self, *, quoted: bool) -> Parameter:
        found = _HEAD.match(self.text, self.at)
        if found is None:
            self.fail("this ${ } is not read")
        length, indirect, name = found.groups()
        self.at = found.end()
        with self.deeper():
            index = self.index() if self.peek() == "[" else None
            if index is not None and not (name[0].isalpha() or name[0] == "_"):
                self.fail("this ${ } is not read")
            if length:
                self._close()
                return Parameter(name, "length", None, index, quoted)
            if indirect:
                return self._indirect(name, index, quoted)
            return self._operated(name, index, quoted)

    def _close(self) -> None:
        if self.peek() != "}":
            self.fail("this ${ } is not read")
        self.at += 1

    def _indirect(self, name: str, index: Word | None, quoted: bool) -> Parameter:
        self.only_bash("${!x}")
        names = _NAMES.match(self.text, self.at)
        if names is None or index is not None:
            self._close()
            return Parameter(name, "indirect", None, index, quoted)
        prefix = self.word_of((Text(names[1]),), self.at, self.at + 1)
        self.at = names.end()
        return Parameter(name, "indirect", prefix, None, quoted)

    def _operated(self, name: str, index: Word | None, quoted: bool) -> Parameter:
        found = _OPERATOR.match(self.text, self.at)
        if found is None:
            self.fail("this ${ } is not read")
        operator = found[0]
        self.at = found.end()
        if operator == "}":
            return Parameter(name, "", None, index, quoted)
        if name in "#?$!-":
            self.fail("this ${ } is not read")
        if operator not in _PLAIN_SH:
            self.only_bash("this form of ${ }")
        argument = None if operator[0] == "@" else self._argument(operator, quoted)
        self._close()
        return Parameter(name, operator, argument, index, quoted)

    def _argument(self, operator: str, quoted: bool) -> Word:
        """Reads up to the closing brace. What quotes mean in there depends on those around it."""
        start = self.at
        pieces: list[Piece] = []
        sums = operator == ":"
        literal = sums or (quoted and operator in _DEFAULTS)
        plain = _IN_SUM if sums else _IN_WORD
        while True:
            found = plain.match(self.text, self.at)
            if found is not None:
                pieces.append(Text(found[0], literal))
                self.at = found.end()
            character = self.peek()
            if character == "}":
                return self.word_of(merged(pieces), start, self.at)
            if character == "$":
                self.dollar(pieces, quoted=quoted or sums)
            elif character == "`":
                self.backtick(pieces, quoted=quoted or sums)
            elif character and character in "<>":
                self._angle(pieces, literal)
            elif character and character in "'\"\\" and not sums:
                self._quote_in_argument(character, pieces, operator, quoted)
            else:
                self.fail("${ is not closed" if not character else "this character in ${ } is not read")

    def _angle(self, pieces: list[Piece], literal: bool) -> None:
        if self.text[self.at + 1 : self.at + 2] in ("(", "\\"):
            self.fail("<( ) in ${ } is not read")
        pieces.append(Text(self.peek(), literal))
        self.at += 1

    def _quote_in_argument(self, character: str, pieces: list[Piece], operator: str, quoted: bool) -> None:
        pair = self.peek(2)
        if pair == CONTINUATION:
            self.at += 2
        elif not quoted:
            self._quote(character, pieces)
        elif self.posix or self.literal_quotes:
            self.fail("a quote in a quoted ${ } is not read here")
        elif operator in _DEFAULTS:
            self.mixed = self.mixed or character == '"'
            self._quote_in_default(character, pair, pieces)
        elif operator[0] in "#%":
            self.mixed = self.mixed or character != "\\"
            self._quote(character, pieces)
        else:
            self.fail("a quote in a quoted ${ } is not read here")

    def _quote(self, character: str, pieces: list[Piece]) -> None:
        if character == "'":
            self.single_quoted(pieces)
        elif character == '"':
            self.double_quoted(pieces)
        else:
            self._escape(pieces)

    def _escape(self, pieces: list[Piece]) -> None:
        pair = self.peek(2)
        if len(pair) < 2:
            self.fail("${ is not closed")
        pieces.append(Text(pair[1], True))
        self.at += 2

    def _quote_in_default(self, character: str, pair: str, pieces: list[Piece]) -> None:
        """In `"${x:-…}"` a backslash means what it does in double quotes, and closes no brace."""
        if character == '"':
            self.double_quoted(pieces)
        elif character == "\\" and len(pair) == 2 and pair[1] in '"\\$`}':
            self._escape(pieces)
        elif character == "\\" and len(pair) == 2 and pair[1].isalnum():
            pieces.append(Text(pair, True))
            self.at += 2
        else:
            self.fail("a quote in a quoted ${ } is not read here")

    def index(self) -> Word:
        """Reads `[…]`. Only what cannot be mistaken for anything else may stand in it."""
        self.only_bash("an array")
        self.at += 1
        start = self.at
        pieces: list[Piece] = []
        while True:
            found = _INDEX_PLAIN.match(self.text, self.at)
            if found is not None:
                pieces.append(Text(found[0]))
                self.at = found.end()
            character = self.peek()
            if character == "]" and self.at > start:
                self._refuse_living_quotes(pieces, start)
                self.at += 1
                return self.word_of(merged(pieces), start, self.at - 1)
            if character == "$":
                self.dollar(pieces, quoted=True)
            elif character == "'" and not self.literal_quotes:
                self.single_quoted(pieces)
            elif character == '"' and not self.literal_quotes:
                self.mixed = True
                self.double_quoted(pieces)
            else:
                self.fail("this index of an array is not read")

    def _refuse_living_quotes(self, pieces: list[Piece], start: int) -> None:
        """Quotes keep nothing from being expanded in the index of an ordinary array, not even single ones."""
        for piece in pieces:
            if isinstance(piece, Text) and not _PLAIN_INDEX.fullmatch(piece.text):
                self.fail("this index of an array is not read", start)
