"""A document cut into passages: what stands under one heading, and no more than one can read at a glance. No disk."""

from collections.abc import Iterator, Sequence

from assent.collections.headings import Heading, headings_in
from assent.lazy_dataclasses import dataclass

LONGEST = 2_000
"""Characters of a passage. A longer line is cut; a line is never put together with a heading that it is not under."""
MOST_HEADINGS = 2_000
"""A document with more of them is cut by length alone."""
BETWEEN = " > "
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines, counted from 1, under a chain of headings."""

    heading: str
    first: int
    last: int
    text: str


def passages_of(name: str, text: str) -> list[Passage]:
    """The passages of the document of this name, in their order. Together they hold every line that says something."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    headings = headings_in(name, lines)
    if len(headings) > MOST_HEADINGS:
        headings = []
    return [passage for section in _sections(headings, lines) for passage in section]


def _sections(headings: Sequence[Heading], lines: Sequence[str]) -> Iterator[Iterator[Passage]]:
    first = headings[0].line if headings else len(lines)
    yield _cut("", lines, 0, first)
    above: list[Heading] = []
    for number, heading in enumerate(headings):
        above = [one for one in above if one.level < heading.level] + [heading]
        following = headings[number + 1] if number + 1 < len(headings) else None
        end = following.line if following else len(lines)
        if following and following.level > heading.level and not _says_more(lines, heading, end):
            # Nothing but the heading: it stands in the chain of those below it.
            continue
        chain = BETWEEN.join(one.title for one in above[-_DEEPEST:] if one.title)
        yield _cut(chain, lines, heading.line, end)


def _says_more(lines: Sequence[str], heading: Heading, end: int) -> bool:
    """Whether there is more than the heading, with the line of signs above or under it."""
    saying = sum(any(map(str.isalnum, line)) for line in lines[heading.line : end])
    return saying > any(map(str.isalnum, heading.title))


def _cut(heading: str, lines: Sequence[str], start: int, end: int) -> Iterator[Passage]:
    """The lines of a section, cut where a paragraph ends if one ends in time."""
    at = start
    while at < end:
        if not lines[at].strip():
            at += 1
            continue
        if len(lines[at]) > LONGEST:
            yield from _cut_line(heading, lines[at], at)
            at += 1
            continue
        stop = _stop(lines, at, end)
        text = "\n".join(lines[at:stop]).rstrip()
        yield Passage(heading, at + 1, at + text.count("\n") + 1, text)
        at = stop


def _stop(lines: Sequence[str], start: int, end: int) -> int:
    """Where the passage that begins here ends: at the last blank line that fits, else where it is full."""
    size, blank, at = 0, start, start
    while at < end:
        size += len(lines[at]) + 1
        if size > LONGEST + 1:
            # A blank line in its first part would leave too little of it.
            return blank if blank - start > (at - start) // 3 else max(at, start + 1)
        if not lines[at].strip():
            blank = at
        at += 1
    return end


def _cut_line(heading: str, line: str, number: int) -> Iterator[Passage]:
    for start in range(0, len(line), LONGEST):
        part = line[start : start + LONGEST]
        if part.strip():
            yield Passage(heading, number + 1, number + 1, part)
