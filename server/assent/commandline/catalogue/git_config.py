"""What a git configuration says that makes git start programs, or read further configuration.

The text is read the way git reads it, because what git sees and this does not would be run unseen.
"""

import re
from collections.abc import Iterator, Mapping

UNREADABLE = "a configuration that cannot be read"
_SPACE = " \t\n\r"
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "\\": "\\", '"': '"'}
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
_LETTERS = _NAME - frozenset("0123456789-")
_NO = frozenset({"false", "no", "off", "0", ""})
_FILES_OF_LINES = frozenset(
    {"core.attributesfile", "core.excludesfile", "fsck.skiplist", "mailmap.file", "blame.ignorerevsfile"}
)

_ALWAYS = re.compile(
    r"""core\.(hookspath|editor|sshcommand|gitproxy|askpass|alternaterefscommand|worktree)
    | sequence\.editor | gpg\.(.*\.)?(program|defaultkeycommand) | credential\.(.*\.)?helper
    | filter\..*\.(clean|smudge|process)
    | diff\.external | diff\..*\.(command|textconv)
    | merge\..*\.driver | (merge|diff|gui)tool\..*
    | include\.path | includeif\..* | extensions\.(worktreeconfig|partialclone)
    | remote\..*\.(uploadpack|receivepack|vcs|proxy|promisor) | http\.(.*\.)?proxy
    | uploadpack\.packobjectshook | interactive\.difffilter | init\.templatedir | gc\.recentobjectshook
    | web\.browser | browser\..* | man\..* | help\.browser | instaweb\..* | imap\.tunnel | sendemail\..*
    | trailer\..*\.(command|cmd) | tar\..*\.command | hook\..* | receive\..*hook.* | trace2\..*
    | lfs\.(customtransfer|extension)\..* | lfs\.(.*\.)?standalonetransferagent | alias\..*\.command""",
    re.VERBOSE | re.DOTALL,
)


class _Unreadable(Exception):
    """Git would not read it either."""


class _Reader:
    """Goes through a text, sign by sign."""

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix("\ufeff").replace("\r\n", "\n") + "\n"
        self._at = 0
        self._section = ""

    def entries(self) -> Iterator[tuple[str, str | None]]:
        """Every entry with its value; None where it has none, which git takes for true."""
        while self._at < len(self._text):
            sign = self._next()
            if sign in _SPACE:
                continue
            if sign in "#;":
                self._skip_line()
            elif sign == "[":
                self._section = self._heading()
            elif sign in _LETTERS:
                yield self._entry(sign)
            else:
                raise _Unreadable

    def _next(self) -> str:
        if self._at >= len(self._text):
            raise _Unreadable
        sign = self._text[self._at]
        self._at += 1
        return sign

    def _skip_line(self) -> None:
        self._at = self._text.index("\n", self._at) + 1

    def _heading(self) -> str:
        name = ""
        while (sign := self._next()) != "]":
            if sign in _SPACE:
                return f"{name}.{self._subsection(sign)}."
            if sign not in _NAME and sign != ".":
                raise _Unreadable
            name += sign.lower()
        return f"{name}."

    def _subsection(self, sign: str) -> str:
        while sign in " \t\r":
            sign = self._next()
        if sign != '"':
            raise _Unreadable
        name = ""
        while (sign := self._next()) != '"':
            sign = self._next() if sign == "\\" else sign
            if sign == "\n":
                raise _Unreadable
            name += sign
        if self._next() != "]":
            raise _Unreadable
        return name

    def _entry(self, first: str) -> tuple[str, str | None]:
        name = first.lower()
        while (sign := self._next()) in _NAME:
            name += sign.lower()
        while sign in " \t":
            sign = self._next()
        if sign == "\n":
            return self._section + name, None
        if sign != "=":
            raise _Unreadable
        return self._section + name, self._value()

    def _value(self) -> str:
        value, blanks, quoted = "", "", False
        while True:
            sign = self._next()
            if sign == "\n":
                if quoted:
                    raise _Unreadable
                return value
            if sign in _SPACE and not quoted:
                blanks += sign if value else ""
                continue
            if sign in "#;" and not quoted:
                self._skip_line()
                return value
            value, blanks = value + blanks, ""
            if sign == '"':
                quoted = not quoted
            elif sign == "\\":
                value += self._escaped()
            else:
                value += sign

    def _escaped(self) -> str:
        sign = self._next()
        if sign == "\n":
            return ""
        if sign not in _ESCAPES:
            raise _Unreadable
        return _ESCAPES[sign]


def running_entries(config_text: str) -> tuple[str, ...]:
    """The names of entries that can make git start a program, work elsewhere or read other configuration."""
    found: dict[str, None] = {}
    try:
        for name, value in _Reader(config_text).entries():
            if _runs(name, value):
                found[name] = None
    except _Unreadable:
        found[UNREADABLE] = None
    return tuple(found)


def aliases(config_text: str) -> Mapping[str, str]:
    """Verbs of the repository's own, with what they stand for."""
    found: dict[str, str] = {}
    try:
        for name, value in _Reader(config_text).entries():
            section, _, verb = name.partition(".")
            if section == "alias" and value is not None:
                found[verb] = value
    except _Unreadable:
        pass  # Git reads nothing of it either, and `running_entries` tells of it.
    return found


def hooks_folders(config_text: str) -> tuple[str, ...]:
    """Where hooks are looked for in place of the usual folder."""
    return tuple(value for _, value in _values(config_text, frozenset({"core.hookspath"})))


def named_files(config_text: str) -> tuple[tuple[str, str], ...]:
    """Entries that name a file of lines for git to read, each with that name."""
    return _values(config_text, _FILES_OF_LINES)


def _values(config_text: str, wanted: frozenset[str]) -> tuple[tuple[str, str], ...]:
    try:
        entries = list(_Reader(config_text).entries())
    except _Unreadable:
        return ()
    return tuple((name, value) for name, value in entries if name in wanted and value)


def _runs(name: str, value: str | None) -> bool:
    section, _, rest = name.partition(".")
    subsection, _, key = rest.rpartition(".")
    said = "true" if value is None else value
    match section:
        case "core" if rest == "fsmonitor":
            return said.lower() not in _NO
        case "core" if rest == "pager":
            return said not in ("", "cat")
        case "pager":
            return said.lower() not in _NO | {"cat"}
        case "alias" if said.startswith("!"):
            return True
        case "protocol" if key in ("", "allow"):
            return said.lower() != "never"
        case "url" if key in ("insteadof", "pushinsteadof"):
            return "::" in subsection
        case "remote" if key in ("url", "pushurl"):
            return "::" in said
        case "submodule" if key == "update":
            return said.startswith("!")
        case "submodule" if key == "url":
            return "::" in said
    return _ALWAYS.fullmatch(name) is not None
