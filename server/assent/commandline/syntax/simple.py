"""Simple commands: assignments, words and redirections; and functions, which begin like one."""

import re

from assent.commandline.syntax.cursor import CONTINUATION
from assent.commandline.syntax.redirects import plain
from assent.commandline.syntax.tokens import RESERVED, TokenReader
from assent.commandline.syntax.tree import Assignment, Command, Function, Redirect, Simple, Text, Word
from assent.commandline.syntax.words import WORD_ENDS

_ALL_OUTPUT = re.compile(r"&(?:\\\n)*+>")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)(\+?=|\[)")
_SIGN = re.compile(r"\+?=")
_VALUE_AHEAD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+(?:\+?=|\[)")
_DESCRIPTOR = re.compile(r"[0-9]{1,4}|\{[A-Za-z_][A-Za-z0-9_]*\}")
_FUNCTION_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PARENS = re.compile(r"[ \t]*+\([ \t]*+\)")
_BODIES = frozenset(("{", "if", "while", "until", "for", "case", "[["))
_SPECIAL = frozenset(
    (
        *(":", ".", "break", "continue", "eval", "exec", "exit", "export"),
        *("readonly", "return", "set", "shift", "times", "trap", "unset"),
    )
)
"""Builtins whose names no function may have in a plain sh."""


class SimpleReader(TokenReader):
    """Reads simple commands and functions."""

    __slots__ = ("_closes", "_end")

    def __init__(self, text: str, *, posix: bool = False) -> None:
        super().__init__(text, posix=posix)
        self._end = 0
        """Where the last command ended, without the blanks behind it."""
        self._closes = False
        """Whether it ended with a reserved word or a parenthesis, so that another reserved word may follow at once."""

    def compound(self, reserved: str) -> Command:
        """Reads a compound command that begins with this reserved word, or with a parenthesis."""
        raise NotImplementedError

    def redirects(self) -> tuple[Redirect, ...]:
        """Reads the redirections behind a compound command, and so ends it."""
        found: list[Redirect] = []
        self._end = self.at
        self._closes = True
        while True:
            self.blanks()
            start = self.at
            descriptor = ""
            match = _DESCRIPTOR.match(self.text, start)
            if match is not None and self.text[match.end() : match.end() + 1] in ("<", ">"):
                descriptor = self._descriptor(match[0])
                self.at = match.end()
            if not self._at_redirect():
                return tuple(found)
            found.append(self.redirect(descriptor, start))
            self._end = self.at
            self._closes = False

    def _at_redirect(self) -> bool:
        character = self.peek()
        if character == "&":
            return _ALL_OUTPUT.match(self.text, self.at) is not None
        return character in ("<", ">")

    def _descriptor(self, written: str) -> str:
        if written[0] == "{":
            self.only_bash("{name}>")
            return written[1:-1]
        return written

    def _simple(self) -> Command:
        start = self.at
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            began = self.at
            character = self.peek()
            if not character or character in "\n;|)" or (character == "&" and not self._at_redirect()):
                break
            if character in "<>&" and self.text[began + 1 : began + 2] != "(":
                redirects.append(self.redirect("", began))
            elif not words and (assignment := self._assignment()) is not None:
                assignments.append(assignment)
            else:
                word = self.word()
                if self.peek() in ("<", ">") and (descriptor := self._as_descriptor(began)):
                    redirects.append(self.redirect(descriptor, began))
                elif words:
                    words.append(word)
                else:
                    if self._at_parenthesis():
                        return self._function(word, alone=not assignments and not redirects)
                    self._refuse_odd_first(word, began, behind_values=bool(assignments))
                    words.append(word)
            self._end = self.at
            self.blanks()
        if self.at == start:
            self.fail("a command is missing")
        self._closes = False
        return Simple(tuple(assignments), tuple(words), tuple(redirects), *self.place(start, self._end))

    def _as_descriptor(self, began: int) -> str:
        """The word that was just read, as what stands before a redirection; "" where it is a word of its own."""
        raw = self.text[began : self.at].replace(CONTINUATION, "")
        if _DESCRIPTOR.fullmatch(raw):
            return self._descriptor(raw)
        if raw.isdigit() or (raw[0] == "{" and "[" in raw):
            self.fail("this before a redirection is not read", began)
        return ""

    def _refuse_odd_first(self, word: Word, began: int, *, behind_values: bool) -> None:
        """What looks like a reserved word or an assignment here was not recognised as one, for an odd reason."""
        text = plain(word)
        if text in RESERVED and not (text == "time" and behind_values):
            self.fail("a reserved word stands where it is none", began)
        first = word.pieces[0] if word.pieces else None
        if isinstance(first, Text) and not first.quoted and _VALUE_AHEAD.match(first.text):
            self.fail("a line goes on in the middle of a variable's name", began)

    def _assignment(self) -> Assignment | None:
        start = self.at
        found = _ASSIGNMENT.match(self.text, start)
        if found is None:
            return None
        name, sign = found.groups()
        index = None
        if sign == "[":
            self.at = found.end() - 1
            index = self.index()
            follows = _SIGN.match(self.text, self.at)
            if follows is None:
                self.fail("[ directly behind a command's name is not read", start)
            sign, self.at = follows[0], follows.end()
        else:
            self.at = found.end()
        if sign == "+=":
            self.only_bash("+=")
        value = self._array() if index is None and self.peek() == "(" else self.word(braces=False, attached=True)
        return Assignment(name, value, *self.place(start, self.at), sign == "+=", index)

    def _array(self) -> tuple[Word, ...]:
        self.only_bash("an array")
        start = self.at
        self.at += 1
        words: list[Word] = []
        while True:
            self.blanks()
            character = self.peek()
            if character == ")":
                break
            if character == "\n" and not self.pending and not self.waits_outside:
                self.at += 1
                continue
            if not character or character in "[\n":
                self.fail("this list of values is not read", start)
            words.append(self.word())
        self.at += 1
        if self.peek() not in WORD_ENDS:
            self.fail("text directly behind a list of values is not read")
        return tuple(words)

    def _at_parenthesis(self) -> bool:
        self._end = self.at
        character = self.peek()
        if character == "(":
            return True
        if character not in ("", " ", "\t", "\\"):
            return False
        self.blanks()
        if self.peek() == "(":
            return True
        self.at = self._end
        return False

    def _function(self, word: Word, *, alone: bool) -> Function:
        """Reads `name() …` from its parentheses on."""
        name = plain(word)
        found = _PARENS.match(self.text, self.at)
        if name is None or found is None or not alone:
            self.fail("a parenthesis cannot stand here")
        self.at = found.end()
        return self.function(name, word.start)

    def function(self, name: str, start: int) -> Function:
        """Reads the body of this function; `start` is a place in the whole text."""
        if not _FUNCTION_NAME.fullmatch(name) or name in RESERVED:
            self.fail("this name of a function is not read")
        if not _IDENTIFIER.fullmatch(name) or name in _SPECIAL:
            self.only_bash("such a function's name")
        self.newlines()
        word = "(" if self.peek() == "(" else self.reserved()
        if word != "(" and word not in _BODIES:
            self.fail("the body of a function is missing")
        body = self.compound(word)
        return Function(name, body, start, self.place(self._end, self._end)[1])
