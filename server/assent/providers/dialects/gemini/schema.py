"""The schema of a tool's arguments, as far as Gemini reads JSON Schema.

It goes into `parametersJsonSchema`. A word that Gemini does not know makes it refuse the whole request, so such words
are left out: the model is told a little less, and what it sends is checked against the whole schema all the same.
"""

import re
from collections.abc import Mapping

from assent.model.json import Json, JsonObject
from assent.providers.fields import items, member, text_in

_WORDS = ("title", "description")
_NUMBERS = ("minItems", "maxItems", "minimum", "maximum")
_LISTS = ("prefixItems", "anyOf", "oneOf")
_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_FORMATS = ("date-time", "date", "time")
_REFERENCE = re.compile(r"#/(?:\$defs|definitions)/([^/~%]+)")


def parameters(schema: JsonObject) -> JsonObject | None:
    """The schema to send, or None for a tool without arguments, which is declared without one."""
    if not member(schema, "properties") and not schema.get("$ref"):
        return None
    definitions = _definitions(schema)
    whole = _cleaned(schema, frozenset(definitions))
    if definitions:
        known = frozenset(definitions)
        whole["$defs"] = {name: _cleaned(one, known) for name, one in definitions.items()}
    return whole if "$ref" in whole else {**whole, "type": "object"}


def _definitions(schema: JsonObject) -> dict[str, Json]:
    """Both words for them; Gemini knows the newer one."""
    found: dict[str, Json] = {}
    for word in ("definitions", "$defs"):
        known = schema.get(word)
        if isinstance(known, Mapping):
            found |= known
    return found


def _cleaned(schema: Json, known: frozenset[str]) -> dict[str, Json]:
    if not isinstance(schema, Mapping):
        # true and false are schemas as well; what is in neither form says nothing.
        return {}
    if len(single := items(schema.get("allOf"))) == 1 and isinstance(single[0], Mapping):
        schema = {**schema, **single[0]}
    if reference := _reference(schema.get("$ref"), known):
        # Nothing else may stand beside it.
        return {"$ref": reference}
    cleaned: dict[str, Json] = {word: schema[word] for word in _WORDS if isinstance(schema.get(word), str)}
    cleaned |= {word: schema[word] for word in _NUMBERS if _is_number(schema.get(word))}
    cleaned |= _kind(schema)
    cleaned |= {word: _all(schema[word], known) for word in _LISTS if items(schema.get(word))}
    if isinstance(schema.get("items"), Mapping):
        cleaned["items"] = _cleaned(schema["items"], known)
    return cleaned | _members(schema, known)


def _all(schemas: Json, known: frozenset[str]) -> list[Json]:
    return [_cleaned(one, known) for one in items(schemas)]


def _reference(value: Json, known: frozenset[str]) -> str | None:
    found = _REFERENCE.fullmatch(text_in(value))
    return f"#/$defs/{found.group(1)}" if found and found.group(1) in known else None


def _kind(schema: JsonObject) -> dict[str, Json]:
    """Type, format and the values that there are."""
    found: dict[str, Json] = {}
    types = [name for name in items(schema.get("type")) if name in _TYPES]
    if schema.get("type") in _TYPES:
        found["type"] = schema["type"]
    elif types:
        found["type"] = types
    if schema.get("format") in _FORMATS:
        found["format"] = schema["format"]
    values = [schema["const"]] if "const" in schema else items(schema.get("enum"))
    if told := [value for value in values if isinstance(value, str) or _is_number(value)]:
        found["enum"] = told
    return found


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _members(schema: JsonObject, known: frozenset[str]) -> dict[str, Json]:
    """What an object has. A name that is required and not described is an error for Gemini."""
    found: dict[str, Json] = {}
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        found["properties"] = {name: _cleaned(one, known) for name, one in properties.items()}
        if required := [name for name in items(schema.get("required")) if isinstance(name, str) and name in properties]:
            found["required"] = required
    others = schema.get("additionalProperties")
    if isinstance(others, bool):
        found["additionalProperties"] = others
    elif isinstance(others, Mapping):
        found["additionalProperties"] = _cleaned(others, known)
    return found
