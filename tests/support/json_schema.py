"""As much of JSON Schema as the extension's manifest uses, checked as an editor does."""

from typing import Any

KNOWN = {
    "type",
    "enum",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "propertyNames",
    "anyOf",
    "minLength",
    "minimum",
    "maximum",
}
WORDS = {"description", "markdownDescription", "enumDescriptions", "default", "scope", "order"}

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
    "number": (int, float),
    "integer": (int,),
}


def accepts(schema: dict[str, Any], value: Any) -> bool:
    """Whether an editor leaves this value alone. A word that this checker does not know fails."""
    assert set(schema) <= KNOWN | WORDS, set(schema) - KNOWN - WORDS
    return (
        _is_of_type(schema.get("type"), value)
        and ("enum" not in schema or value in schema["enum"])
        and ("anyOf" not in schema or any(accepts(one, value) for one in schema["anyOf"]))
        and (not isinstance(value, str) or len(value) >= schema.get("minLength", 0))
        and (not _is_number(value) or schema.get("minimum", value) <= value <= schema.get("maximum", value))
        and (not isinstance(value, list) or all(accepts(schema.get("items", {}), item) for item in value))
        and (not isinstance(value, dict) or _accepts_members(schema, value))
    )


def _is_of_type(types: str | list[str] | None, value: Any) -> bool:
    names = [types] if isinstance(types, str) else types
    if isinstance(value, bool):
        return names is None or "boolean" in names
    return names is None or any(isinstance(value, _TYPES[name]) for name in names)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _accepts_members(schema: dict[str, Any], value: dict[str, Any]) -> bool:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    if any(name not in value for name in schema.get("required", ())):
        return False
    if not all(accepts(schema.get("propertyNames", {}), name) for name in value):
        return False
    for name, member in value.items():
        of_member = known.get(name, others)
        if of_member is False or (isinstance(of_member, dict) and not accepts(of_member, member)):
            return False
    return True
