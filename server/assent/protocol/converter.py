"""Between wire types and JSON, strictly: nothing is coerced, extra fields are ignored, a fault names its place."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs
import cattrs
from cattrs import AttributeValidationNote, ClassValidationError, IterableValidationError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, override

from assent.protocol.approval import Dismissed, Selected
from assent.protocol.events import EVENT_DATA, AgentEvent
from assent.protocol.fields import keeps_null, wire_name

T = TypeVar("T")


class WireFault(ValueError):
    """A message does not fit its type; `path` leads to the field, as in `params.response.outcome`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


def from_wire(data: object, cls: type[T], *, root: str = "params") -> T:
    """Plain JSON as a wire type, or a WireFault that names the first field at fault."""
    try:
        return _converter().structure(data, cls)
    except cattrs.BaseValidationError as group:
        path, cause = _first_fault(group)
        raise WireFault(root + path, _explain(cause)) from group
    except (TypeError, ValueError, KeyError) as fault:
        raise WireFault(root, _explain(fault)) from fault


def to_wire(value: Any) -> Any:
    """A wire type as plain JSON: camelCase, without the optional fields that have no value."""
    kind: Any = type(value)
    plan = _plan(kind)
    if plan is not None:
        out: dict[str, Any] = {}
        for attribute, name, optional in plan:
            item = getattr(value, attribute)
            if item is not None:
                out[name] = item if item.__class__ is str else to_wire(item)
            elif not optional:
                out[name] = None
        return out
    if isinstance(value, tuple):
        return [to_wire(item) for item in value]
    return value


@cache
def _plan(cls: Any) -> tuple[tuple[str, str, bool], ...] | None:
    """Of a wire type each field, its name on the wire, and whether it is left out without a value; else None."""
    if not attrs.has(cls):
        return None
    return tuple(
        (attribute.name, name, attribute.default is None and not keeps_null(attribute))
        for attribute, name in _fields(cls)
    )


@cache
def _fields(cls: Any) -> tuple[tuple["attrs.Attribute[Any]", str], ...]:
    return tuple((attribute, wire_name(attribute)) for attribute in attrs.fields(cls))


@lru_cache(maxsize=1)
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(detailed_validation=True)
    for primitive in (str, int, bool, float):
        converter.register_structure_hook(primitive, partial(_primitive, primitive))
    converter.register_structure_hook_func(_made_of(Literal), _literal)
    converter.register_structure_hook_func(lambda cls: cls is Any, lambda data, _: data)
    converter.register_structure_hook_factory(_made_of(tuple), lambda cls: _guarded(converter, cls))
    converter.register_structure_hook_factory(_made_of(dict), lambda _: partial(_mapping, converter))
    # Unions before the classes that hold them.
    converter.register_structure_hook_func(_is_tagged_union, partial(_tagged_union, converter))
    converter.register_structure_hook_factory(attrs.has, partial(_class_hook, converter))
    converter.register_structure_hook(AgentEvent, partial(_agent_event, converter))
    return converter


def _made_of(origin: Any) -> Callable[[Any], bool]:
    return lambda cls: bool(get_origin(cls) is origin)


def _primitive(expected: type, data: object, _: type) -> object:
    allowed = (int, float) if expected is float else (expected,)
    if isinstance(data, allowed) and (expected is bool or not isinstance(data, bool)):
        return data
    raise TypeError(f"expected {_JSON_NAMES[expected]}, got {_json_name(data)}")


def _literal(data: object, cls: Any) -> object:
    words = get_args(cls)
    if isinstance(data, str) and data in words:
        return data
    raise ValueError(f"expected one of {', '.join(words)}")


