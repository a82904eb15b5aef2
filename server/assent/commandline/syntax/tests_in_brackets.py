"""`[[ … ]]`: its own small grammar of operators, words and patterns."""

import re

from assent.commandline.syntax.compound import CompoundReader
from assent.commandline.syntax.redirects import plain
from assent.commandline.syntax.tree import Test, Text, Word

_UNARY = re.compile("-[abcdefghknoprstuvwxzGLOSNR]")
_BINARY = frozenset(("=", "==", "!=", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
_JOINTS = ("&&", "||")


class BracketReader(CompoundReader):
    """Reads `[[ … ]]`."""

    __slots__ = ()

    def test(self, start: int) -> Test:
        self.only_bash("[[")
        words: list[Word] = []
        self._expression(words)
        if self.reserved() != "]]":
            self.fail("[[ is not closed", start)
        self.at += 2
        return Test(tuple(words), self.redirects(), *self._place(start))

    def _lines(self) -> None:
        self.blanks()
        if self.peek() == "\n" and (self.pending or self.waits_outside):
            self.fail("a here-document before a line's end in [[ is not read")
        self.newlines()

    def _expression(self, words: list[Word]) -> None:
        while True:
            self._term(words)
            self._lines()
            if self.peek(2) not in _JOINTS:
                return
            self._take(words, 2)

    def _take(self, words: list[Word], length: int) -> None:
        words.append(self.word_of((Text(self.peek(length)),), self.at, self.at + length))
        self.at += length

    def _term(self, words: list[Word]) -> None:
        self._lines()
        while self.reserved() == "!":
            self._take(words, 1)
            self._lines()
        if self.peek() == "(":
            with self.deeper():
                self._take(words, 1)
                self._expression(words)
                if self.peek() != ")":
                    self.fail("a parenthesis is not closed")
                self._take(words, 1)
            return
        first = self._operand(words)
        text = plain(first) or ""
        if _UNARY.fullmatch(text):
            self._operand(words)
        else:
            self._comparison(words)

    def _operand(self, words: list[Word]) -> Word:
        self.blanks()
        if self.reserved() == "]]":
            self.fail("a word is missing in [[")
        words.append(self.word(braces=False))
        if self.peek() == "(":
            self.fail("a parenthesis directly behind a word is not read")
        return words[-1]

    def _comparison(self, words: list[Word]) -> None:
        self.blanks()
        character = self.peek()
        if character in ("<", ">"):
            if self.peek(2) in ("<(", ">(") or self.peek(2)[1:] in ("<", ">", "&", "\\", "|"):
                self.fail("this operator in [[ is not read")
            self._take(words, 1)
            self._operand(words)
            return
        if character == "\n":
            self.fail("a line's end behind a single word in [[ is not read")
        if not character or character in "&|)" or self.reserved() == "]]":
            return
        operator = plain(self._operand(words))
        if operator == "=~":
            self.blanks()
            words.append(self.pattern())
        elif operator in _BINARY:
            self._operand(words)
        else:
            self.fail("this operator in [[ is not read")
