"""How a settings text is laid out: indentation, line ends, objects on one line; a new entry is written alike."""

import json
import re

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.settings.faults import JsonFault
from assent.settings.jsonc import BREAKS, SPACE, Document, Node

DEFAULT_INDENT = "    "
_BREAK = re.compile(f"[{BREAKS}]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANKS = re.compile(r"[ \t]*")
_LINE_COMMENT = re.compile(f"//[^{BREAKS}]*")
_BLANK_REST = re.compile(r"[ \t]*(?=[\n\r])")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Style:
    """The layout that a new member of an object follows."""

    inline: bool
    eol: str
    unit: str
    base_indent: str
    member_indent: str

    def breaks_in(self, text: str) -> bool:
        return _BREAK.search(text) is not None


def style_of(document: Document, holder: Node | None, *, inline: bool) -> Style:
    """The layout of this object's members; of a new file where there is no object yet."""
    text = document.text
    found = _LINE_END.search(text)
    eol = found[0] if found else "\n"
    unit = _unit(document)
    if holder is None:
        return Style(inline, eol, unit, base_indent="", member_indent="")
    base = _indent_at(text, holder.start)
    first = holder.members[0] if holder.members else None
    member_indent = base + unit if first is None else _indent_at(text, first.start)
    return Style(inline, eol, unit, base, member_indent)


def _unit(document: Document) -> str:
    root = document.root
    if root is None or not root.members:
        return DEFAULT_INDENT
    first = root.members[0].start
    return _indent_at(document.text, first) or DEFAULT_INDENT


def _indent_at(text: str, offset: int) -> str:
    """The blanks at the start of the line on which this offset stands."""
    return _match(_BLANKS, text, _line_start(text, offset), offset)


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _match(pattern: re.Pattern[str], text: str, start: int, end: int | None = None) -> str:
    found = pattern.match(text, start, len(text) if end is None else end)
    return found[0] if found else ""


def is_inline(text: str, holder: Node, *, like_parent: bool) -> bool:
    """Whether the object's members share one line; an empty object does as the one around it."""
    if holder.members:
        return _BREAK.search(text, holder.start, holder.members[0].start) is None
    return like_parent and _BREAK.search(text, holder.start, holder.end) is None


def end_of_line_comments(text: str, offset: int) -> int:
    """The end of the comments that stand behind this offset on the same line, or the offset itself."""
    end = offset
    while True:
        start = end + len(_match(_BLANKS, text, end))
        if text.startswith("//", start):
            return start + len(_match(_LINE_COMMENT, text, start))
        closing = text.find("*/", start + 2) + 2 if text.startswith("/*", start) else 0
        if not closing or _BREAK.search(text, start, closing):
            return end
        end = closing


def last_comment_end(text: str, offset: int) -> int:
    """The end of the last comment in the empty space from this offset on, or the offset itself."""
    end = offset
    while True:
        start = offset + len(_match(SPACE, text, offset))
        if text.startswith("//", start):
            end = offset = start + len(_match(_LINE_COMMENT, text, start))
        elif text.startswith("/*", start):
            end = offset = text.index("*/", start + 2) + 2
        else:
            return end


def alone_on_line(text: str, start: int, end: int) -> tuple[int, int]:
    """What to cut with this stretch: its whole line where nothing else stands there, else the blanks on one side."""
    line_start = _line_start(text, start)
    before = text[line_start:start]
    rest = _BLANK_REST.match(text, end)
    if not before.strip(" \t") and rest and line_start:
        lead = 2 if text.startswith("\r\n", line_start - 2) and line_start >= 2 else 1
        return line_start - lead, rest.end()
    trimmed = before.rstrip(" \t")
    if trimmed not in {"", before}:
        return line_start + len(trimmed), end
    return start, end + len(_match(_BLANKS, text, end))


def write_key(key: str) -> str:
    """A name in quotes."""
    return _quotable(json.dumps(key, ensure_ascii=False))


def require_json(value: Json) -> None:
    """A JsonFault for what JSON cannot say: a number that is none, an object of Python."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as fault:
        raise JsonFault(f"the value cannot be written as JSON ({fault})") from None


def write_value(value: Json, style: Style) -> str:
    """A value as JSON text, over as many lines as its surroundings have."""
    if style.inline:
        return _quotable(json.dumps(value, ensure_ascii=False))
    written = json.dumps(value, ensure_ascii=False, indent=style.unit)
    return _quotable(written).replace("\n", style.eol + style.member_indent)


def _quotable(written: str) -> str:
    """Half of a surrogate pair has no UTF-8; as an escape it survives."""
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
