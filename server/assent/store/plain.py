"""Frozen dataclasses as plain JSON and back, strictly: nothing is coerced or guessed, a fault names its place."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, TypeVar, Union, get_args, get_origin

from assent.lazy_dataclasses import dataclass
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

_Write = Callable[[Any, Veil], Any]
_Read = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a dataclass is written and read, found out once."""

    writers: tuple[tuple[str, _Write], ...]
    readers: Mapping[str, _Read]
    needed: frozenset[str]


def to_plain(value: Any, veil: Veil) -> dict[str, Any]:
    """A dataclass as a JSON object, every field by its name."""
    return {name: write(getattr(value, name), veil) for name, write in _plan(type(value)).writers}


def from_plain(data: Any, kind: type[T]) -> T:
    """A JSON object as this dataclass. Missing is only what has a default; what nobody knows is a fault."""
    plan = _plan(kind)
    _object(data, kind.__name__)
    if not plan.readers.keys() >= data.keys() >= plan.needed:
        others = (data.keys() - plan.readers.keys()) | (plan.needed - data.keys())
        raise Malformed(f"{kind.__name__} has other fields: {', '.join(sorted(others))}")
    return kind(**{name: plan.readers[name](item) for name, item in data.items()})


def _plan(kind: Any) -> _Plan:
    return _plan_of(kind)


@cache
def _plan_of(kind: Any) -> _Plan:
    known = [field for field in fields(kind) if field.metadata.get("kept", True)]
    return _Plan(
        tuple((field.name, _writer(field.type)) for field in known),
        {field.name: _reader(field.type, f"{kind.__name__}.{field.name}") for field in known},
        frozenset(field.name for field in known if _needed(field)),
    )


def _needed(field: "Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _writer(kind: Any) -> _Write:
    if kind is Json:
        return lambda value, veil: veil.value(value)
    if _is_union(kind):
        bare = _writer(_bare(kind))
        return lambda value, veil: None if value is None else bare(value, veil)
    if get_origin(kind) is tuple:
        item = _writer(_item(kind))
        return lambda value, veil: [item(one, veil) for one in value]
    if _is_object(kind):
        return lambda value, veil: veil.value(value)
    if isinstance(kind, type) and is_dataclass(kind):
        return to_plain
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return lambda value, _: value.value
    if kind is str:
        return lambda value, veil: veil.text(value)
    return lambda value, _: value


def _reader(kind: Any, place: str) -> _Read:
    if kind is Json:
        return lambda data: data
    if _is_union(kind):
        bare = _reader(_bare(kind), place)
        return lambda data: None if data is None else bare(data)
    if get_origin(kind) is tuple:
        item = _reader(_item(kind), place)
        return lambda data: tuple(item(one) for one in _list(data, place))
    if _is_object(kind):
        return lambda data: _object(data, place)
    if isinstance(kind, NewType):
        return _reader(kind.__supertype__, place)
    if isinstance(kind, type) and is_dataclass(kind):
        return lambda data: from_plain(data, kind)
    if issubclass(kind, StrEnum):
        words = {word.value: word for word in kind}
        return lambda data: _word(data, words, place)
    return lambda data: _exactly(data, kind, place)


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (UnionType, Union)


def _bare(kind: Any) -> Any:
    """The type beside None; only such unions are stored."""
    (bare,) = (one for one in get_args(kind) if one is not NoneType)
    return bare


def _is_object(kind: Any) -> bool:
    return get_origin(kind) is Mapping


def _item(kind: Any) -> Any:
    item, dots = get_args(kind)
    assert dots is ...
    return item


def _exactly(data: Any, kind: Any, place: str) -> Any:
    if type(data) is not kind:
        raise Malformed(f"{place} is no {kind.__name__}")
    return data


def _object(data: Any, place: str) -> dict[str, Any]:
    return _exactly(data, dict, place)  # type: ignore[no-any-return]


def _list(data: Any, place: str) -> list[Any]:
    return _exactly(data, list, place)  # type: ignore[no-any-return]


def _word(data: Any, words: Mapping[str, StrEnum], place: str) -> StrEnum:
    if not isinstance(data, str) or data not in words:
        raise Malformed(f"{place} is none of its words")
    return words[data]
