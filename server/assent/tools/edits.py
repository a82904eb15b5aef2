"""Exact replacements in a text: each is found in the text as it is, and all of them are made, or none. No I/O."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.model.json import JsonObject
from assent.tools.form import CRLF, LF
from assent.tools.nearly import nearly

MOST_NAMED = 20
"""Places that a fault names."""
MOST_REPLACED = 100_000
"""Places that one call changes at most."""


@dataclass(frozen=True, slots=True)
class Edit:
    """These characters become those: in the one place where they are, or wherever they are."""

    old: str
    new: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """A part of the text, from its first character to the one after its last, and what comes in its place."""

    start: int
    end: int
    new: str


def replacements(text: str, edits: Sequence[Edit]) -> tuple[Replacement, ...]:
    """What the edits come to, in the order of the text. Raises ToolFault where one does not fit, or two overlap."""
    plain = _Plain(text)
    found = [
        (number, replacement)
        for number, edit in enumerate(edits, 1)
        for replacement in _of_edit(plain, edit, _name(number, edits))
    ]
    if len(found) > MOST_REPLACED:
        raise ToolFault("too_many", f"These edits change more than {MOST_REPLACED} places. Make them in several calls.")
    found.sort(key=lambda one: one[1].start)
    for (first, before), (second, after) in pairwise(found):
        if after.start < before.end:
            numbers = " and ".join(map(str, sorted((first, second))))
            where = f"around line {line_of(text, after.start)}"
            raise ToolFault("overlap", f"Edits {numbers} overlap {where}. Make one edit of them. Nothing was changed.")
    return tuple(replacement for _, replacement in found)


def replaced(text: str, made: Sequence[Replacement]) -> str:
    """The text with all of them."""
    parts, at = list[str](), 0
    for one in made:
        parts += (text[at : one.start], one.new)
        at = one.end
    return "".join((*parts, text[at:]))


def edited(text: str, args: JsonObject) -> str:
    """The text with the edits that a call of edit_file gives, whose arguments have been checked."""
    given = cast("list[JsonObject]", args["edits"])
    edits = [Edit(str(one["old"]), str(one["new"]), one.get("all") is True) for one in given]
    return replaced(text, replacements(text, edits))


def touched(text: str, made: Sequence[Replacement]) -> Iterator[tuple[str, str]]:
    """The whole lines that change, as they are and as they become: what a card shows of it, wherever it is."""
    for group in _by_lines(text, made):
        start, end = text.rfind(LF, 0, group[0].start) + 1, _reach(text, group[-1])
        moved = [Replacement(one.start - start, one.end - start, one.new) for one in group]
        yield text[start:end], replaced(text[start:end], moved)


def line_of(text: str, at: int) -> int:
    """The number of the line of this character."""
    return text.count(LF, 0, at) + 1


def _by_lines(text: str, made: Sequence[Replacement]) -> Iterator[list[Replacement]]:
    """Those that share a line, together."""
    group: list[Replacement] = []
    for one in made:
        if group and one.start >= _reach(text, group[-1]):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _reach(text: str, one: Replacement) -> int:
    """Where the lines end that it changes. One that takes a line end away takes in the line that follows."""
    ends = text[one.end - 1] == LF
    starts = one.start == 0 or text[one.start - 1] == LF
    whole = ends and (one.new.endswith(LF) or (not one.new and starts))
    end = text.find(LF, one.end - 1 if whole else one.end)
    return len(text) if end < 0 else end + 1


class _Plain:
    """A text in which all line ends look alike, and the way back to where each character really is."""

    def __init__(self, text: str) -> None:
        self.real = text
        self.text = text.replace(CRLF, LF)
        # One number for each line of what may be millions.
        self._wide = array("q")
        if len(self.text) < len(text):
            at = text.find(CRLF)
            while at >= 0:
                self._wide.append(at - len(self._wide))
                at = text.find(CRLF, at + 2)

    def real_place(self, at: int) -> int:
        return at + bisect_left(self._wide, at)

    def find(self, old: str, *, overlapping: bool) -> Iterator[tuple[int, int]]:
        """Where these characters are. Who spells out wide line ends means these; a plain one stands for both kinds."""
        exact = CRLF in old
        text = self.real if exact else self.text
        at = text.find(old)
        while at >= 0:
            yield (at, at + len(old)) if exact else (self.real_place(at), self.real_place(at + len(old)))
            at = text.find(old, at + (1 if overlapping else len(old)))


def _of_edit(plain: _Plain, edit: Edit, name: str) -> list[Replacement]:
    found: list[Replacement] = []
    for start, end in plain.find(edit.old, overlapping=not edit.everywhere):
        found.append(Replacement(start, end, _spelled(plain.real, start, edit.new)))
        if len(found) > (MOST_REPLACED if edit.everywhere else MOST_NAMED):
            break
    if not found:
        raise ToolFault("not_found_in_file", f"{name} is not in the file as it is now. {nearly(plain.text, edit.old)}")
    if len(found) > 1 and not edit.everywhere:
        raise ToolFault("found_several_times", _several(plain.real, name, found))
    return found


def _several(text: str, name: str, found: list[Replacement]) -> str:
    lines = ", ".join(str(line_of(text, one.start)) for one in found[:MOST_NAMED])
    times = f"{len(found)} times" if len(found) <= MOST_NAMED else f"more than {MOST_NAMED} times"
    return (
        f"{name} is in the file {times}, in lines {lines}{'' if len(found) <= MOST_NAMED else ' and more'}. "
        "Take in more of what stands around the one that you mean, or set `all`. Nothing was changed."
    )


def _name(number: int, edits: Sequence[Edit]) -> str:
    return "`old`" if len(edits) == 1 else f"`old` of edit {number}"


def _spelled(text: str, at: int, new: str) -> str:
    """The new characters with the line ends that stand there; who gives wide ones gets exactly what was given."""
    if LF not in new or CRLF in new:
        return new
    end = text.find(LF, at)
    end = text.rfind(LF, 0, at) if end < 0 else end
    return new.replace(LF, CRLF) if end > 0 and text[end - 1] == "\r" else new
