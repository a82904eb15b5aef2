"""Where the headings of a document stand, by the way in which its kind writes them. No disk.

Only as far as a passage needs a name: what a renderer would do with an odd document does not matter.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from assent.lazy_dataclasses import dataclass

LONGEST_LINE = 400
"""A longer line is no heading."""
LONGEST_TITLE = 160
_MARKED = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"[ ]{0,3}(?:=+|-{2,})[ \t]*")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:[>|#<]|[-*+][ \t]|\d+[.)][ \t]|$)|[ ]{4}|\t")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])\1+")
_BLOCK = re.compile(r"(-{4,}|\.{4,}|={4,}|_{4,}|\*{4,}|\+{4,}|`{3,}|/{4,})[ \t]*")
_ORG = re.compile(r"(\*{1,12})[ \t]+")
_ADOC = re.compile(r"(={1,6})[ \t]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading: the number of its first line, counted from 0, how deep it is, and what it says."""

    line: int
    level: int
    title: str


def headings_in(name: str, lines: Sequence[str]) -> list[Heading]:
    """The headings of the document of this name, in their order."""
    ending = name.rpartition(".")[2].lower()
    reader = _READERS.get(ending)
    return list(reader(lines)) if reader is not None else []


def _of_markdown(lines: Sequence[str]) -> Iterator[Heading]:
    at = _after_front_matter(lines)
    fence = ""
    paragraph = False
    for number in range(at, len(lines)):
        line = lines[number]
        if len(line) > LONGEST_LINE:
            paragraph = False
            continue
        opened = _FENCE.match(line)
        if fence or opened:
            fence = _fence_after(fence, opened[1] if opened else "", line)
            paragraph = False
        elif marked := _MARKED.match(line):
            yield Heading(number, len(marked[1]), _title(line[marked.end(1) :].strip().rstrip("#")))
            paragraph = False
        elif paragraph and _UNDERLINE.fullmatch(line):
            yield Heading(number - 1, 1 if "=" in line else 2, _title(lines[number - 1]))
            paragraph = False
        else:
            paragraph = _NO_PARAGRAPH.match(line) is None


def _fence_after(fence: str, opened: str, line: str) -> str:
    """The fence that is open after this line."""
    if not fence:
        return opened
    closes = opened.startswith(fence) and not line.strip(" \t`~")
    return "" if closes else fence


def _after_front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() not in ("---", "+++"):
        return 0
    for number, line in enumerate(lines[1:200], start=1):
        if line.rstrip() in (lines[0].rstrip(), "..."):
            return number + 1
    return 0


def _of_rst(lines: Sequence[str]) -> Iterator[Heading]:
    levels: dict[tuple[str, bool], int] = {}
    taken = -1
    for number in range(1, len(lines)):
        title, line = lines[number - 1], lines[number].rstrip()
        if number - 1 <= taken or not _is_rule(line) or not title.strip() or len(title) > LONGEST_LINE:
            continue
        over = number >= 2 and lines[number - 2].rstrip() == line
        # A rule as long as its title, as that kind wants it; a shorter one is a line of signs.
        if _is_rule(title.rstrip()) or len(line) < len(title.strip()) or (title[0] in " \t" and not over):
            continue
        taken = number
        level = levels.setdefault((line[0], over), len(levels) + 1)
        yield Heading(number - 2 if over else number - 1, level, _title(title))


def _is_rule(line: str) -> bool:
    return 2 <= len(line) <= LONGEST_LINE and _PUNCTUATION.fullmatch(line) is not None


def _of_adoc(lines: Sequence[str]) -> Iterator[Heading]:
    block = ""
    for number, line in enumerate(lines):
        if len(line) > LONGEST_LINE:
            continue
        if _BLOCK.fullmatch(line):
            rule = line.rstrip()
            block = "" if block == rule else block or rule
        elif not block and (marked := _ADOC.match(line)):
            yield Heading(number, len(marked[1]), _title(line[marked.end() :]))


def _of_org(lines: Sequence[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines):
        if len(line) <= LONGEST_LINE and (marked := _ORG.match(line)):
            yield Heading(number, len(marked[1]), _title(line[marked.end() :]))


def _title(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST_TITLE else f"{plain[: LONGEST_TITLE - 1]}…"


_READERS: dict[str, Callable[[Sequence[str]], Iterator[Heading]]] = {
    **dict.fromkeys(("md", "markdown", "mdx", "mdown", "mkd"), _of_markdown),
    "rst": _of_rst,
    **dict.fromkeys(("adoc", "asciidoc", "asc"), _of_adoc),
    "org": _of_org,
}
