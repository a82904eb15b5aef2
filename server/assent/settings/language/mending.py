"""What can be done about something that is underlined, with one click: as changes of the text, for its user to save."""

import json
from collections.abc import Iterator

from assent.lazy_dataclasses import dataclass
from assent.settings.jsonc import Document, Member, Node, Place
from assent.settings.jsonc_edit import cuts
from assent.settings.layers import Diagnostic, Kind

_REMOVABLE = {
    Kind.SHADOWED: "Remove this rule",
    Kind.NEVER_MATCHES: "Remove this rule",
    Kind.PATTERN: "Remove this rule",
    Kind.EXAMPLE: "Remove this rule",
    Kind.UNKNOWN_TOOL: "Remove this entry",
    Kind.UNKNOWN_AGENT: "Remove this entry",
    Kind.UNKNOWN_SETTING: "Remove this setting",
}


@dataclass(frozen=True, slots=True)
class Change:
    """Puts a text in the place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """What would be done, in words, and what of the text would be another."""

    title: str
    changes: tuple[Change, ...]
    preferred: bool = False
    """It is most likely what is wanted."""


def fixes(diagnostic: Diagnostic, document: Document) -> Iterator[Fix]:
    """What can be done about it, the likeliest first."""
    where = diagnostic.origin.where if diagnostic.origin is not None else None
    if where is None:
        return
    if diagnostic.instead is not None:
        written = json.dumps(diagnostic.instead, ensure_ascii=False)
        change = Change(where.start, where.end, written)
        yield Fix(f"Did you mean “{diagnostic.instead}”?", (change,), preferred=True)
    title = _REMOVABLE.get(diagnostic.kind)
    removed = _removed(document, where) if title is not None else ()
    if title is not None and removed:
        yield Fix(title, removed)


def _removed(document: Document, where: Place) -> tuple[Change, ...]:
    """The item, or the member whose name stands there, taken out of what holds it."""
    found = _holder(document.root, where.start) if document.root is not None else None
    if found is None:
        return ()
    holder, gone = found
    return tuple(Change(start, end) for start, end in cuts(document.text, holder, gone))


def _holder(root: Node, start: int) -> tuple[Node, Node] | None:
    """What begins exactly here, and what it is a part of."""
    node: Node | None = root
    while node is not None:
        inside: Node | None = None
        for part in _parts(node):
            begins, child = (part.start, part.node) if isinstance(part, Member) else (part.start, part)
            if begins == start:
                return node, child
            if child.start <= start < child.end:
                inside = child
        node = inside
    return None


def _parts(node: Node) -> Iterator[Member | Node]:
    yield from node.members or ()
    yield from node.items or ()
