"""Where settings say the same thing a second time."""

from collections.abc import Iterator

from assent.settings.jsonc import Document, Member, Node
from assent.settings.spelling import PREFIX, spelled_out


def repetitions(document: Document) -> Iterator[tuple[str, Member]]:
    """Each setting, and each entry of one, that stands in the text already; with its full name."""
    seen: set[str] = set()
    for name, member in spelled_out(document.root) if document.root else ():
        full = f"{PREFIX}.{name}"
        if name in seen:
            yield full, member
        seen.add(name)
        if document.repeated:
            yield from _below(full, member.node)


def _below(name: str, node: Node) -> Iterator[tuple[str, Member]]:
    seen: set[str] = set()
    for member in node.members or ():
        if member.key in seen:
            yield f"{name}.{member.key}", member
        seen.add(member.key)
        yield from _below(f"{name}.{member.key}", member.node)
    for item in node.items or ():
        yield from _below(name, item)
