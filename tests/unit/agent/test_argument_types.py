"""Numbers and truths that models write as texts: taken where nothing else can be meant, and nowhere else."""

from typing import Any

import pytest
from pydantic import Field

from assent.agent.argument_types import as_asked, holds_texts_for_others
from assent.tools.schema import Arguments, schema_of

INTEGER, NUMBER, BOOLEAN, TEXT = ({"type": kind} for kind in ("integer", "number", "boolean", "string"))


def taken(value: Any, schema: Any) -> Any:
    return as_asked({"a": value}, {"type": "object", "properties": {"a": schema}})["a"]


@pytest.mark.parametrize(
    ("text", "schema", "expected"),
    [
        ("1", INTEGER, 1),
        ("-7", INTEGER, -7),
        ("0", NUMBER, 0),
        ("1.5", NUMBER, 1.5),
        ("-0.25", NUMBER, -0.25),
        ("9007199254740993", INTEGER, 9007199254740993),
        ("true", BOOLEAN, True),
        ("false", BOOLEAN, False),
        ("1", {"type": ["integer", "null"]}, 1),
        ("1", {"anyOf": [INTEGER, {"type": "null"}]}, 1),
        ("1", {"oneOf": [INTEGER, BOOLEAN]}, 1),
        ("true", {"oneOf": [INTEGER, BOOLEAN]}, True),
        ("1", {"type": "integer", "minimum": 5}, 1),
        ("1", {"anyOf": [NUMBER, {"anyOf": [BOOLEAN]}]}, 1),
    ],
)
def test_what_can_only_be_a_number_or_a_truth_is_taken(text: str, schema: Any, expected: Any) -> None:
    found = taken(text, schema)
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize("schema", [INTEGER, NUMBER, {"type": ["integer", "boolean"]}])
@pytest.mark.parametrize(
    "text",
    # What only looks like a number, or is spelled as nobody spells just this one, or is none of JSON's.
    [
        *("", " 1", "1 ", "1\n", "+1", "01", "1.", ".5", "1.50", "1e3", "1_000", "1,5", "0x10", "-0", "--1", "NaN"),
        *("Infinity", "\u0661", "\uff19", "1.00000000000000000001", "9" * 40, "null", "one", "True", "FALSE", "[1]"),
    ],
)
def test_what_could_be_anything_else_stays_as_it_is(text: str, schema: Any) -> None:
    assert taken(text, schema) == text


@pytest.mark.parametrize("text", ["1", "1.5", "true"])
@pytest.mark.parametrize(
    "schema",
    [
        TEXT,
        {},
        {"type": ["integer", "number", "boolean", "string"]},
        {"anyOf": [INTEGER, BOOLEAN, NUMBER, TEXT]},
        {"oneOf": [INTEGER, BOOLEAN, NUMBER, {}]},
        {"anyOf": [INTEGER, BOOLEAN, {"$ref": "https://example.org/any"}]},
        {"allOf": [INTEGER]},
        {"enum": [1, 1.5, True]},
        {"type": "integral"},
        {"type": "array", "items": INTEGER},
        True,
        "integer",
    ],
)
def test_where_the_schema_allows_a_text_or_is_not_understood_it_stays_one(text: str, schema: Any) -> None:
    assert taken(text, schema) == text


def test_a_fraction_is_no_integer_and_a_truth_no_number() -> None:
    assert taken("1.5", INTEGER) == "1.5" and taken("1.0", INTEGER) == "1.0"
    assert taken("true", INTEGER) == "true" and taken("1", BOOLEAN) == "1"


def test_what_lies_deeper_is_taken_too() -> None:
    point = {"type": "object", "properties": {"x": INTEGER, "name": TEXT}}
    several = {"$defs": {"point": point}, "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/point"}}}}
    assert as_asked({"all": [{"x": "1", "name": "1"}]}, several) == {"all": [{"x": 1, "name": "1"}]}
    assert taken({"x": "1"}, {"anyOf": [point, {"type": "null"}]}) == {"x": 1}
    assert taken({"k": "1"}, {"type": "object", "additionalProperties": INTEGER}) == {"k": 1}


@pytest.mark.parametrize(
    "schema",
    [
        # What one way takes as a number, the other may take as a text.
        {"anyOf": [{"type": "object", "properties": {"x": INTEGER}}, {"type": "object"}]},
        {"anyOf": [{"type": "object", "properties": {"x": INTEGER}}, {}]},
        {"patternProperties": {"^x": TEXT}, "additionalProperties": INTEGER},
        {"additionalProperties": True},
    ],
)
def test_members_that_could_be_this_or_that_stay_as_they_are(schema: Any) -> None:
    assert taken({"x": "1"}, schema) == {"x": "1"}


def test_items_that_others_come_before_stay_as_they_are() -> None:
    assert taken(["1", "2"], {"type": "array", "prefixItems": [TEXT], "items": INTEGER}) == ["1", "2"]


def test_the_schemas_of_our_own_tools_are_understood() -> None:
    class Inner(Arguments):
        deep: bool

    class Own(Arguments):
        limit: int = Field(5, ge=1)
        share: float | None = None
        text: str = ""
        either: int | str = ""
        inner: tuple[Inner, ...] = ()

    given = {"limit": "3", "share": "0.5", "text": "3", "either": "3", "inner": [{"deep": "true"}]}
    assert as_asked(given, schema_of(Own)) == {
        "limit": 3,
        "share": 0.5,
        "text": "3",
        "either": "3",
        "inner": [{"deep": True}],
    }


def test_most_calls_need_no_look_at_a_schema() -> None:
    assert not holds_texts_for_others({"path": "a.txt", "content": "1 or true", "n": 1, "deep": [{"x": None}]})
    assert holds_texts_for_others({"deep": [{"x": "1"}]}) and holds_texts_for_others({"x": "true"})


def test_what_is_nested_without_end_is_left_alone() -> None:
    schema: dict[str, Any] = {"$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}, "x": INTEGER}}}}
    schema["$ref"] = "#/$defs/n"
    value: dict[str, Any] = {"x": "1"}
    for _ in range(100):
        value = {"n": value, "x": "1"}
    assert as_asked(value, schema)["x"] == 1
    loop = {"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"a": {"$ref": "#/$defs/a"}}}
    assert as_asked({"a": "1"}, loop) == {"a": "1"}
