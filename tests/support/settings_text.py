"""What a settings text says at a path, as a reader would find it."""

from collections.abc import Sequence

from assent.settings.jsonc import Document, Node
from assent.settings.spelling import find_setting


def find_entry(document: Document, path: Sequence[str]) -> Node | None:
    """The value that counts at this path, in either spelling."""
    if document.root is None:
        return None
    members = find_setting(document.root, path[0])
    if not members:
        return None
    node: Node | None = members[-1].node
    for step in path[1:]:
        member = node.last.get(step) if node else None
        node = member.node if member else None
    return node
