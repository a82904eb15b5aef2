r"""Regular expressions that mean the same to every program that looks for them, written so that they do.

Only ASCII characters count as letters, digits and blanks in `\w`, `\d`, `\s`, `\b`, and where case is ignored. What
cannot be said in these terms is left to Python.
"""

import re
import string
from dataclasses import field

from assent.lazy_dataclasses import dataclass

MOST_REPEATS = 255
"""Larger numbers are counted out by some programs, which then refuse."""
MOST_NESTED = 50
_BLANK = r" \t\f\v"
_WORD = "0-9A-Za-z_"
_SETS = {"d": "0-9", "w": _WORD, "s": _BLANK}
_LINE_ENDS = r"\r\n"
_LITERAL = frozenset(string.punctuation) - frozenset("_")
_REPEATS = re.compile(r"[*+?]|\{([0-9]{1,4})(,([0-9]{0,4}))?\}")
_PLAIN_IN_SET = frozenset(string.ascii_letters + string.digits + " _./:;,+=<>@%!\"'`(){}?*|$#")


class _Other(Exception):
    """It says something that is not said alike everywhere."""


def common(pattern: str, *, ignore_case: bool) -> str | None:
    """The same pattern in words that mean the same everywhere, or None. It matches within a line."""
    try:
        return _Reader(pattern, ignore_case).whole()
    except _Other:
        return None


@dataclass(slots=True)
class _Reader:
    text: str
    ignore_case: bool
    at: int = 0
    depth: int = 0
    out: list[str] = field(default_factory=list)
    repeats: int = 1

    def whole(self) -> str:
        self.alternatives()
        if self.at < len(self.text):
            raise _Other
        return "".join(self.out)

    def alternatives(self) -> None:
        while self.at < len(self.text) and self.text[self.at] != ")":
            if self.text[self.at] == "|":
                self.out.append("|")
                self.at += 1
            elif self.piece():
                self.repeat()

    def piece(self) -> bool:
        """Takes one piece over; says whether it may be repeated."""
        char = self.text[self.at]
        self.at += 1
        match char:
            case "^" | "$":
                self.out.append("^" if char == "^" else r"(?:\r?$)")
                return False
            case ".":
                self.out.append(f"[^{_LINE_ENDS}]")
            case "(":
                self.group()
            case "[":
                self.out.append(self.set_of_characters())
            case "\\":
                return self.escaped()
            case "*" | "+" | "?" | "{" | "}" | "]":
                raise _Other
            case _:
                self.out.append(self.literal(char))
        return True

    def group(self) -> None:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise _Other
        if self.text.startswith("?:", self.at):
            self.at += 2
        elif self.text.startswith("?", self.at):
            raise _Other
        self.out.append("(?:")
        self.alternatives()
        if self.text[self.at : self.at + 1] != ")":
            raise _Other
        self.at += 1
        self.out.append(")")
        self.depth -= 1

    def repeat(self) -> None:
        found = _REPEATS.match(self.text, self.at)
        if found is None:
            return
        least, most = found[1], found[3]
        if least is not None:
            largest = max(int(least), int(most or 0))
            self.repeats *= max(largest, 1)
            if self.repeats > MOST_REPEATS or (most and int(most) < int(least)):
                raise _Other
        self.out.append(found[0])
        self.at = found.end()
        # Which of several ways is taken makes no difference to whether there is one.
        self.at += self.text.startswith("?", self.at)
        if _REPEATS.match(self.text, self.at):
            raise _Other

    def escaped(self) -> bool:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char in ("b", "B"):
            self.out.append(rf"(?-u:\{char})")
            return False
        if char == "t":
            self.out.append(r"\t")
        elif char in _SETS:
            self.out.append(f"[{_SETS[char]}]")
        elif char and char.lower() in _SETS:
            self.out.append(f"[^{_SETS[char.lower()]}{_LINE_ENDS}]")
        elif char in _LITERAL:
            self.out.append(re.escape(char))
        else:
            raise _Other
        return True

    def literal(self, char: str) -> str:
        if not char.isprintable() and char != "\t":
            raise _Other
        if not self.ignore_case:
            return _quoted(char)
        if not char.isascii():
            raise _Other
        return f"[{char.lower()}{char.upper()}]" if char.isalpha() else _quoted(char)

    def set_of_characters(self) -> str:
        negated = self.text.startswith("^", self.at)
        self.at += negated
        items: list[str] = []
        while not self.text.startswith("]", self.at) or not items:
            items.append(self.item_of_set())
        self.at += 1
        return f"[^{''.join(items)}{_LINE_ENDS}]" if negated else f"[{''.join(items)}]"

    def item_of_set(self) -> str:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char == "\\":
            return self.escaped_in_set()
        if char == "-" and (self.text.startswith("]", self.at) or self.text[self.at - 2] in "[^"):
            return r"\-"
        if char not in _PLAIN_IN_SET and (not char or char.isascii() or self.ignore_case or not char.isprintable()):
            raise _Other
        if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
            return self.range_from(char)
        return self.cased(char)

    def escaped_in_set(self) -> str:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
            raise _Other
        if char in _SETS:
            return _SETS[char]
        if char == "t":
            return r"\t"
        if char in _LITERAL:
            return _in_set(char)
        raise _Other

    def range_from(self, low: str) -> str:
        high = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        for letters in (string.ascii_lowercase, string.ascii_uppercase, string.digits):
            if low in letters and high and high in letters and low <= high:
                both = self.ignore_case and letters is not string.digits
                return f"{low}-{high}" + (f"{low.swapcase()}-{high.swapcase()}" if both else "")
        raise _Other

    def cased(self, char: str) -> str:
        return char.lower() + char.upper() if self.ignore_case and char.isalpha() else _in_set(char)


def for_python(pattern: str) -> str:
    """The common words in those of Python, where all of it is read with ASCII in mind."""
    return pattern.replace("(?-u:", "(?:")


def _quoted(char: str) -> str:
    return re.escape(char) if char in _LITERAL else char


def _in_set(char: str) -> str:
    return "\\" + char if char in r"\]^[-&~|#" else char
