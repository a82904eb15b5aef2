"""A page as text that is nearly Markdown: title, headings, links, lists, code, tables. Nothing of it is carried out.

It takes any page for what it is: unclosed, nested too deep, without an end. What a reader of the page does not see is
left out as far as the page itself says so.
"""

import re
from html.parser import HTMLParser
from time import monotonic
from urllib.parse import urljoin

from assent.lazy_dataclasses import dataclass
from assent.web.html_words import BLOCKS, CELLS, EMPTY, HEADINGS, LISTS, MARKS, SKIPPED
from assent.web.paper import Full, Paper

MOST_TEXT = 1_000_000
MOST_SECONDS = 5.0
_PIECE = 16 * 1024
_LARGEST_PIECE = 512 * 1024
_MOST_LEFT = 2_048
_LONGEST_TAG = 64 * 1024
_SEPARATE = "= \n\t/'\""
_MOST_SEPARATE = 1 / 10
"""So much of a longer tag can be signs that stand between attributes. In a picture there are few."""
_DEEPEST = 8
_LONGEST_TITLE = 300
_LONGEST_LINK = 500
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_FENCE = "```"

Attributes = list[tuple[str, str | None]]


@dataclass(frozen=True, slots=True)
class Readable:
    """What can be read of a page."""

    title: str
    text: str
    cut: bool
    """There is more than fits, or than could be read in the time that a page gets."""


def read_html(source: str, url: str) -> Readable:
    """The text of a page. Links are written whole, from the page's own address."""
    reader = _Reader(url)
    until, cut = monotonic() + MOST_SECONDS, False
    try:
        at = 0
        while at < len(source):
            # What has begun and not ended is looked at again with each piece, so it gets larger pieces.
            size = min(max(_PIECE, len(reader.rawdata)), _LARGEST_PIECE)
            reader.feed(source[at : at + size])
            at += size
            if monotonic() > until or _has_no_end(reader):
                cut = True
                break
        # What is left is a part that never ends. The parser looks at it again from each sign on.
        if len(reader.rawdata) <= _MOST_LEFT:
            reader.close()
        else:
            cut = True
    except Full:
        cut = True
    return Readable(" ".join("".join(reader.title).split())[:_LONGEST_TITLE], reader.finished(), cut)


def _has_no_end(reader: "_Reader") -> bool:
    """Whether a tag has begun that goes on and on. With each piece, the parser takes all its attributes apart again."""
    left = reader.rawdata
    if len(left) <= _LONGEST_TAG or reader.cdata_elem is not None:
        return False
    return left[0] == "<" and left[1].isalpha() and sum(map(left.count, _SEPARATE)) > _MOST_SEPARATE * len(left)


