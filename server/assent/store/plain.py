"""Frozen dataclasses as plain JSON and back, strictly: nothing is coerced or guessed, a fault names its place."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, TypeVar, Union, get_args, get_origin

from assent.model.json import Json

T = TypeVar("T")


class Malformed(ValueError):
    """What was stored does not fit its type."""


@dataclass(frozen=True, slots=True)
class Veil:
    """What free text and free JSON pass on their way out. Ids and words of closed lists never do."""

    text: Callable[[str], str]
    value: Callable[[Json], Json]


BARE = Veil(lambda text: text, lambda value: value)


def to_plain(value: Any, veil: Veil) -> dict[str, Any]:
    """A dataclass as a JSON object, every field by its name."""
    plan = _plan(type(value))
    return {name: _out(getattr(value, name), kind, veil) for name, kind, _ in plan}


def from_plain(data: Any, kind: type[T]) -> T:
    """A JSON object as this dataclass. Missing is only what has a default; what nobody knows is a fault."""
    _object(data, kind.__name__)
    plan = _plan(kind)
    unknown = data.keys() - {name for name, _, _ in plan}
    missing = {name for name, _, needed in plan if needed} - data.keys()
    if unknown or missing:
        raise Malformed(f"{kind.__name__} has other fields: {', '.join(sorted(map(str, unknown | missing)))}")
    return kind(**{name: _in(data[name], field, f"{kind.__name__}.{name}") for name, field, _ in plan if name in data})


def _plan(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    return _plan_of(kind)


@cache
def _plan_of(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    return tuple((field.name, field.type, _needed(field)) for field in fields(kind))


def _needed(field: "Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _out(value: Any, kind: Any, veil: Veil) -> Any:
    if kind is Json or (_is_object(_bare(kind)) and value is not None):
        return veil.value(value)
    if is_dataclass(value):
        return to_plain(value, veil)
    if isinstance(value, tuple):
        return [_out(item, _item(kind), veil) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, str) and _bare(kind) is str:
        return veil.text(value)
    return value


def _in(data: Any, kind: Any, place: str) -> Any:
    if kind is Json:
        return data
    if _is_union(kind):
        return None if data is None else _in(data, _bare(kind), place)
    if get_origin(kind) is tuple:
        return _items(data, _item(kind), place)
    if _is_object(kind):
        return _object(data, place)
    if isinstance(kind, NewType):
        return _in(data, kind.__supertype__, place)
    if isinstance(kind, type) and is_dataclass(kind):
        return from_plain(data, kind)
    if issubclass(kind, StrEnum):
        return _word(data, kind, place)
    if type(data) is not kind:
        raise Malformed(f"{place} is no {kind.__name__}")
    return data


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (UnionType, Union)


def _bare(kind: Any) -> Any:
    """The type beside None; only such unions are stored."""
    if kind is Json or not _is_union(kind):
        return kind
    (bare,) = (one for one in get_args(kind) if one is not NoneType)
    return bare


def _is_object(kind: Any) -> bool:
    return get_origin(kind) is Mapping


def _object(data: Any, place: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise Malformed(f"{place} is no object")
    return data


def _item(kind: Any) -> Any:
    item, dots = get_args(kind)
    assert dots is ...
    return item


def _items(data: Any, item: Any, place: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise Malformed(f"{place} is no list")
    return tuple(_in(one, item, place) for one in data)


def _word(data: Any, kind: type[StrEnum], place: str) -> StrEnum:
    words: Mapping[str, StrEnum] = {word.value: word for word in kind}
    if not isinstance(data, str) or data not in words:
        raise Malformed(f"{place} is no {kind.__name__}")
    return words[data]
