"""What of a schema is understood, what fits it, and how what does not fit is told."""

from typing import Any

import pytest

from assent.agent.json_schema import DEEPEST, MOST_FAULTS, MOST_PARTS, misfit, not_understood

UNDERSTOOD: list[Any] = [
    {},
    {"type": "object"},
    {"type": ["string", "null"]},
    {"title": "t", "description": "d", "default": 1, "examples": [1], "$schema": "https://example.org"},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False},
    {"type": "array", "items": {"enum": ["x", 1, None, {"a": []}]}, "minItems": 0, "maxItems": 9},
    {"anyOf": [{"const": 1}, {"minimum": -1.5, "maximum": 2}, {"minLength": 1, "maxLength": 2}]},
    {"additionalProperties": {"type": "boolean"}},
]

# The schema, and what the fault has to name.
NOT_UNDERSTOOD: list[tuple[Any, str]] = [
    (True, "schema: a schema is an object"),
    ([], "schema: a schema is an object"),
    ({"$ref": "#"}, "“$ref” is not understood"),
    ({"pattern": "(a+)+$"}, "“pattern” is not understood; known are additionalProperties, anyOf"),
    ({"type": "text"}, "what “type” says"),
    ({"type": []}, "what “type” says"),
    ({"type": [["string"]]}, "what “type” says"),
    ({"type": None}, "what “type” says"),
    ({"properties": []}, "what “properties” says"),
    ({"properties": {"a": {"properties": {"b": True}}}}, "schema.properties.a.properties.b: a schema is an object"),
    ({"required": "a"}, "what “required” says"),
    ({"required": [1]}, "what “required” says"),
    ({"items": [{}]}, "what “items” says"),
    ({"items": {"oneOf": []}}, "schema.items: “oneOf”"),
    ({"additionalProperties": 1}, "what “additionalProperties” says"),
    ({"additionalProperties": {"not": {}}}, "schema.additionalProperties: “not”"),
    ({"enum": []}, "what “enum” says"),
    ({"anyOf": []}, "what “anyOf” says"),
    ({"anyOf": [{}, {"format": "date"}]}, "schema.anyOf[1]: “format”"),
    ({"minimum": "1"}, "what “minimum” says"),
    ({"maximum": True}, "what “maximum” says"),
    ({"minLength": -1}, "what “minLength” says"),
    ({"maxItems": 1.5}, "what “maxItems” says"),
    ({"minItems": True}, "what “minItems” says"),
]


@pytest.mark.parametrize("schema", UNDERSTOOD, ids=map(str, UNDERSTOOD))
def test_what_models_write_is_understood(schema: Any) -> None:
    assert not_understood(schema) is None


@pytest.mark.parametrize(("schema", "named"), NOT_UNDERSTOOD, ids=[str(schema) for schema, _ in NOT_UNDERSTOOD])
def test_what_cannot_be_checked_is_named_with_its_place(schema: Any, named: str) -> None:
    fault = not_understood(schema)
    assert fault is not None
    assert named in fault


def nested(levels: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


def test_a_schema_may_be_so_deep_and_so_large_and_no_more() -> None:
    assert not_understood(nested(DEEPEST)) is None
    assert not_understood(nested(DEEPEST + 1)) == f"the schema is nested deeper than {DEEPEST}"
    assert not_understood(nested(10_000)) == f"the schema is nested deeper than {DEEPEST}"

    assert not_understood({"properties": {str(n): {} for n in range(MOST_PARTS - 1)}}) is None
    more: Any = {"properties": {str(n): {} for n in range(MOST_PARTS)}}
    assert not_understood(more) == f"the schema has more than {MOST_PARTS} parts"


def test_names_of_properties_do_not_count_as_depth() -> None:
    assert not_understood({"properties": {"a.b[c]" * 40: {"type": "string"}}}) is None


REPORT: Any = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 3},
        "count": {"type": "integer", "minimum": 0, "maximum": 9},
        "kind": {"enum": ["a", 1, None]},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "either": {"anyOf": [{"type": "boolean"}, {"type": "object", "required": ["x"]}]},
        "one": {"const": {"a": [1, True]}},
    },
    "required": ["name"],
    "additionalProperties": False,
}

# A value that fits REPORT, or what is said of it.
VALUES: list[tuple[Any, str | None]] = [
    ({"name": "ok"}, None),
    ({"name": "äöü", "count": 9, "kind": 1.0, "tags": ["x"], "either": False, "one": {"a": [1.0, True]}}, None),
    ({"name": "ok", "count": 3.0}, None),
    ({"name": "ok", "kind": None}, None),
    ({"name": "ok", "either": {"x": 1, "y": 2}}, None),
    ([], "the value is no object"),
    ({}, "the value.name is missing"),
    ({"name": ""}, "the value.name is less than its minLength of 1"),
    ({"name": "long"}, "the value.name is more than its maxLength of 3"),
    ({"name": 1}, "the value.name is no string"),
    ({"name": "ok", "count": 1.5}, "the value.count is no integer"),
    ({"name": "ok", "count": True}, "the value.count is no integer"),
    ({"name": "ok", "count": -1}, "the value.count is less than its minimum of 0"),
    ({"name": "ok", "count": 10}, "the value.count is more than its maximum of 9"),
    ({"name": "ok", "kind": True}, "the value.kind is none of the values that it may be"),
    ({"name": "ok", "kind": "b"}, "the value.kind is none of the values that it may be"),
    ({"name": "ok", "tags": []}, "the value.tags is less than its minItems of 1"),
    ({"name": "ok", "tags": ["a", "b", "c"]}, "the value.tags is more than its maxItems of 2"),
    ({"name": "ok", "tags": ["a", 1]}, "the value.tags[1] is no string"),
    ({"name": "ok", "either": {"y": 2}}, "the value.either fits none of the ways that it may be"),
    ({"name": "ok", "one": {"a": [1, 1]}}, "the value.one is not the one value that it may be"),
    ({"name": "ok", "one": {"a": [1]}}, "the value.one is not the one value that it may be"),
    ({"name": "ok", "more": 1}, "the value.more is not known"),
    (
        {"name": 1, "more": 1, "count": "x"},
        "the value.name is no string; the value.more is not known; the value.count is no integer",
    ),
]


@pytest.mark.parametrize(("value", "told"), VALUES, ids=[str(value) for value, _ in VALUES])
def test_what_does_not_fit_is_told_by_its_place(value: Any, told: str | None) -> None:
    assert not_understood(REPORT) is None
    assert misfit(value, REPORT) == told


def test_others_may_have_a_schema_of_their_own() -> None:
    schema: Any = {"properties": {"a": {}}, "additionalProperties": {"type": ["number", "null"]}}
    assert misfit({"a": "x", "b": 1, "c": None}, schema) is None
    assert misfit({"a": "x", "b": "x"}, schema) == "the value.b is no number or null"


def test_what_is_told_is_short_whatever_the_value_holds() -> None:
    told = misfit([{"n" * 100_000: 1}] * 1_000, {"items": {"additionalProperties": False}})
    assert told is not None
    assert told.count(";") == MOST_FAULTS - 1
    assert len(told) < 2_000
    fault = not_understood({"n" * 100_000: 1})
    assert fault is not None
    assert len(fault) < 500
