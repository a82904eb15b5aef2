"""What stands where a secret stood: a mark that says of what kind it was, and nothing of the secret itself."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

SHORT, LONG = 16, 128
"""Fewer characters than this, or so many and more, are told; what lies between is what most tokens have."""

MARK = re.compile(r"\[masked: [A-Za-z0-9][A-Za-z0-9 /.()-]{0,48}(?:, short|, long)?\]")


class Span(NamedTuple):
    """A stretch of a text that must not be shown."""

    start: int
    end: int
    kind: str
    certain: bool = True
    """The stretch says by itself what it is; otherwise only its surroundings do."""


def mark(kind: str, length: int) -> str:
    """The mark for a secret of this kind and length."""
    size = ", short" if length < SHORT else ", long" if length >= LONG else ""
    return f"[masked: {kind}{size}]"


def replace(text: str, spans: Iterable[Span], *, keep_lines: bool = False) -> tuple[str, int]:
    """The text with a mark for each stretch, and their number; those that overlap become one, marks stay whole.

    With `keep_lines`, line ends of a stretch follow its mark, so that every line after it has the number that it had.
    """
    united = _united([*spans], [(found.start(), found.end()) for found in MARK.finditer(text)])
    parts: list[str] = []
    at = 0
    for span in united:
        ends = "\n" * text.count("\n", span.start, span.end) if keep_lines else ""
        parts += text[at : span.start], mark(span.kind, span.end - span.start), ends
        at = span.end
    return "".join([*parts, text[at:]]), len(united)


def _united(spans: list[Span], marks: list[tuple[int, int]]) -> list[Span]:
    """Sorted, disjoint stretches. One that reaches into a mark takes it in; one that lies inside of it is none."""
    events = sorted([*spans, *(Span(start, end, "") for start, end in marks)], key=lambda span: (span.start, -span.end))
    united: list[Span] = []
    for span in events:
        if united and span.start < united[-1].end:
            united[-1] = _joined(united[-1], span)
        elif span.end > span.start:
            united.append(span)
    return [span for span in united if span.kind]


def _joined(one: Span, other: Span) -> Span:
    end = max(one.end, other.end)
    if not one.kind and other.end <= one.end:
        return one
    named = [span for span in (one, other) if span.kind]
    best = next((span for span in named if span.certain), named[0])
    return Span(one.start, end, best.kind, best.certain)


def stray_mark(new: str, old: str) -> str | None:
    """A mark that stands in a new text more often than in the old one: it would be written where a secret is."""
    if "[masked: " not in new:
        return None
    found = Counter(MARK.findall(new)) - Counter(MARK.findall(old))
    return next(iter(found), None)


def holds_mark(value: object) -> bool:
    """Whether any text in this JSON holds a mark."""
    if isinstance(value, str):
        return "[masked: " in value and MARK.search(value) is not None
    if isinstance(value, Mapping):
        return any(holds_mark(key) or holds_mark(item) for key, item in value.items())
    return isinstance(value, (list, tuple)) and any(map(holds_mark, value))
