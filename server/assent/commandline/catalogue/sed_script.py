"""The language of `sed`: which files a script reads and writes, and whether it runs anything."""

import re
from dataclasses import field

from assent.commandline.catalogue.changes import BRACKET
from assent.lazy_dataclasses import dataclass

_BRACKET = re.compile(BRACKET)
_LABEL = re.compile(r"[A-Za-z0-9_.-]*")
_NUMBER = re.compile(r"\d*")
_ADDRESS_NUMBER = re.compile(r"\d+(~\d+)?|\$|[+~]\d+")
_TEXT_BEGINS = re.compile(r"\\(\n|[ \t]*[A-Za-z0-9])")
_PLAIN_COMMANDS = "=dDFgGhHnNpPxz"
_WITH_NUMBER = "lLqQ"
_SUBSTITUTE_FLAGS = "iImMgp0123456789 \t"


class NotUnderstood(Exception):
    """What stands there is no script that is known in full."""


@dataclass(slots=True)
class SedScript:
    """What a script does beyond changing text."""

    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    runs: bool = False


def read_sed(text: str) -> SedScript:
    """Reads a script; raises NotUnderstood where it is not fully known what it does."""
    reader = _Reader(text)
    while reader.more():
        reader.command()
    if reader.depth:
        raise NotUnderstood("it has a { that is not closed")
    return reader.script


class _Reader:
    """Goes through the text once, as sed does when it compiles a script."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self.script = SedScript()

    def more(self) -> bool:
        """Skips what stands between commands."""
        while self.at < len(self.text) and self.text[self.at] in " \t\n;":
            self.at += 1
        return self.at < len(self.text)

    def command(self) -> None:
        """One command with its addresses."""
        self._addresses()
        letter = self._next()
        match letter:
            case "{":
                self.depth += 1
            case "}":
                self.depth -= 1
                if self.depth < 0:
                    raise NotUnderstood("it has a } too much")
                self._end()
            case "#":
                self._line()
            case ":" | "b" | "t" | "T" | "v":
                self._label()
            case "a" | "i" | "c":
                self._text_lines()
            case "r" | "R":
                self.script.reads.append(self._file())
            case "w" | "W":
                self.script.writes.append(self._file())
            case "e":
                self.script.runs = True
                self._line()
            case "s":
                self._substitute()
            case "y":
                delimiter = self._delimiter()
                self._until(delimiter)
                self._until(delimiter)
                self._end()
            case _ if letter in _PLAIN_COMMANDS:
                self._end()
            case _ if letter in _WITH_NUMBER:
                self._blanks()
                self._match(_NUMBER)
                self._end()
            case _:
                raise NotUnderstood(f"{letter!r} is no command")

    def _addresses(self) -> None:
        if self._address():
            self._blanks()
            if self._peek() == ",":
                self.at += 1
                self._blanks()
                if not self._address():
                    raise NotUnderstood("an address is missing")
        while self._peek() in ("!", " ", "\t"):
            self.at += 1

    def _address(self) -> bool:
        first = self._peek()
        if first == "/":
            self.at += 1
            self._regex("/")
        elif first == "\\":
            self.at += 1
            self._regex(self._delimiter())
        else:
            return bool(self._match(_ADDRESS_NUMBER))
        while self._peek() in ("I", "M"):
            self.at += 1
        return True

    def _substitute(self) -> None:
        delimiter = self._delimiter()
        self._regex(delimiter)
        self._until(delimiter)
        while self._peek():
            flag = self._peek()
            if flag in _SUBSTITUTE_FLAGS:
                self.at += 1
            elif flag == "e":
                self.script.runs = True
                self.at += 1
            elif flag == "w":
                self.at += 1
                self.script.writes.append(self._file())
                return
            else:
                break
        self._end()

    def _delimiter(self) -> str:
        delimiter = self._next()
        if not " " <= delimiter <= "~" or delimiter in "\\[":
            raise NotUnderstood("it is divided by a character that is not read the same way everywhere")
        return delimiter

    def _regex(self, delimiter: str) -> None:
        """A divider between brackets divides nothing. Versions that see one there find the bracket open, and stop."""
        while self._peek() != delimiter:
            if self._peek() == "[":
                if not self._match(_BRACKET):
                    raise NotUnderstood("where a bracket in a pattern ends is not clear")
            else:
                self._character()
        self.at += 1

    def _until(self, delimiter: str) -> None:
        while self._peek() != delimiter:
            self._character()
        self.at += 1

    def _character(self) -> None:
        character = self._next()
        if character == "\n":
            raise NotUnderstood("a pattern goes over the end of its line")
        if character == "\\":
            self._next()

    def _text_lines(self) -> None:
        """The text of a, i and c ends with the first line that has no backslash at its end."""
        self._blanks()
        if self._peek() == "\\" and not self._match(_TEXT_BEGINS):
            raise NotUnderstood("where its text begins is not clear")
        while self._peek() not in ("", "\n"):
            if self._next() == "\\" and self._peek():
                self.at += 1

    def _file(self) -> str:
        self._blanks()
        name = self._line()
        if not name:
            raise NotUnderstood("the name of a file is missing")
        return name

    def _label(self) -> None:
        self._blanks()
        self._match(_LABEL)
        self._end()

    def _end(self) -> None:
        self._blanks()
        if self._peek() not in ("", "\n", ";", "}", "#"):
            raise NotUnderstood(f"{self._peek()!r} stands after a command")

    def _line(self) -> str:
        start = self.at
        end = self.text.find("\n", start)
        self.at = len(self.text) if end < 0 else end
        return self.text[start : self.at]

    def _blanks(self) -> None:
        while self._peek() in (" ", "\t"):
            self.at += 1

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _next(self) -> str:
        if self.at >= len(self.text):
            raise NotUnderstood("it is cut off")
        self.at += 1
        return self.text[self.at - 1]
