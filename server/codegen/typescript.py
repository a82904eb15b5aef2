"""The TypeScript module: types, checks of what arrives, and typed methods."""

from typing import Any, Literal, get_args, get_origin

import attrs

from assent.protocol.events import EVENT_DATA, AgentEvent
from assent.protocol.handshake import PROTOCOL_VERSION
from assent.protocol.methods import METHODS, ErrorCode, Method, Sender
from codegen import shapes

_HEADER = """\
// Generated from server/assent/protocol by `python3 dev.py generate`. Do not edit.

import { type Check, type Guard, any, array, boolean, guard, integer, maybe, nullable, number, object, optional, record, string, tagged, word } from "./check.js";
"""


def typescript_module() -> str:
    """The whole text of the generated module."""
    parts = [_HEADER, f"export const PROTOCOL_VERSION = {PROTOCOL_VERSION};\n", _error_codes()]
    parts += [_word_list(name, members) for name, members in shapes.named_words().items()]
    for cls in shapes.all_classes():
        parts.append(_event_types() if cls is AgentEvent else _interface(cls))
    for cls in shapes.all_classes():
        parts.append(_event_guard() if cls is AgentEvent else _guard(cls))
    parts += [
        _method_map("ClientRequests", "What the client asks of the server.", _requests(Sender.CLIENT)),
        _method_map("ServerRequests", "What the server asks of the client, where announced.", _requests(Sender.SERVER)),
        _notification_map(),
        _guard_table("serverNotificationGuards", "Checks of notifications as they arrive.", _notifications(), "params"),
        _guard_table("clientResultGuards", "Checks of the server's answers.", _requests(Sender.CLIENT), "result"),
        _guard_table("serverRequestGuards", "Checks of the server's requests.", _requests(Sender.SERVER), "params"),
    ]
    return "\n".join(parts)


def _error_codes() -> str:
    rows = "".join(f"  {code.name}: {code.value},\n" for code in ErrorCode)
    return f"/** JSON-RPC error codes. */\nexport const ErrorCode = {{\n{rows}}} as const;\n"


def _word_list(name: str, members: tuple[str, ...]) -> str:
    listed = ", ".join(f'"{member}"' for member in members)
    return f"export const {_constant(name)} = [{listed}] as const;\nexport type {name} = (typeof {_constant(name)})[number];\n"


def _constant(name: str) -> str:
    return "".join("_" + letter if letter.isupper() and index else letter for index, letter in enumerate(name)).upper()


def _interface(cls: type) -> str:
    rows = "".join(_member(field) for field in shapes.fields(cls))
    return f"/** {shapes.doc(cls)} */\nexport interface {cls.__name__} {{\n{rows}}}\n"


def _member(field: shapes.Field) -> str:
    mark = "?" if field.optional else ""
    null = " | null" if field.nullable else ""
    return f"  {field.name}{mark}: {_type(field.type)}{null};\n"


def _event_types() -> str:
    members = "".join(f'\n  | EventOf<"{name}", {cls.__name__}>' for name, cls in EVENT_DATA.items())
    return (
        "interface EventOf<Name extends string, Data> {\n"
        "  sessionId: string;\n  runId: string;\n  n: number;\n  event: Name;\n  data: Data;\n"
        "  passing?: boolean | null;\n}\n\n"
        f"/** {shapes.doc(AgentEvent)} */\nexport type AgentEvent ={members};\n"
    )


def _type(hint: Any) -> str:
    if hint is Any:
        return "unknown"
    if hint is str:
        return "string"
    if hint is bool:
        return "boolean"
    if hint in (int, float):
        return "number"
    if get_origin(hint) is Literal:
        return shapes.word_name(hint) or " | ".join(f'"{member}"' for member in get_args(hint))
    if get_origin(hint) is tuple:
        return f"{_array_item(get_args(hint)[0])}[]"
    if get_origin(hint) is dict:
        return f"Record<string, {_type(get_args(hint)[1])}>"
    if shapes.union_members(hint):
        return " | ".join(member.__name__ for member in shapes.union_members(hint))
    if attrs.has(hint):
        return str(hint.__name__)
    raise TypeError(f"no TypeScript type for {hint}")


