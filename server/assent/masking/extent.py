"""How far a value reaches."""

import re

from assent.masking.marks import MARK

_QUOTES = re.compile(r"""(?<!\\)(\\*+)("{3}|'{3}|["'`])""")
_IDIOM = re.compile(r"""'(?:"'"'|\\'')""")
"""A shell's two ways to put a quote into quotes: the value goes on behind it."""
_TIGHT = re.compile(rf"""(?:{MARK.pattern}|[^\s"'`;&|<>(){{}}\[\],\\]|\\(?![nrtu"'`]))*+""")
_WIDE = re.compile(rf"""(?:{MARK.pattern}|[^\s"'`;&|\\]|\\(?![nrtu"'`]))*+""")
_LINE = re.compile(r"""(?:[^\r\n"'`\\]|\\(?![nr"'`]))*+""")
_WHOLE = re.compile(r"[^\s]*+(?=[ \t]*+(?:\n|\r|\Z))")
_REACH = 8192
"""A quotation that is not closed on its line may go on for so many characters."""


def quoted_end(text: str, start: int, opening: str) -> int:
    """Where the quotation that begins at `start` ends: before its closing quote, or with the line if it has none."""
    end = _once_quoted_end(text, start, opening)
    while opening == "'" and (idiom := _IDIOM.match(text, end)) is not None:
        end = _once_quoted_end(text, idiom.end(), opening)
    return end


def _once_quoted_end(text: str, start: int, opening: str) -> int:
    near = _closed(text, start, min(len(text), start + _REACH), opening)
    if near is not None:
        return near
    line = text.find("\n", start)
    line = len(text) if line < 0 else line
    far = _closed(text, start, line, opening)
    return line if far is None else far


def _closed(text: str, start: int, end: int, opening: str) -> int | None:
    """As many backslashes stand before the closing quote as before the opening one; others belong to the value."""
    quote = opening.lstrip("\\")
    depth = len(opening) - len(quote)
    for found in _QUOTES.finditer(text, start, end):
        if found[2].startswith(quote) and len(found[1]) % (2 * (depth + 1)) == depth:
            return found.start()
    return None


def unquoted_end(text: str, start: int, *, wide: bool) -> int:
    """Where a value without quotes ends. In a shell and in .env files it may hold what ends it elsewhere."""
    pattern = _WIDE if wide else _TIGHT
    found = pattern.match(text, start)
    return found.end() if found else start


def rest_of_line(text: str, start: int) -> int:
    """Where the line, or the quotation that it stands in, ends."""
    found = _LINE.match(text, start)
    return found.end() if found else start
