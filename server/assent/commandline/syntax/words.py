"""Words: runs of plain characters, quotes, escapes and expansions without a blank between them."""

import re

from assent.commandline.syntax.braces import expanded
from assent.commandline.syntax.cursor import CONTINUATION, merged
from assent.commandline.syntax.parameters import ParameterReader
from assent.commandline.syntax.tree import NotUnderstood, Parameter, Piece, Text, Word

_PLAIN = re.compile(r"[^\x00-\x20;&|()<>'\"\\$`]++")
_PLAIN_IN_DOUBLE = re.compile(r"[^\"\\$`]++")
_PLAIN_IN_BODY = re.compile(r"[^\\$`]++")
_BRACE = re.compile(r"(?<!\$)\{|`[^`]*\{")
WORD_ENDS = frozenset(("", " ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">"))
_IN_REGEX_GROUP = " \t<>&;"


class WordReader(ParameterReader):
    """Reads words."""

    __slots__ = ()

    def word(self, *, braces: bool = True, attached: bool = False) -> Word:
        """Reads one word. `attached`: it goes on what stands before it, as a value does."""
        start = self.at
        found = _PLAIN.match(self.text, start)
        if found is None:
            if not attached and self.peek(2) in ("<(", ">("):
                return self._process_word()
            if not attached and self.peek() in WORD_ENDS:
                self.fail("a word is missing")
            return self._long_word(start, braces)
        end = found.end()
        if self.text[end : end + 1] not in WORD_ENDS:
            return self._long_word(start, braces)
        self.at = end
        if self.text[end : end + 1] in "<>":
            self._refuse_attached()
        plain = found[0]
        pieces: tuple[Piece, ...] = (Text(plain),)
        if braces and "{" in plain:
            pieces = self._braced(pieces, [], start)
        return self.word_of(pieces, start, end)

    def _process_word(self) -> Word:
        start = self.at
        piece = self.process()
        if self.peek() not in WORD_ENDS:
            self.fail("text directly behind <( ) is not read")
        self._refuse_attached()
        return self.word_of((piece,), start, self.at)

    def _refuse_attached(self) -> None:
        """Behind a word, `<(` would go on with it."""
        character = self.peek()
        if character and character in "<>" and self.text[self.at + 1 : self.at + 2] in ("(", "\\"):
            self.fail("<( ) directly behind other text is not read")

    def _long_word(self, start: int, braces: bool) -> Word:
        pieces: list[Piece] = []
        bare: list[Piece] = []
        self.mixed = False
        while True:
            found = _PLAIN.match(self.text, self.at)
            if found is not None:
                pieces.append(Text(found[0]))
                self.at = found.end()
            character = self.peek()
            if character in WORD_ENDS:
                break
            known = len(pieces)
            is_braced = self.peek(2) == "${"
            self._special(character, pieces)
            if character == "$" and not is_braced and isinstance(pieces[known], Parameter):
                bare.append(pieces[known])
        self._refuse_attached()
        if self.mixed and _BRACE.search(self.text, start, self.at):
            self.fail("quotes in quotes, with braces near them, are not read", start)
        whole = merged(pieces)
        if braces and any(isinstance(piece, Text) and not piece.quoted and "{" in piece.text for piece in whole):
            whole = self._braced(whole, bare, start)
        return self.word_of(whole, start, self.at)

    def _special(self, character: str, pieces: list[Piece]) -> None:
        if character == "'":
            self.single_quoted(pieces)
        elif character == '"':
            self.double_quoted(pieces)
        elif character == "$":
            self.dollar(pieces, quoted=False)
        elif character == "\\":
            self._escaped(pieces)
        elif character == "`":
            self.backtick(pieces, quoted=False)
        else:
            self.fail("a control character outside quotes is not read")

    def _escaped(self, pieces: list[Piece]) -> None:
        pair = self.peek(2)
        if len(pair) < 2:
            self.fail("a backslash stands at the very end")
        if pair != CONTINUATION:
            pieces.append(Text(pair[1], True))
        self.at += 2

    def _braced(self, pieces: tuple[Piece, ...], bare: list[Piece], start: int) -> tuple[Piece, ...]:
        try:
            found = expanded(pieces, bare, *self.place(start, self.at))
        except NotUnderstood as fault:
            self.fail(fault.reason, start)
        if found is not pieces:
            self.only_bash("{a,b}")
        return found

    def single_quoted(self, pieces: list[Piece]) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            self.fail("a quote is not closed")
        pieces.append(Text(self.text[self.at + 1 : end], True))
        self.at = end + 1

    def double_quoted(self, pieces: list[Piece]) -> None:
        start = self.at
        literal, self.literal_quotes = self.literal_quotes, False
        self.at += 1
        before = len(pieces)
        while True:
            found = _PLAIN_IN_DOUBLE.match(self.text, self.at)
            if found is not None:
                pieces.append(Text(found[0], True))
                self.at = found.end()
            character = self.peek()
            if character == '"':
                break
            if character == "$":
                self.dollar(pieces, quoted=True)
            elif character == "`":
                self.backtick(pieces, quoted=True, in_double=True)
            elif character:
                self._backslash_in_quotes(pieces, '$`"\\')
            else:
                self.fail("a quote is not closed", start)
        self.at += 1
        if len(pieces) == before:
            pieces.append(Text("", True))
        self.literal_quotes = literal

    def _backslash_in_quotes(self, pieces: list[Piece], escapable: str) -> None:
        pair = self.peek(2)
        if pair != CONTINUATION:
            pieces.append(Text(pair[1] if len(pair) == 2 and pair[1] in escapable else pair, True))
        self.at += 2

    def body(self) -> tuple[Piece, ...]:
        """Reads this whole text as that of a here-document which is expanded."""
        pieces: list[Piece] = []
        self.literal_quotes = True
        while True:
            found = _PLAIN_IN_BODY.match(self.text, self.at)
            if found is not None:
                pieces.append(Text(found[0], True))
                self.at = found.end()
            character = self.peek()
            if not character:
                return merged(pieces)
            if character == "$":
                self.dollar(pieces, quoted=True)
            elif character == "`":
                self.backtick(pieces, quoted=True)
            else:
                self._backslash_in_quotes(pieces, "$`\\")

    def pattern(self) -> Word:
        """Reads a regular expression behind `=~`, where `|` is no operator and `( )` may hold blanks."""
        start = self.at
        pieces: list[Piece] = []
        opened = 0
        while True:
            found = _PLAIN.match(self.text, self.at)
            if found is not None:
                pieces.append(Text(found[0]))
                self.at = found.end()
            character = self.peek()
            if character == "(" or (character == ")" and opened):
                opened += 1 if character == "(" else -1
            elif character != "|" and not (opened and character and character in _IN_REGEX_GROUP):
                if character in WORD_ENDS:
                    break
                self._special(character, pieces)
                continue
            pieces.append(Text(character))
            self.at += 1
        if opened or self.at == start:
            self.fail("the pattern behind =~ is not read")
        self._refuse_attached()
        return self.word_of(merged(pieces), start, self.at)
