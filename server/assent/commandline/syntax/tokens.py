"""Operators, reserved words and line ends: what stands between words."""

import re

from assent.commandline.syntax.cursor import CONTINUATION
from assent.commandline.syntax.redirects import RedirectReader

RESERVED = frozenset(
    (
        *("if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "in"),
        *("function", "time", "{", "}", "!", "[[", "]]", "coproc"),
    )
)
_RESERVED_WORD = re.compile(
    r"(if|then|else|elif|fi|case|esac|for|select|while|until|done|do|in|function|time|\{|\}|!|\[\[|\]\]|coproc)"
    r"(?=[ \t\n;&|()]|[<>](?![(\\])|\Z)"
)
_ON = r"(?:\\\n)*+"
_OPERATOR = re.compile(rf";{_ON};{_ON}&|;{_ON};|;{_ON}&|;|&{_ON}&|&|\|{_ON}\||\|{_ON}&|\||\)|\n")


class TokenReader(RedirectReader):
    """Reads what stands between words."""

    __slots__ = ("_operator_end",)

    def __init__(self, text: str, *, posix: bool = False) -> None:
        super().__init__(text, posix=posix)
        self._operator_end = 0

    def operator(self) -> str:
        """The operator that stands here, without passing over it; "" where there is none."""
        self.blanks()
        found = _OPERATOR.match(self.text, self.at)
        if found is None:
            return ""
        self._operator_end = found.end()
        operator = found[0]
        return operator.replace(CONTINUATION, "") if len(operator) > 2 else operator

    def pass_operator(self) -> None:
        """Passes over the operator that was just seen here."""
        self.at = self._operator_end

    def newlines(self) -> None:
        """Passes over blanks, comments and line ends."""
        self.blanks()
        while self.peek() == "\n":
            self.line_end()
            self.blanks()

    def reserved(self) -> str:
        """The reserved word that stands here, where one may stand; "" where there is none."""
        found = _RESERVED_WORD.match(self.text, self.at)
        return found[0] if found is not None else ""