def _mapping(converter: cattrs.Converter, data: object, cls: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise TypeError(f"expected an object, got {_json_name(data)}")
    _, value_type = get_args(cls)
    return {key: converter.structure(value, value_type) for key, value in data.items()}


def _guarded(converter: cattrs.Converter, cls: Any) -> Callable[[object, Any], Any]:
    """cattrs would take any iterable for a tuple, a string too."""
    as_list: Any = list[get_args(cls)[0]]  # type: ignore[misc]

    def structure(data: object, _: Any) -> Any:
        if not isinstance(data, list):
            raise TypeError(f"expected a list, got {_json_name(data)}")
        return tuple(converter.structure(data, as_list))

    return structure


def _class_hook(converter: cattrs.Converter, cls: Any) -> Callable[[object, Any], Any]:
    renames: dict[str, Any] = {attribute.name: override(rename=name) for attribute, name in _fields(cls)}
    structure: Any = make_dict_structure_fn(cls, converter, **renames)

    def checked(data: object, _: Any) -> Any:
        if not isinstance(data, dict):
            raise TypeError(f"expected an object, got {_json_name(data)}")
        return structure(data, cls)

    return checked


def _is_tagged_union(cls: Any) -> bool:
    return get_origin(cls) in (Union, UnionType) and len(_members(cls)) > 1 and all(map(attrs.has, _members(cls)))


def _members(cls: Any) -> list[Any]:
    return [member for member in get_args(cls) if member is not NoneType]


def _tagged_union(converter: cattrs.Converter, data: object, cls: Any) -> Any:
    """The members of a union tell themselves apart by their one literal field."""
    if data is None and NoneType in get_args(cls):
        return None
    if not isinstance(data, dict):
        raise TypeError(f"expected an object, got {_json_name(data)}")
    tag = union_tag(cls)
    members = {union_tag_value(member, tag): member for member in _members(cls)}
    word = data.get(tag)
    if not isinstance(word, str) or word not in members:
        raise ValueError(f"expected {tag} to be one of {', '.join(members)}")
    return converter.structure(data, members[word])


def union_tag(cls: Any) -> str:
    """The name of the field that tells the members of a union apart."""
    return "outcome" if get_args(cls) == (Selected, Dismissed) else "kind"


def union_tag_value(member: type, tag: str) -> str:
    """The word by which a member of a union is known."""
    attribute = next(attribute for attribute, name in _fields(member) if name == tag)
    return str(get_args(attribute.type)[0])


def _agent_event(converter: cattrs.Converter, data: object, _: Any) -> AgentEvent:
    frame: _EventFrame = converter.structure(data, _EventFrame)
    with _faults_at("event"):
        data_type = _data_type(frame.event)
    with _faults_at("data"):
        body = converter.structure(frame.data, data_type)
    return AgentEvent(frame.session_id, frame.run_id, frame.n, frame.event, body)


def _data_type(event: str) -> Any:
    if event not in EVENT_DATA:
        raise ValueError(f"expected one of {', '.join(EVENT_DATA)}")
    return EVENT_DATA[event]


@contextmanager
def _faults_at(name: str) -> Iterator[None]:
    """Gives a fault the place that cattrs gives to those of the fields that it structures itself."""
    try:
        yield
    except Exception as fault:
        fault.add_note(AttributeValidationNote(f"in the {name} of an event", name, object))
        raise ClassValidationError("an event does not fit", [fault], AgentEvent) from fault


@attrs.frozen
class _EventFrame:
    """An event before the type of its data is known."""

    session_id: str
    run_id: str
    n: int
    event: str
    data: Any


def _first_fault(fault: BaseException) -> tuple[str, BaseException]:
    path = ""
    while isinstance(fault, (ClassValidationError, IterableValidationError)):
        inner = fault.exceptions[0]
        for note in getattr(inner, "__notes__", ()):
            if isinstance(note, AttributeValidationNote):
                path += "." + _name_on_wire(fault, note.name)
            elif isinstance(note, IterableValidationNote):
                path += f"[{note.index}]"
        fault = inner
    return path, fault


def _name_on_wire(fault: BaseException, attribute_name: str) -> str:
    cls = getattr(fault, "cl", None)
    if cls is not None and attrs.has(cls):
        return next((name for attribute, name in _fields(cls) if attribute.name == attribute_name), attribute_name)
    return attribute_name


def _explain(fault: BaseException) -> str:
    if isinstance(fault, KeyError):
        return "is required"
    return str(fault)


_JSON_NAMES: dict[type, str] = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}


def _json_name(data: object) -> str:
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "true or false"
    if isinstance(data, dict):
        return "an object"
    if isinstance(data, list):
        return "a list"
    return _JSON_NAMES.get(type(data), type(data).__name__)
