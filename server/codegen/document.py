"""The protocol document for people."""

from typing import Any, Literal, get_args, get_origin

import attrs

from assent.protocol.events import EVENT_DATA, AgentEvent
from assent.protocol.methods import METHODS, ErrorCode, Method, Sender
from codegen import shapes

_HEADER = """\
# The protocol

<!-- Generated from server/assent/protocol by `python3 dev.py generate`. Do not edit. -->

JSON-RPC 2.0 over LSP framing on stdio; in the playground, one JSON text per WebSocket message. Optional fields are left
out where they have no value. Unknown extra fields are ignored; a field of the wrong type is answered with -32602, and
`data.path` names it.
"""


def protocol_document() -> str:
    """The whole text of docs/protocol.md."""
    parts = [_HEADER, "## Methods\n", _method_table(), "## Events\n", _event_table(), "## Error codes\n", _codes()]
    parts.append("## Types\n")
    parts += [_type_section(cls) for cls in shapes.all_classes()]
    return "\n".join(parts)


def _method_table() -> str:
    rows = [f"| `{m.name}` | {_direction(m)} | `{m.params.__name__}` | {_result(m)} | {m.purpose} |" for m in METHODS]
    return "\n".join(["| method | direction | params | result | |", "| --- | --- | --- | --- | --- |", *rows, ""])


def _direction(method: Method) -> str:
    arrow = "client -> server" if method.sender is Sender.CLIENT else "server -> client"
    return arrow + (", request" if method.result else ", notification")


def _result(method: Method) -> str:
    return f"`{method.result.__name__}`" if method.result else ""


def _event_table() -> str:
    # A row of a table is one line.
    rows = [f"| {name} | `{cls.__name__}` | {' '.join(shapes.doc(cls).split())} |" for name, cls in EVENT_DATA.items()]
    return "\n".join(["| event | data | |", "| --- | --- | --- |", *rows, ""])


def _codes() -> str:
    rows = [f"| {code.value} | {code.name.lower()} |" for code in ErrorCode]
    return "\n".join(["| code | name |", "| --- | --- |", *rows, ""])


def _type_section(cls: type) -> str:
    rows = [
        f"| `{f.name}`{'?' if f.optional else ''} | {_words(f.type)}{' or null' if f.nullable and not f.optional else ''} |"
        for f in shapes.fields(cls)
    ]
    if cls is AgentEvent:
        rows = [row for row in rows if not row.startswith("| `data`")] + ["| `data` | by the table of events |"]
    table = ["| field | |", "| --- | --- |", *rows] if rows else ["No fields."]
    return "\n".join([f"### {cls.__name__}\n", shapes.doc(cls) + "\n", *table, ""])


def _words(hint: Any) -> str:
    if hint is Any:
        return "any JSON"
    if hint is str:
        return "string"
    if hint is bool:
        return "boolean"
    if hint is int:
        return "whole number"
    if hint is float:
        return "number"
    if get_origin(hint) is Literal:
        return ", ".join(f"`{member}`" for member in get_args(hint))
    if get_origin(hint) is tuple:
        return f"list of {_words(get_args(hint)[0])}"
    if get_origin(hint) is dict:
        return f"object of {_words(get_args(hint)[1])}"
    if shapes.union_members(hint):
        return " or ".join(f"`{member.__name__}`" for member in shapes.union_members(hint))
    assert attrs.has(hint)
    return f"`{hint.__name__}`"
