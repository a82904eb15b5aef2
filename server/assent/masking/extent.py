"""How far a value reaches."""

import re

_QUOTES = re.compile(r"""(\\*+)("{3}|'{3}|["'`])""")
_TIGHT = re.compile(r"""(?:[^\s"'`;&|<>(){}\[\],\\]|\\(?![nrt"'`]))*+""")
_WIDE = re.compile(r"""(?:[^\s"'`;&|\\]|\\(?![nrt"'`]))*+""")
_LINE = re.compile(r"""(?:[^\r\n"'`\\]|\\(?![nr"'`]))*+""")
_WHOLE = re.compile(r"[^\s]*+(?=[ \t]*+(?:\n|\r|\Z))")
_REACH = 8192
"""A quotation that is not closed on its line may go on for so many characters."""


def quoted_end(text: str, start: int, opening: str) -> int:
    """Where the quotation that begins at `start` ends: before its closing quote, or with the line if it has none."""
    quote = opening.lstrip("\\")
    depth = len(opening) - len(quote)
    for found in _QUOTES.finditer(text, start, min(len(text), start + _reach(text, start))):
        slashes = len(found[1])
        if found[2].startswith(quote) and slashes % (2 * (depth + 1)) == depth:
            return _with_idiom(text, found.start(), found.end() - len(found[2]) + len(quote), quote)
    return _line_end(text, start)


def _reach(text: str, start: int) -> int:
    return max(_REACH, _line_end(text, start) - start)


def _with_idiom(text: str, end: int, after: int, quote: str) -> int:
    """A shell's way to put a quote into quotes: the value goes on behind it."""
    for idiom in ("\"'\"'", "\\''"):
        if quote == "'" and text.startswith(idiom, after):
            return quoted_end(text, after + len(idiom), "'")
    return end


def unquoted_end(text: str, start: int, *, wide: bool) -> int:
    """Where a value without quotes ends. In a shell and in .env files it may hold what ends it elsewhere."""
    pattern = _WIDE if wide else _TIGHT
    found = pattern.match(text, start)
    return found.end() if found else start


def rest_of_line(text: str, start: int) -> int:
    """Where the line, or the quotation that it stands in, ends."""
    found = _LINE.match(text, start)
    return found.end() if found else start


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