class _Reader(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self._in_title = False
        self._base = url
        self._paper = Paper(MOST_TEXT)
        self._skipping = ""
        self._skipped_depth = 0
        self._lists: list[int | None] = []
        """The number of the next point, or None, for each list that is open."""
        self._quotes = 0
        self._links: list[str] = []
        self._code: list[str] | None = None
        self._tables: list[_Table] = []

    def finished(self) -> str:
        """All that was read."""
        self._end_code()
        self._tables.clear()
        return self._paper.text()

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """In a page it is a comment, up to the next sign that ends a tag. The parser would stumble over some."""
        end = self.rawdata.find(">", i)
        return end + 1 if end >= 0 else -1

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self._skipping:
            self._skipped_depth += tag == self._skipping
            return
        said = dict(attrs)
        seen_no_more = tag == "title" and bool(self.title)
        if seen_no_more or tag in SKIPPED or (tag not in EMPTY and _is_hidden(said)):
            self._skipping, self._skipped_depth = tag, 1
        elif tag == "title":
            self._in_title = True
        elif self._code is not None:
            if tag == "br":
                self._code.append("\n")
        else:
            self._begin(tag, said)

    def _begin(self, tag: str, said: dict[str, str | None]) -> None:
        paper = self._paper
        if tag in HEADINGS:
            paper.gap()
            paper.exact(f"{HEADINGS[tag]} ")
        elif tag in LISTS:
            self._begin_list(tag, said)
        elif tag == "li":
            self._point()
        elif tag == "table":
            paper.gap()
            self._tables.append(_Table())
        elif tag == "tr":
            self._row()
        elif tag in CELLS:
            self._cell()
        elif tag in BLOCKS and not self._tables:
            paper.gap() if tag in ("p", "dl", "section", "article") else paper.line()
            if tag == "blockquote" and self._quotes < _DEEPEST:
                self._quotes += 1
                paper.indent("> ")
        elif tag in BLOCKS:
            paper.words(" ")
        else:
            self._inline(tag, said)

    def _inline(self, tag: str, said: dict[str, str | None]) -> None:
        paper = self._paper
        if tag == "br":
            paper.words(" ") if self._tables else paper.line()
        elif tag == "hr" and not self._tables:
            paper.raw(["---"])
        elif tag == "pre":
            self._code = []
        elif tag == "a":
            self._links.append(self._place(said.get("href")))
            if self._links[-1]:
                paper.exact("[")
        elif tag == "img" and (said.get("alt") or "").strip():
            paper.words(f" [image: {said['alt']}] ")
        elif tag == "base" and said.get("href"):
            self._base = self._joined(said["href"] or "")
        elif tag in MARKS:
            paper.exact(MARKS[tag])

    def handle_endtag(self, tag: str) -> None:
        if self._skipping:
            self._skipped_depth -= tag == self._skipping
            if self._skipped_depth == 0:
                self._skipping = ""
        elif tag == "title":
            self._in_title = False
        elif tag == "pre":
            self._end_code()
        elif self._code is None:
            self._end(tag)

    def _end(self, tag: str) -> None:
        paper = self._paper
        if tag in HEADINGS:
            paper.gap()
        elif tag in LISTS and self._lists:
            self._end_list()
        elif tag == "table" and self._tables:
            self._tables.pop()
            paper.gap()
        elif tag == "a" and self._links:
            place = self._links.pop()
            if place:
                paper.close("[", f"]({place})")
        elif tag == "blockquote" and self._quotes:
            self._quotes -= 1
            paper.outdent()
        elif tag in BLOCKS or tag == "li":
            paper.words(" ") if self._tables else paper.gap() if tag == "p" else paper.line()
        elif tag in MARKS:
            paper.close(MARKS[tag], MARKS[tag])

    def handle_data(self, data: str) -> None:
        if self._skipping:
            return
        if self._in_title:
            self.title.append(data[:_LONGEST_TITLE])
        elif self._code is not None:
            self._code.append(data)
        else:
            self._paper.words(data)

    def _begin_list(self, tag: str, said: dict[str, str | None]) -> None:
        if self._tables:
            return
        if not self._lists:
            self._paper.gap()
        start = said.get("start") or "1"
        first = int(start) if start.isascii() and start.isdigit() and len(start) < _DEEPEST else 1
        self._lists.append(first if tag == "ol" else None)
        if 1 < len(self._lists) <= _DEEPEST:
            self._paper.indent("  ")

    def _end_list(self) -> None:
        if 1 < len(self._lists) <= _DEEPEST:
            self._paper.outdent()
        self._lists.pop()
        if not self._lists:
            self._paper.gap()

    def _point(self) -> None:
        if self._tables:
            self._paper.words(" ")
            return
        number = self._lists[-1] if self._lists else None
        if number is not None:
            self._lists[-1] = number + 1
        self._paper.point("- " if number is None else f"{number}. ")

    def _row(self) -> None:
        if self._tables:
            self._tables[-1].row(self._paper)

    def _cell(self) -> None:
        if self._tables:
            self._tables[-1].cell(self._paper)

    def _end_code(self) -> None:
        if self._code is not None:
            lines = "".join(self._code).strip("\n").expandtabs(4).split("\n")
            self._code = None
            self._paper.raw([_FENCE, *(line.rstrip() for line in lines), _FENCE])

    def _place(self, href: str | None) -> str:
        """Where a link leads; empty where that is no page, or only this one."""
        plain = (href or "").strip()
        if not plain or plain.startswith("#"):
            return ""
        place = self._joined(plain)
        usable = place.lower().startswith(("http://", "https://", "mailto:")) and len(place) <= _LONGEST_LINK
        return place if usable and not re.search(r"[\s()<>]", place) else ""

    def _joined(self, place: str) -> str:
        try:
            return urljoin(self._base, place)
        except ValueError:
            return ""


class _Table:
    """A table as lines with bars; the first row is its head."""

    def __init__(self) -> None:
        self._rows = 0
        self._cells = 0

    def row(self, paper: Paper) -> None:
        paper.line()
        if self._rows == 1 and self._cells:
            paper.exact(f"{'|---' * self._cells}|")
            paper.line()
        self._rows += 1
        self._cells = 0

    def cell(self, paper: Paper) -> None:
        self._cells += 1
        paper.words(" ")
        paper.exact("| ")


def _is_hidden(said: dict[str, str | None]) -> bool:
    return (
        "hidden" in said
        or (said.get("aria-hidden") or "").lower() == "true"
        or _HIDDEN.search(said.get("style") or "") is not None
    )
