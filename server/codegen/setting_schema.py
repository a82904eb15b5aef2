"""From the type of a setting to the JSON schema by which editors check it. It rejects nothing that the server takes."""

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}

_LIMITS = {"min_length": "minLength", "ge": "minimum", "le": "maximum"}


def schema_of(hint: Any) -> dict[str, Any]:
    """The schema of a type, without references: editors do not follow them in a manifest."""
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return schema_of(parts[0]) | _limits(parts[1:])
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    if origin is list:
        return {"type": "array", "items": schema_of(parts[0])}
    if origin is dict:
        return _map(*parts)
    if origin in (Union, UnionType):
        return _one_of([schema_of(part) for part in parts])
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return _object(hint)
    raise TypeError(f"no schema for {hint}")


def _limits(parts: tuple[Any, ...]) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, FieldInfo):
            for limit in part.metadata:
                limits |= {name: getattr(limit, said) for said, name in _LIMITS.items() if hasattr(limit, said)}
            limits |= {} if part.description is None else {"description": part.description}
    return limits


def _map(key: Any, value: Any) -> dict[str, Any]:
    names = {"propertyNames": {"enum": list(get_args(key))}} if get_origin(key) is Literal else {}
    return {"type": "object", **names, "additionalProperties": schema_of(value)}


def _one_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def _object(model: type[BaseModel]) -> dict[str, Any]:
    hints = get_type_hints(model, include_extras=True)
    fields = {field.alias or name: (hints[name], field) for name, field in model.model_fields.items()}
    schema: dict[str, Any] = {"type": "object"}
    required = [name for name, (_, field) in fields.items() if field.is_required()]
    if required:
        schema["required"] = required
    if model.model_config.get("extra") == "forbid":
        schema["additionalProperties"] = False
    schema["properties"] = {name: schema_of(hint) for name, (hint, _) in fields.items()}
    return schema
