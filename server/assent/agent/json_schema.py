"""Whether a JSON value fits a schema: the part of JSON Schema that models write. Pure, and bounded in what it reads.

What it does not know it does not guess: `not_understood` says so before anything is checked against the schema. Of a
schema of a stranger `understood_part` is what can be checked; the rest is left to whoever carries the call out.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from assent.model.json import Json, JsonObject

DEEPEST = 32
MOST_PARTS = 1_000
MOST_FAULTS = 5
_SHOWN = 80
_PLACE = re.compile(r"(?:^|(?<=; ))the value(?=[ .\[])")
_DEEPEST_OF_STRANGERS = 24
_MOST_PARTS_OF_STRANGERS = 2_000
_SCHEMAS = ("items", "additionalProperties")
_NARROWED_BY = {"additionalProperties": "patternProperties", "items": "prefixItems"}

_SAYS_NOTHING = frozenset({"title", "description", "default", "examples", "$schema"})
TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def not_understood(schema: Json) -> str | None:
    """What in this schema cannot be checked, by its place, or None."""
    for number, (place, part, depth) in enumerate(_parts("schema", schema, 0), start=1):
        if number > MOST_PARTS:
            return f"the schema has more than {MOST_PARTS} parts"
        if depth > DEEPEST:
            return f"the schema is nested deeper than {DEEPEST}"
        fault = _part_fault(part)
        if fault is not None:
            return f"{_shown(place)}: {fault}"
    return None


def misfit(value: Json, schema: JsonObject) -> str | None:
    """Why this value does not fit this schema, by places, or None. The schema is one that is understood."""
    found = islice(_misfits("the value", value, schema), MOST_FAULTS)
    return "; ".join(map(_shown_fault, found)) or None


def input_fault(inputs: JsonObject, schema: JsonObject) -> str | None:
    """What is wrong with these inputs, by their places, or None."""
    known = understood_part(schema)
    if not_understood(known) is not None:
        return None
    fault = misfit(inputs, known)
    return None if fault is None else _PLACE.sub("inputs", fault)


def understood_part(schema: JsonObject) -> JsonObject:
    """The schema with only what can be checked in it; references within it are followed."""
    part = _Reader(schema).part(schema, 0)
    return part if isinstance(part, Mapping) else {}


def _parts(place: str, schema: Json, depth: int) -> Iterator[tuple[str, Json, int]]:
    """A schema and every schema in it, each with its place and how deep it lies."""
    yield place, schema, depth
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return
    members = schema.get("properties")
    if isinstance(members, Mapping):
        for name, member in members.items():
            yield from _parts(f"{place}.properties.{name}", member, depth + 1)
    for word in ("items", "additionalProperties"):
        if word in schema and not isinstance(schema[word], bool):
            yield from _parts(f"{place}.{word}", schema[word], depth + 1)
    ways = schema.get("anyOf")
    if isinstance(ways, list):
        for index, way in enumerate(ways):
            yield from _parts(f"{place}.anyOf[{index}]", way, depth + 1)


def _part_fault(schema: Json) -> str | None:
    if not isinstance(schema, Mapping):
        return "a schema is an object"
    for word, value in schema.items():
        if word in _SAYS_NOTHING:
            continue
        if word not in _WORDS:
            return f"“{_shown(word)}” is not understood; known are {WORDS}"
        if not _WORDS[word](value):
            return f"what “{word}” says is not understood"
    return None


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_types(value: Json) -> bool:
    given = value if isinstance(value, list) else [value]
    return bool(given) and all(isinstance(one, str) and one in TYPES for one in given)


def _are_some(value: Json) -> bool:
    return isinstance(value, list) and bool(value)


_WORDS: Mapping[str, Callable[[Json], bool]] = {
    "type": _are_types,
    "properties": lambda value: isinstance(value, Mapping),
    "required": _are_texts,
    "items": lambda value: isinstance(value, Mapping),
    "additionalProperties": lambda value: isinstance(value, bool | Mapping),
    "const": lambda value: True,
    "enum": _are_some,
    "anyOf": _are_some,
    "minimum": _is_number,
    "maximum": _is_number,
    "minLength": _is_count,
    "maxLength": _is_count,
    "minItems": _is_count,
    "maxItems": _is_count,
}
"""The words that are checked, each with whether what it says makes sense."""
WORDS = ", ".join(sorted(_WORDS))
"""All of them, for whoever writes a schema."""


def _misfits(place: str, value: Any, schema: Any) -> Iterator[str]:
    types = schema.get("type")
    if types is not None:
        wanted = types if isinstance(types, list) else [types]
        if not any(_is_of(value, one) for one in wanted):
            yield f"{place} is no {' or '.join(wanted)}"
            return
    yield from _not_among(place, value, schema)
    yield from _out_of_bounds(place, value, schema)
    if isinstance(value, Mapping):
        yield from _members(place, value, schema)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from _misfits(f"{place}[{index}]", item, schema["items"])
    ways = schema.get("anyOf")
    if ways is not None and not any(_fits(value, way) for way in ways):
        yield f"{place} fits none of the ways that it may be"


def _fits(value: Json, schema: Json) -> bool:
    return next(_misfits("", value, schema), None) is None


def _not_among(place: str, value: Any, schema: Any) -> Iterator[str]:
    if "const" in schema and not _same(value, schema["const"]):
        yield f"{place} is not the one value that it may be"
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        yield f"{place} is none of the values that it may be"


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON values: 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _members(place: str, value: Any, schema: Any) -> Iterator[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{place}.{name} is missing"
    for name, member in value.items():
        if name in known:
            yield from _misfits(f"{place}.{name}", member, known[name])
        elif others is False:
            yield f"{place}.{name} is not known"
        elif others is not True:
            yield from _misfits(f"{place}.{name}", member, others)


def _out_of_bounds(place: str, value: Any, schema: Any) -> Iterator[str]:
    least, most, size = _measured(value)
    if least in schema and size < schema[least]:
        yield f"{place} is less than its {least} of {schema[least]}"
    if most in schema and size > schema[most]:
        yield f"{place} is more than its {most} of {schema[most]}"


def _measured(value: Any) -> tuple[str, str, int | float]:
    """The words that bound such a value, and what they bound in it. For what has no bounds, words that nobody says."""
    if isinstance(value, str):
        return "minLength", "maxLength", len(value)
    if isinstance(value, list):
        return "minItems", "maxItems", len(value)
    if _is_number(value):
        return "minimum", "maximum", value
    return "", "", 0


def _is_of(value: Any, kind: str) -> bool:
    match kind:
        case "object":
            return isinstance(value, Mapping)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "integer":
            return _is_number(value) and (isinstance(value, int) or value.is_integer())
    return _is_number(value)


def _shown(name: str) -> str:
    return name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"


def _shown_fault(fault: str) -> str:
    return fault if len(fault) <= 4 * _SHOWN else f"{fault[: 4 * _SHOWN]}…"


class _Reader:
    """Reads a stranger's schema, so far and no further."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._parts = 0

    def part(self, schema: Json, depth: int) -> Json:
        self._parts += 1
        if not isinstance(schema, Mapping) or depth > _DEEPEST_OF_STRANGERS or self._parts > _MOST_PARTS_OF_STRANGERS:
            return {}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self.part(self._led_to(reference), depth + 1)
        found: dict[str, Any] = {}
        for word, value in schema.items():
            if _NARROWED_BY.get(word) in schema:
                # What it says is not for all that it seems to be for.
                continue
            taken = self._taken(word, value, depth)
            if taken is not None and not_understood({taken[0]: taken[1]}) is None:
                found[taken[0]] = taken[1]
        return found

    def _taken(self, word: str, value: Any, depth: int) -> tuple[str, Any] | None:
        if word == "properties" and isinstance(value, Mapping):
            return word, {str(name): self.part(member, depth + 1) for name, member in value.items()}
        if word in _SCHEMAS and isinstance(value, Mapping):
            return word, self.part(value, depth + 1)
        if word in ("anyOf", "oneOf") and isinstance(value, list):
            # To fit one of them is the least that both words ask for.
            return "anyOf", [self.part(way, depth + 1) for way in value]
        return (word, value) if word not in ("properties", "anyOf", "oneOf") else None

    def _led_to(self, reference: str) -> Json:
        place: Any = self._root
        if not reference.startswith("#"):
            return {}
        for step in reference[1:].split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            place = place.get(name) if isinstance(place, Mapping) else None
        return place if isinstance(place, Mapping) else {}
