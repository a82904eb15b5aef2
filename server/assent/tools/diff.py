"""A diff as a card shows it: every changed line, with a few unchanged ones around."""

from dataclasses import replace
from difflib import SequenceMatcher

from assent.lazy_dataclasses import dataclass
from assent.model.preview import DiffLine, LineKind

CONTEXT_LINES = 3
MATCHED_LINES = 4_000
"""Matching takes time with the square of the lines; beyond this many, old and new stand one after the other."""


COMPARED_CHARACTERS = 1_000_000
"""Longer texts are not compared line by line: their beginnings are shown, and how much more there is."""
SHOWN_LINES = 2_000
SHOWN_CHARACTERS = 64 * 1024
SHOWN_OLD_LINES = 500
SHOWN_OLD_CHARACTERS = 16 * 1024
SHOWN_OLD_WIDTH = 1_000


@dataclass(frozen=True, slots=True)
class Diff:
    """A diff within bounds. `whole` says that every line that would be written is in it, in full."""

    lines: tuple[DiffLine, ...]
    added: int
    removed: int
    whole: bool


def bounded_diff(old: str, new: str) -> Diff:
    """The difference between two texts, as much of it as a card can hold."""
    if len(old) + len(new) > COMPARED_CHARACTERS:
        return _beginnings(old, new)
    lines = diff_lines(old, new)
    shown, whole = _new_within_bounds(_old_within_bounds(lines))
    added = sum(line.kind is LineKind.ADDED for line in lines)
    return Diff(shown, added, sum(line.kind is LineKind.REMOVED for line in lines), whole)


def _beginnings(old: str, new: str) -> Diff:
    head_old = _removed(_lines(old[:SHOWN_CHARACTERS]), 0)
    head_new = _added(_lines(new[:SHOWN_CHARACTERS]), 0)
    added, removed = _count(new), _count(old)
    lines, whole = _new_within_bounds((*_old_within_bounds(tuple(head_old)), *head_new))
    note = _gap(f"these texts are too long to be compared: {removed} lines before, {added} lines after")
    return Diff((note, *lines), added, removed, whole and len(new) <= SHOWN_CHARACTERS)


def _old_within_bounds(lines: tuple[DiffLine, ...]) -> tuple[DiffLine, ...]:
    """What goes or stays is shown as far as it helps; a gap says how much more goes."""
    kept: list[DiffLine] = []
    shown = characters = hidden = 0
    for line in lines:
        if line.kind is LineKind.ADDED:
            kept.append(line)
            continue
        narrow = _narrowed(line)
        shown += line.kind is LineKind.REMOVED
        characters += len(narrow.text)
        if line.kind is LineKind.REMOVED and (shown > SHOWN_OLD_LINES or characters > SHOWN_OLD_CHARACTERS):
            hidden += 1
        else:
            kept.append(narrow)
    return (*kept, _gap(f"{hidden} more lines would be removed")) if hidden else tuple(kept)


def _narrowed(line: DiffLine) -> DiffLine:
    more = len(line.text) - SHOWN_OLD_WIDTH
    return line if more <= 0 else replace(line, text=f"{line.text[:SHOWN_OLD_WIDTH]}… ({more} more characters)")


def _new_within_bounds(lines: tuple[DiffLine, ...]) -> tuple[tuple[DiffLine, ...], bool]:
    kept: list[DiffLine] = []
    characters = 0
    for line in lines:
        characters += len(line.text)
        if len(kept) >= SHOWN_LINES or characters > SHOWN_CHARACTERS:
            return (*kept, _gap(f"{len(lines) - len(kept)} more lines of this diff")), False
        kept.append(line)
    return tuple(kept), True


def _gap(words: str) -> DiffLine:
    return DiffLine(LineKind.GAP, words)


def _count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def diff_lines(old: str, new: str) -> tuple[DiffLine, ...]:
    """The lines that differ between two texts. Long unchanged stretches become one gap."""
    before, after = _lines(old), _lines(new)
    lines: list[DiffLine] = []
    for tag, old_start, old_end, new_start, new_end in _blocks(before, after):
        if tag == "equal":
            at_end = (old_end, new_end) == (len(before), len(after))
            lines += _equal(before[old_start:old_end], old_start, new_start, at_end=at_end)
        else:
            lines += _removed(before[old_start:old_end], old_start) + _added(after[new_start:new_end], new_start)
    return tuple(lines)


def _lines(text: str) -> list[str]:
    """The lines with their ends, so that no changed byte looks unchanged; only \\n ends one, as in most programs."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _shown(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _blocks(before: list[str], after: list[str]) -> list[tuple[str, int, int, int, int]]:
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    old_end, new_end = len(before) - tail, len(after) - tail
    blocks = [("equal", 0, head, 0, head)] if head else []
    blocks += _inner_blocks(before[head:old_end], after[head:new_end], head)
    return blocks + ([("equal", old_end, len(before), new_end, len(after))] if tail else [])


def _inner_blocks(before: list[str], after: list[str], start: int) -> list[tuple[str, int, int, int, int]]:
    if not before and not after:
        return []
    if len(before) + len(after) > MATCHED_LINES:
        return [("replace", start, start + len(before), start, start + len(after))]
    # Lines that repeat often are no anchors (autojunk): with them, a few thousand lines can take a minute.
    matcher = SequenceMatcher(None, before, after)
    return [(tag, start + a, start + b, start + c, start + d) for tag, a, b, c, d in matcher.get_opcodes()]


def _removed(texts: list[str], start: int) -> list[DiffLine]:
    return [DiffLine(LineKind.REMOVED, _shown(text), old_number=start + i + 1) for i, text in enumerate(texts)]


def _added(texts: list[str], start: int) -> list[DiffLine]:
    return [DiffLine(LineKind.ADDED, _shown(text), new_number=start + i + 1) for i, text in enumerate(texts)]


def _equal(texts: list[str], old_start: int, new_start: int, *, at_end: bool) -> list[DiffLine]:
    head = CONTEXT_LINES if old_start or new_start else 0
    tail = 0 if at_end else CONTEXT_LINES
    shown = [
        DiffLine(LineKind.CONTEXT, _shown(text), old_start + i + 1, new_start + i + 1)
        for i, text in enumerate(texts)
        if i < head or i >= len(texts) - tail
    ]
    hidden = len(texts) - len(shown)
    if hidden <= 0:
        return shown
    gap = DiffLine(LineKind.GAP, f"{hidden} unchanged {'line' if hidden == 1 else 'lines'}")
    return [*shown[:head], gap, *shown[head:]]
