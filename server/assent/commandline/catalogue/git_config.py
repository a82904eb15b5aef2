"""The configuration of a git repository, as far as it makes git start programs or read more configuration."""

import re
from collections.abc import Iterator, Mapping

_SECTION = re.compile(r'\[[ \t]*([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?[ \t]*\]')
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=)?")
_NO = frozenset({"", "false", "no", "off", "0"})
_YES = frozenset({"true", "yes", "on", "1"})
NOT_UNDERSTOOD = "a line that is not understood"

_STARTS = re.compile(
    r"core\.(alternaterefscommand|askpass|editor|fsmonitor|gitproxy|hookspath|pager|sshcommand)"
    r"|alias\..+|browser\..+\.(cmd|path)|credential\.(.+\.)?helper|diff\.external|diff\..+\.(command|textconv)"
    r"|difftool\..+\.(cmd|path)|extensions\..+|filter\..+\.(clean|smudge|process)|gpg\.(.+\.)?(program|defaultkeycommand)"
    r"|guitool\..+\.cmd|help\.browser|hook\..+|http\.(.+\.)?proxy|include\.path|includeif\..+\.path"
    r"|instaweb\.(browser|httpd)|interactive\.difffilter|man\..+\.(cmd|path)|merge\..+\.driver"
    r"|mergetool\..+\.(cmd|path)|pager\..+|protocol\.(.+\.)?allow|receive\..*hook|remote\..+\.(uploadpack|receivepack|vcs|proxy)"
    r"|sendemail\..+|sequence\.editor|submodule\..+\.update|tar\..+\.command|trailer\..+\.(command|cmd)"
    r"|uploadpack\.packobjectshook|url\..+|web\.browser"
)
"""Names whose value is a program, the text of a command, or leads to more of those."""
_HARMLESS_EXTENSIONS = re.compile(
    r"extensions\.(objectformat|worktreeconfig|refstorage|partialclone|preciousobjects|noop)"
)
_SWITCHES = re.compile(r"core\.fsmonitor|pager\..+")
"""Names that may be a mere yes or no: then git does by itself what it does."""


def running_entries(config_text: str) -> tuple[str, ...]:
    """The names of all entries that make git start something, in lower case but for what stands in quotes."""
    found: dict[str, None] = {}
    for name, value in _entries(config_text):
        if name == NOT_UNDERSTOOD or _starts_something(name, value):
            found[name] = None
    return tuple(found)


def aliases(config_text: str) -> Mapping[str, str]:
    """The names that mean other git commands, with their meaning; of several, the last one counts."""
    found: dict[str, str] = {}
    for name, value in _entries(config_text):
        section, _, key = name.partition(".")
        if section == "alias" and key:
            found[key.removesuffix(".command")] = value or ""
    return found


def work_tree(config_text: str) -> str | None:
    """Where the files are that the repository keeps, if not where it is found."""
    values = [value for name, value in _entries(config_text) if name == "core.worktree"]
    return values[-1] if values else None


def _starts_something(name: str, value: str | None) -> bool:
    lowered = name.lower()
    if not _STARTS.fullmatch(lowered) or _HARMLESS_EXTENSIONS.fullmatch(lowered):
        return False
    plain = "true" if value is None else value.strip().lower()
    if _SWITCHES.fullmatch(lowered) and plain in _NO | _YES:
        return False
    return not (lowered.startswith("submodule.") and plain in {"checkout", "rebase", "merge", "none"})


def _entries(text: str) -> Iterator[tuple[str, str | None]]:
    """Name and value of every entry; None is a name without an equals sign."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    section, at = "", 0
    while at < len(text):
        char = text[at]
        if char.isspace():
            at += 1
        elif char in "#;":
            at = _line_end(text, at)
        elif found := _SECTION.match(text, at):
            inner = re.sub(r"\\(.)", r"\1", found[2]) if found[2] is not None else None
            section = found[1].lower() + (f".{inner}" if inner is not None else "")
            at = found.end()
        elif found := _NAME.match(text, at):
            value, at = _value(text, found.end()) if found[2] else (None, _line_end(text, found.end()))
            yield f"{section}.{found[1].lower()}", value
        else:
            yield NOT_UNDERSTOOD, None
            at = _line_end(text, at)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def _value(text: str, at: int) -> tuple[str, int]:
    """What stands after the equals sign: quotes taken off, lines joined, comments left out."""
    kept: list[str] = []
    quoted, solid = False, 0
    while at < len(text) and text[at] != "\n":
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            if text[at] != "\n":
                kept.append(_ESCAPES.get(text[at], text[at]))
                solid = len(kept)
        elif char == '"':
            quoted = not quoted
            solid = len(kept)
        elif char in "#;" and not quoted:
            at = _line_end(text, at)
            break
        elif not (char.isspace() and not quoted and not kept):
            kept.append(char)
            solid = len(kept) if quoted or not char.isspace() else solid
        at += 1
    return "".join(kept[:solid]), at
