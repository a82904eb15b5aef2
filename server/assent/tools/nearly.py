"""Where a text nearly is what was looked for. Lines are named, never quoted: to edit is not to read."""

import re
from collections.abc import Callable

MOST_NAMED = 5
LONGEST = 1_000_000
"""In longer texts it is not looked for: that would take several times their size in memory."""
_BLANKS = re.compile(r"[^\S\n]+")
_TO_DO = "Read the part that you mean, and copy it from there. Nothing was changed."


def nearly(text: str, wanted: str) -> str:
    """What is like it, and what to do, as sentences."""
    if len(text) > LONGEST:
        return _TO_DO
    for alike, words in _WAYS:
        lines = _lines(alike(text), alike(wanted).strip("\n"))
        if lines:
            return f"It would be in {_named(lines)}, {words}. {_TO_DO}"
    first = next((line.strip() for line in wanted.split("\n") if line.strip()), "")
    lines = _lines(text, first) if "\n" in wanted.strip() else []
    if lines:
        return f"Its first line is in {_named(lines)}, and what follows there is something else. {_TO_DO}"
    return _TO_DO


def _unblanked(text: str) -> str:
    return "\n".join(_BLANKS.sub(" ", line).strip() for line in text.split("\n"))


def _lowered(text: str) -> str:
    return text.lower()


_WAYS: tuple[tuple[Callable[[str], str], str], ...] = (
    (_unblanked, "but with other blanks or indentation"),
    (_lowered, "but with other capital and small letters"),
)


def _lines(text: str, wanted: str) -> list[int]:
    """The numbers of the first lines where it begins."""
    found: list[int] = []
    at = text.find(wanted) if wanted.strip() else -1
    while at >= 0 and len(found) <= MOST_NAMED:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(wanted, at + len(wanted))
    return found


def _named(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:MOST_NAMED]))
    more = " and more" if len(lines) > MOST_NAMED else ""
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}{more}"
