"""A setting is spelled `"assent.mode"` or, nested, `"assent": {"mode"}`: which of them counts where both stand."""

from collections.abc import Iterator

from assent.settings.jsonc import Document, Member, Node

PREFIX = "assent"


def find_setting(root: Node, key: str) -> tuple[Member, ...]:
    """The members that lead to the setting with this full name; none where it is not set. The later spelling counts."""
    dotted = root.last.get(key)
    outer_name, _, inner_name = key.partition(".")
    outer = root.last.get(outer_name) if inner_name else None
    inner = outer.node.last.get(inner_name) if outer else None
    if outer and inner and (dotted is None or dotted.start < inner.start):
        return (outer, inner)
    return (dotted,) if dotted else ()


def settings_of(document: Document) -> dict[str, Member]:
    """Every setting of this product that the document holds, by its name without the prefix."""
    root = document.root
    if root is None:
        return {}
    found: dict[str, Member] = {}
    for name in _names(root):
        members = find_setting(root, f"{PREFIX}.{name}")
        if members:
            found[name] = members[-1]
    return found


def _names(root: Node) -> Iterator[str]:
    yield from (key.removeprefix(f"{PREFIX}.") for key in root.last if key.startswith(f"{PREFIX}."))
    outer = root.last.get(PREFIX)
    if outer:
        yield from outer.node.last
