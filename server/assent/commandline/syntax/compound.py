"""Compound commands: groups, conditions, loops, cases and functions by keyword."""

import re
from typing import TYPE_CHECKING

from assent.commandline.syntax.commands import CommandReader
from assent.commandline.syntax.fallthrough import arms_apart
from assent.commandline.syntax.tree import (
    Block,
    Case,
    Command,
    For,
    ForSum,
    Function,
    If,
    Sequence,
    Sum,
    Text,
    While,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)(?=[ \t\n;]|\\\n)")
_FUNCTION = re.compile(r"[ \t]++([^\x00-\x20;&|()<>'\"\\$`]++)(?:[ \t]*+\([ \t]*+\))?")
_ARM_ENDS = frozenset((";;", ";&", ";;&"))


class CompoundReader(CommandReader):
    """Reads compound commands."""

    __slots__ = ()

    def test(self, start: int) -> Command:
        """Reads `[[ … ]]` from behind its opening brackets on."""
        raise NotImplementedError

    def compound(self, reserved: str) -> Command:
        readers: dict[str, Callable[[int], Command]] = {
            "(": self._parenthesis,
            "{": self._group,
            "if": self._if,
            "while": self._while,
            "until": self._while,
            "for": self._for,
            "case": self._case,
            "[[": self.test,
        }
        reader = readers.get(reserved)
        if reader is None:
            self.fail(f"{reserved} stands where no command can begin")
        start = self.at
        self.at += len(reserved)
        with self.deeper():
            return reader(start)

    def _expect(self, word: str) -> None:
        self.blanks()
        if self.reserved() != word:
            self.fail(f"{word} is missing")
        self.at += len(word)

    def _list(self) -> Sequence:
        found = self.sequence()
        if not found.items:
            self.fail("a command is missing")
        return found

    def _place(self, start: int) -> tuple[int, int]:
        return self.place(start, self._end)

    def _parenthesis(self, start: int) -> Command:
        if self.peek() == "\\":
            self.fail("a line goes on in the middle of an operator")
        if self.peek() == "(":
            self.only_bash("((")
            self.at += 1
            pieces = self.sum_pieces(start)
            return Sum(pieces, self.redirects(), *self._place(start))
        body = self._list()
        if self.peek() != ")":
            self.fail("a parenthesis is not closed", start)
        self.at += 1
        return Block(body, True, self.redirects(), *self._place(start))

    def _group(self, start: int) -> Command:
        body = self._list()
        self._expect("}")
        return Block(body, False, self.redirects(), *self._place(start))

    def _if(self, start: int) -> Command:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise: Sequence | None = None
        while True:
            condition = self._list()
            self._expect("then")
            branches.append((condition, self._list()))
            if self.reserved() != "elif":
                break
            self.at += len("elif")
        if self.reserved() == "else":
            self.at += len("else")
            otherwise = self._list()
        self._expect("fi")
        return If(tuple(branches), otherwise, self.redirects(), *self._place(start))

    def _while(self, start: int) -> Command:
        condition = self._list()
        return While(condition, self._loop_body(), self.redirects(), *self._place(start))

    def _loop_body(self) -> Sequence:
        self._expect("do")
        body = self._list()
        self._expect("done")
        return body

    def _for(self, start: int) -> Command:
        self.blanks()
        if self.peek() == "(":
            return self._for_sum(start)
        found = _NAME.match(self.text, self.at)
        if found is None:
            self.fail("the name of a for loop is not read")
        self.at = found.end()
        words: tuple[Word, ...] | None = None
        if self.operator() == ";":
            self._separator()
        else:
            self.newlines()
            words = self._for_words() if self.reserved() == "in" else None
        return For(found[1], words, self._loop_body(), self.redirects(), *self._place(start))

    def _separator(self) -> None:
        if self.operator() == ";":
            self.pass_operator()
        elif self.operator() != "\n":
            self.fail("; or a line's end is missing")
        self.newlines()

    def _for_words(self) -> tuple[Word, ...]:
        self.at += len("in")
        words: list[Word] = []
        while self.operator() not in (";", "\n"):
            words.append(self.word())
        self._separator()
        return tuple(words)

    def _for_sum(self, start: int) -> Command:
        self.only_bash("for ((")
        if self.peek(2) != "((":
            self.fail("the name of a for loop is not read")
        self.at += 2
        pieces = self.sum_pieces(start)
        if sum(piece.text.count(";") for piece in pieces if isinstance(piece, Text)) != 2:
            self.fail("for (( does not hold three sums", start)
        if self.operator() in (";", "\n"):
            self._separator()
        return ForSum(pieces, self._loop_body(), self.redirects(), *self._place(start))

    def _case(self, start: int) -> Command:
        self.blanks()
        subject = self.word(braces=False)
        self.newlines()
        self._expect("in")
        self.newlines()
        arms: list[tuple[tuple[Word, ...], Sequence, str]] = []
        while self.reserved() != "esac":
            patterns, body = self._patterns(), self.sequence()
            ender = self.operator()
            if ender not in _ARM_ENDS:
                arms.append((patterns, body, ";;"))
                break
            if ender != ";;":
                self.only_bash(ender)
            arms.append((patterns, body, ender))
            self.pass_operator()
            self.newlines()
        self._expect("esac")
        redirects = self.redirects()
        place = self._place(start)
        apart = arms_apart(subject, arms, *place)
        if apart is None:
            self.fail("so many arms of a case that go on to the next are not read", start)
        return Case(subject, apart, redirects, *place)

    def _patterns(self) -> tuple[Word, ...]:
        if self.peek() == "(":
            self.at += 1
            self.blanks()
        words: list[Word] = []
        while True:
            if self.reserved() == "esac":
                self.fail("esac as a pattern is not read")
            words.append(self.word(braces=False))
            operator = self.operator()
            if operator not in ("|", ")"):
                self.fail("a pattern of a case is not closed")
            self.pass_operator()
            if operator == ")":
                return tuple(words)
            self.blanks()

    def function_keyword(self) -> Function:
        self.only_bash("function")
        start = self.at
        self.at += len("function")
        found = _FUNCTION.match(self.text, self.at)
        if found is None:
            self.fail("this function is not read")
        self.at = found.end()
        if self.peek() not in (" ", "\t", "\n", "(", "{"):
            self.fail("this function is not read")
        with self.deeper():
            return self.function(found[1], self.place(start, start)[0])
