"""The text of a drawing as a tree that holds nothing but what is listed. What is not listed is counted and gone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import NoReturn
from xml.parsers import expat

from assent.lazy_dataclasses import dataclass
from assent.media.svg_words import ELEMENTS, FORMS, HREF, LONG_ONES, LONGEST, NAMESPACE, POINTING, TEXTUAL, XLINK

MOST_BYTES = 512 * 1024
MOST_ELEMENTS = 4_000
DEEPEST = 32
LONGEST_TEXT = 20_000


class BadDrawing(Exception):
    """The text is no drawing that can be kept, and why, as a clause."""


@dataclass(slots=True)
class Node:
    """An element of a drawing."""

    name: str
    attributes: dict[str, str]
    children: "list[Node | str]" = field(default_factory=list)

    def elements(self) -> "Iterator[Node]":
        """Those right below it."""
        return (child for child in self.children if isinstance(child, Node))

    def all(self) -> "Iterator[Node]":
        """It, and all that lies below it."""
        yield self
        for child in self.elements():
            yield from child.all()


class Reader:
    """Takes the events of a parser that knows XML and no entities, and keeps what is listed."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.left_out: Counter[str] = Counter()
        self._open: list[Node] = []
        self._skipping = 0
        self._count = 0
        self._text = 0

    def read(self, text: str) -> Node:
        """The tree. Raises BadDrawing."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:
            raise BadDrawing("it holds half of a character") from None
        if len(data) > MOST_BYTES:
            raise BadDrawing(f"it has {len(data)} bytes, more than {MOST_BYTES}")
        parser = expat.ParserCreate("utf-8", " ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._said
        parser.StartDoctypeDeclHandler = _no_doctype
        parser.EntityDeclHandler = _no_doctype
        try:
            parser.Parse(data, True)
        except expat.ExpatError as fault:
            raise BadDrawing(f"it is no XML (line {fault.lineno}: {expat.errors.messages[fault.code]})") from None
        if self.root is None:
            raise BadDrawing("its first element is no svg")
        return self.root

    def _start(self, name: str, given: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise BadDrawing(f"it has more than {MOST_ELEMENTS} elements")
        if len(self._open) + self._skipping >= DEEPEST:
            raise BadDrawing(f"its elements stand more than {DEEPEST} deep in each other")
        local = _local(name)
        if self._skipping or local is None or (local == "svg") != (not self._open) or not self._may_hold():
            self._skip(local or name.rpartition(" ")[2])
            return
        node = Node(local, self._attributes(local, given))
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node
        self._open.append(node)

    def _may_hold(self) -> bool:
        """A title holds words and nothing else."""
        return not self._open or self._open[-1].name not in ("title", "desc")

    def _skip(self, name: str) -> None:
        if not self._open and not self._skipping:
            raise BadDrawing("its first element is no svg")
        if not self._skipping:
            self.left_out[f"<{name[:40]}>"] += 1
        self._skipping += 1

    def _end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
        else:
            self._open.pop()

    def _said(self, text: str) -> None:
        if self._skipping or not self._open or self._open[-1].name not in TEXTUAL:
            return
        self._text += len(text)
        if self._text > LONGEST_TEXT:
            raise BadDrawing(f"it has more than {LONGEST_TEXT} characters of text")
        self._open[-1].children.append(text)

    def _attributes(self, element: str, given: dict[str, str]) -> dict[str, str]:
        kept: dict[str, str] = {}
        styles: dict[str, str] = {}
        for name, value in given.items():
            if name == "style":
                styles = dict(self._declarations(value))
            elif name in ("href", f"{XLINK} href"):
                if element in POINTING and len(value) <= LONGEST and HREF.fullmatch(value.strip()):
                    kept["href"] = value.strip()
                else:
                    self.left_out["href"] += 1
            elif self._fits(name, value):
                kept[name] = value.strip()
        # As in a browser, what stands in a style counts more than the attribute of that name.
        return {**kept, **styles}

    def _declarations(self, style: str) -> Iterator[tuple[str, str]]:
        for declaration in style.split(";"):
            name, _, value = declaration.partition(":")
            plain = name.strip().lower()
            # Positions and names are no looks: a style that says one is left out.
            if plain and "-" not in plain and plain not in ("fill", "stroke", "opacity", "color", "filter", "mask"):
                self.left_out[plain[:40]] += 1
            elif plain and self._fits(plain, value):
                yield plain, value.strip()

    def _fits(self, name: str, value: str) -> bool:
        form = FORMS.get(name)
        plain = value.strip()
        # Its length first: what a form of several parts would have to try grows much faster than the text.
        short = len(plain) <= LONGEST or name in LONG_ONES
        fits = form is not None and short and form.fullmatch(plain) is not None
        if not fits and not name.startswith(("data-", "aria-")) and name not in ("class", "version", "role"):
            self.left_out[name.rpartition(" ")[2][:40]] += 1
        return fits


def _local(name: str) -> str | None:
    """The name of an element that may stand in a drawing; one without any namespace is taken for what it looks like."""
    space, _, local = name.rpartition(" ")
    return local if space in ("", NAMESPACE) and local in ELEMENTS else None


def _no_doctype(*_: object) -> NoReturn:
    raise BadDrawing("it has a document type or entities, which no drawing needs")
