"""The wire types as a generator sees them: a list of classes and what their fields hold."""

import inspect
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from assent.protocol import words
from assent.protocol.converter import union_tag
from assent.protocol.events import EVENT_DATA, AgentEvent
from assent.protocol.fields import keeps_null, wire_name
from assent.protocol.handshake import ClientHandshake, SecretParams, SecretValue, ServerHandshake
from assent.protocol.methods import METHODS


@frozen
class Field:
    """A field of a wire type."""

    name: str
    type: Any
    optional: bool
    nullable: bool


def doc(cls: type) -> str:
    """The sentence that a class says of itself."""
    return inspect.getdoc(cls) or ""


def fields(cls: type) -> list[Field]:
    """The fields of a wire type in the order in which they are written."""
    hints = get_type_hints(cls)
    found = []
    for attribute in attrs.fields(cls):
        hint, nullable = without_none(hints[attribute.name])
        optional = attribute.default is not attrs.NOTHING and not keeps_null(attribute) and not is_tag(hint)
        found.append(Field(wire_name(attribute), hint, optional, nullable))
    return found


def is_tag(hint: Any) -> bool:
    """A literal of one word tells members of a union apart and is always sent."""
    return get_origin(hint) is Literal and len(get_args(hint)) == 1


def without_none(hint: Any) -> tuple[Any, bool]:
    """The type without None, and whether None was in it."""
    if get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint):
        rest = [member for member in get_args(hint) if member is not NoneType]
        return (rest[0] if len(rest) == 1 else Union[tuple(rest)]), True  # noqa: UP007
    return hint, False


def named_words() -> dict[str, tuple[str, ...]]:
    """The closed lists of words by name."""
    return {name: get_args(value) for name, value in vars(words).items() if get_origin(value) is Literal}


def word_name(hint: Any) -> str | None:
    """The name of a closed list, where it has one."""
    return next((name for name, members in named_words().items() if members == get_args(hint)), None)


def union_members(hint: Any) -> tuple[type, ...]:
    """The classes of a union, or nothing where it is none."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else ()


def tag_of(hint: Any) -> str:
    """The field that tells the members of a union apart."""
    return union_tag(hint)


def all_classes() -> list[type]:
    """Every wire type that a message can hold, each after the ones that it is made of."""
    ordered: list[type] = []

    def visit(hint: Any) -> None:
        hint, _ = without_none(hint)
        if isinstance(hint, type) and attrs.has(hint):
            if hint in ordered:
                return
            for field in fields(hint):
                visit(field.type)
            ordered.append(hint)
        else:
            for argument in get_args(hint):
                visit(argument)

    for root in (ClientHandshake, ServerHandshake, SecretParams, SecretValue, *EVENT_DATA.values()):
        visit(root)
    for method in METHODS:
        visit(method.params)
        visit(method.result)
    ordered.remove(AgentEvent)
    ordered.insert(next(i for i, cls in enumerate(ordered) if cls.__name__ == "SessionLoaded"), AgentEvent)
    return ordered
