"""How a Python attribute is named and written on the wire."""

import attrs

WIRE_NAME = "wire_name"
KEEP_NULL = "keep_null"


def snake_case(name: str, *, default: object = attrs.NOTHING) -> object:
    """A field that keeps its underscore on the wire, where the protocol spells it so."""
    return attrs.field(default=default, metadata={WIRE_NAME: name})


def nullable() -> object:
    """A field that is always sent, with null where there is no value."""
    return attrs.field(default=None, metadata={KEEP_NULL: True})


def wire_name(attribute: "attrs.Attribute[object]") -> str:
    """The name of an attribute on the wire: camelCase, except where the protocol says otherwise."""
    given = attribute.metadata.get(WIRE_NAME)
    if given is not None:
        return str(given)
    head, *rest = attribute.name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def keeps_null(attribute: "attrs.Attribute[object]") -> bool:
    """Whether null is written for this field where others are left out."""
    return bool(attribute.metadata.get(KEEP_NULL, False))
