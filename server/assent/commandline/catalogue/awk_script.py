"""The language of `awk`: which files a program reads and writes, and whether it could start anything."""

import re
from dataclasses import field

from assent.commandline.catalogue.changes import BRACKET, listed
from assent.lazy_dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<blank>[ \t]+|\\\n|#[^\n]*)"
    r"|(?P<newline>\n)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<number>0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)"
    r'|(?P<string>"(?:[^"\\\n]|\\.|\\\n)*")'
    r"|(?P<mark>\*\*=|\|\||&&|>>|\|&|[-+*/%^<>=!]=|\+\+|--|\*\*|[-+*%^!<>|?:~$=(){}\[\];,@/])"
)
_REGEX = re.compile(rf"/(?:[^/\\\[\n]|\\[^\n]|{BRACKET})*/")
_BEFORE_REGEX = listed("( , { } ; ! ~ && || ? : = == != < <= > >= print printf return else do case") | {"\n"}
_BEFORE_DIVISION = listed(") ]")
_FORBIDDEN = {
    "system": "starts a program",
    "extension": "loads code",
    "ARGV": "chooses what it reads while it runs",
    "ARGC": "chooses what it reads while it runs",
    "SYMTAB": "sets variables by names that are not seen",
    "@": "loads code, or calls what is named only when it runs",
    "|": "sends text through another program",
    "|&": "sends text through another program",
}
_CHOOSES = frozenset({"ARGV", "ARGC", "SYMTAB"})
_CONTROLS = frozenset({"if", "while", "for", "switch"})
_ENDS_VALUE = frozenset({";", "}", ")", "\n", ""})
_CONTINUES = frozenset({",", "{", "&&", "||", "do", "else", "?", ":"})


class NotUnderstood(Exception):
    """What stands there is no program that is known in full."""


@dataclass(slots=True)
class AwkProgram:
    """What a program does beyond printing."""

    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    dangers: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    """Whole sentences."""
    starts: bool = False
    """It starts programs, or code that nobody sees."""


def read_awk(text: str) -> AwkProgram:
    """Reads a program; raises NotUnderstood where it is not fully known what it does."""
    words = _words(text)
    found = AwkProgram()
    for word in words:
        if word in _FORBIDDEN:
            found.dangers.append(_FORBIDDEN[word])
            found.starts = found.starts or word not in _CHOOSES
    _redirections(words, found)
    return found


def _words(text: str) -> list[str]:
    """The words, a string with its quotes, a pattern between slashes as `//`."""
    words: list[str] = []
    opened: list[str] = []
    """What stood before each parenthesis that is open."""
    closed = ""
    at = 0
    while at < len(text):
        if text[at] == "/" and _is_regex(words, closed):
            found = _REGEX.match(text, at)
            if found is None:
                raise NotUnderstood("a pattern is not closed")
            words.append("//")
            at = found.end()
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise NotUnderstood(f"{text[at]!r} is not understood")
        at = found.end()
        if found.group("blank"):
            continue
        word = found.group()
        if word == "(":
            opened.append(words[-1] if words else "")
        elif word == ")":
            if not opened:
                raise NotUnderstood("a parenthesis is closed that is not open")
            closed = opened.pop()
        words.append(word)
    if opened or words.count("{") != words.count("}"):
        raise NotUnderstood("something is not closed")
    return words


def _is_regex(words: list[str], closed: str) -> bool:
    """Whether a slash begins a pattern here, or divides; where that depends on the version, nothing is known."""
    last = words[-1] if words else ""
    if not last or last in _BEFORE_REGEX:
        return True
    if last in _BEFORE_DIVISION:
        if last == ")" and closed in _CONTROLS:
            raise NotUnderstood("a slash can be read in two ways")
        return False
    if last[0].isdigit() or last[0] == "." or ((last[0].isalpha() or last[0] == "_") and last not in _AMBIGUOUS):
        return False
    raise NotUnderstood("a slash can be read in two ways")


_AMBIGUOUS = listed("getline length in next nextfile exit break continue delete function func")


def _redirections(words: list[str], found: AwkProgram) -> None:
    """A > in a print, outside parentheses, names a file; so does a < after getline."""
    printing, depth, reading = False, 0, False
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in ("(", "["):
            depth += 1
        elif word in (")", "]"):
            depth -= 1
        elif word in ("print", "printf"):
            printing, depth = True, 0
        elif word in (";", "{", "}") or (word == "\n" and words[at - 1] not in _CONTINUES | {"\n"}):
            printing = reading = False
        elif word == "getline":
            reading = True
        elif word in (">", ">>") and printing and depth <= 0:
            _target(after, words[at + 2 : at + 3], found.writes, "writes", found)
        elif word == "<" and reading:
            reading = False
            _target(after, words[at + 2 : at + 3], found.reads, "reads", found)


def _target(word: str, following: list[str], names: list[str], verb: str, found: AwkProgram) -> None:
    end = following[0] if following else ""
    name = word[1:-1]
    if not word.startswith('"') or end not in _ENDS_VALUE or "\\" in name:
        found.unknown.append(f"Which file it {verb} is only known when it runs.")
    elif name.startswith("/inet"):
        found.dangers.append("talks to the network")
    elif name not in ("/dev/stdout", "/dev/stderr", "/dev/null", "-", "/dev/stdin"):
        names.append(name)
