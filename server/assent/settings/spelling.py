"""A setting is spelled `"assent.mode"` or, nested, `"assent": {"mode"}`: which of them counts where both stand."""

from collections.abc import Iterator

from assent.settings.jsonc import Member, Node

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


def spelled_out(root: Node) -> Iterator[tuple[str, Member]]:
    """Each place where a setting of this product stands, in either spelling, with its name without the prefix."""
    for member in root.members or ():
        if member.key.startswith(f"{PREFIX}."):
            yield member.key.removeprefix(f"{PREFIX}."), member
        elif member.key == PREFIX:
            yield from ((inner.key, inner) for inner in member.node.members or ())
