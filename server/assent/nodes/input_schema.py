"""Whether inputs fit the schema of a node: as far as a stranger's schema is understood. Pure, and bounded.

What is not understood is left to whoever carries it out: it never makes inputs fit less.
"""

import re
from collections.abc import Mapping
from typing import Any

from assent.agent.json_schema import misfit, not_understood
from assent.model.json import Json, JsonObject

_PLACE = re.compile(r"(?:^|(?<=; ))the value(?=[ .\[])")
_DEEPEST = 24
_MOST_PARTS = 2_000
_SCHEMAS = ("items", "additionalProperties")


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


class _Reader:
    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._parts = 0

    def part(self, schema: Json, depth: int) -> Json:
        self._parts += 1
        if not isinstance(schema, Mapping) or depth > _DEEPEST or self._parts > _MOST_PARTS:
            return {}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self.part(self._led_to(reference), depth + 1)
        found: dict[str, Any] = {}
        for word, value in schema.items():
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