def _array_item(hint: Any) -> str:
    text = _type(hint)
    return f"({text})" if " | " in text else text


def _guard(cls: type) -> str:
    rows = "".join(f"  {field.name}: {_field_check(field)},\n" for field in shapes.fields(cls))
    body = f"object({{\n{rows}}})" if rows else "object({})"
    name = _check_name(cls)
    return f"const {name}: Check = {body};\nexport const is{cls.__name__}: Guard<{cls.__name__}> = guard({name});\n"


def _event_guard() -> str:
    rows = "".join(f"  {name}: eventOf({_check_name(cls)}),\n" for name, cls in EVENT_DATA.items())
    return (
        "function eventOf(data: Check): Check {\n"
        "  return object({ sessionId: string, runId: string, n: integer, data, passing: maybe(boolean) });\n}\n\n"
        f'const agentEvent: Check = tagged("event", {{\n{rows}}});\n'
        "export const isAgentEvent: Guard<AgentEvent> = guard(agentEvent);\n"
    )


def _field_check(field: shapes.Field) -> str:
    check = _check(field.type)
    if field.nullable and field.optional:
        return f"maybe({check})"
    if field.nullable:
        return f"nullable({check})"
    return f"optional({check})" if field.optional else check


def _check(hint: Any) -> str:
    if hint is Any:
        return "any"
    if hint is str:
        return "string"
    if hint is bool:
        return "boolean"
    if hint is int:
        return "integer"
    if hint is float:
        return "number"
    if get_origin(hint) is Literal:
        name = shapes.word_name(hint)
        return f"word({_constant(name)})" if name else "word([" + ", ".join(f'"{w}"' for w in get_args(hint)) + "])"
    if get_origin(hint) is tuple:
        return f"array({_check(get_args(hint)[0])})"
    if get_origin(hint) is dict:
        return f"record({_check(get_args(hint)[1])})"
    if shapes.union_members(hint):
        tag = shapes.tag_of(hint)
        rows = ", ".join(f"{_tag_value(member, tag)}: {_check_name(member)}" for member in shapes.union_members(hint))
        return f'tagged("{tag}", {{ {rows} }})'
    return _check_name(hint)


def _tag_value(member: type, tag: str) -> str:
    field = next(field for field in shapes.fields(member) if field.name == tag)
    return str(get_args(field.type)[0])


def _check_name(cls: type) -> str:
    return cls.__name__[0].lower() + cls.__name__[1:]


def _requests(sender: Sender) -> list[Method]:
    return [method for method in METHODS if method.sender is sender and method.result is not None]


def _notifications() -> list[Method]:
    return [method for method in METHODS if method.sender is Sender.SERVER and method.result is None]


def _method_map(name: str, sentence: str, methods: list[Method]) -> str:
    rows = "".join(
        f'  /** {method.purpose} */\n  "{method.name}": {{ params: {method.params.__name__}; result: {_name(method)} }};\n'
        for method in methods
    )
    return f"/** {sentence} */\nexport interface {name} {{\n{rows}}}\n"


def _name(method: Method) -> str:
    return method.result.__name__ if method.result else "void"


def _notification_map() -> str:
    rows = "".join(f'  /** {method.purpose} */\n  "{method.name}": {_params(method)};\n' for method in _notifications())
    return f"/** What the server tells the client. */\nexport interface ServerNotifications {{\n{rows}}}\n"


def _params(method: Method) -> str:
    return method.params.__name__


def _guard_table(name: str, sentence: str, methods: list[Method], side: str) -> str:
    rows = "".join(
        f'  "{method.name}": is{(method.params if side == "params" else method.result).__name__},\n'  # type: ignore[union-attr]
        for method in methods
    )
    return f"/** {sentence} */\nexport const {name} = {{\n{rows}}} as const;\n"
