"""Numbers and truths that a model has written as texts, taken as what the schema of their tool asks for.

Models write "limit": "1". Where the schema wants a number there and allows no text, that is the number 1 and nothing
else. It is taken before anything looks at the call, so that rules, hooks, card and digest have what runs. Whatever
could be meant otherwise stays as it is, and does not fit.
"""

import re
from collections.abc import Mapping
from typing import Any

from assent.agent.json_schema import TYPES, understood_part
from assent.jsontext import read_json, write_json
from assent.model.json import Json, JsonObject

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?", re.ASCII)
_TRUTHS = {"true": True, "false": False}
_DEEPEST = 32
_SAYS_WHAT_IS_IN_IT = frozenset({"properties", "additionalProperties", "items"})


def holds_texts_for_others(value: Json, depth: int = 0) -> bool:
    """Whether a text in it could stand for a number or a truth: most calls have none, and need no look at a schema."""
    if isinstance(value, str):
        return value in _TRUTHS or _NUMBER.fullmatch(value) is not None
    if depth > _DEEPEST or not isinstance(value, Mapping | list):
        return False
    members = value.values() if isinstance(value, Mapping) else value
    return any(holds_texts_for_others(one, depth + 1) for one in members)


def as_asked(args: JsonObject, schema: JsonObject) -> JsonObject:
    """The arguments with each such text as the number or truth that this schema, of whomever, asks for in its place."""
    taken = _taken(args, understood_part(schema), 0)
    return taken if isinstance(taken, Mapping) else args


def _taken(value: Any, schema: Any, depth: int) -> Any:
    if isinstance(value, str):
        return _meant(value, _types(schema))
    if depth > _DEEPEST or not isinstance(value, Mapping | list):
        return value
    if isinstance(value, list):
        items = _only_way("array", schema).get("items", {})
        return [_taken(one, items, depth + 1) for one in value]
    way = _only_way("object", schema)
    known, others = way.get("properties", {}), way.get("additionalProperties")
    unnamed = others if isinstance(others, Mapping) else {}
    return {name: _taken(one, known.get(name, unnamed), depth + 1) for name, one in value.items()}


def _only_way(kind: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the schema says of values of this kind; nothing where it says that they may be this or that."""
    ways = schema.get("anyOf")
    if ways is None:
        return schema
    possible = [way for way in ways if kind in _types(way)]
    return _only_way(kind, possible[0]) if len(possible) == 1 and not schema.keys() & _SAYS_WHAT_IS_IN_IT else {}


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    """The types that a value may have; every word of a schema takes some away."""
    said = schema.get("type", TYPES)
    types = frozenset([said] if isinstance(said, str) else said)
    types |= {"integer"} if "number" in types else frozenset()
    ways = schema.get("anyOf")
    return types if ways is None else types & frozenset().union(*map(_types, ways))


def _meant(text: str, types: frozenset[str]) -> Json:
    if "string" in types:
        return text
    if text in _TRUTHS:
        return _TRUTHS[text] if "boolean" in types else text
    if _NUMBER.fullmatch(text) is None or ("number" if "." in text else "integer") not in types:
        return text
    number = read_json(text)
    # “1.50” or a longer fraction than a number has is not how anybody writes just this number.
    return number if write_json(number).decode("ascii") == text else text
