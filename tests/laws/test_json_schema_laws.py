"""For all schemas that are understood: a value made by the schema fits, one spoilt in a known way does not."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from assent.agent.json_schema import misfit, not_understood

NAMES = st.sampled_from(["a", "b", "c", "d"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=4)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


@st.composite
def pairs(draw: st.DrawFn, depth: int = 3) -> tuple[Any, Any]:
    """A schema, and a value that was made to fit it."""
    kinds = ["string", "integer", "number", "boolean", "null", "const", "enum"]
    kind = draw(st.sampled_from(kinds + (["object", "array", "anyOf"] * 2 if depth else [])))
    match kind:
        case "string":
            text = draw(st.text(max_size=6))
            return {"type": "string", "minLength": draw(st.integers(0, len(text))), "maxLength": len(text)}, text
        case "integer" | "number":
            number = draw(st.integers(-50, 50) if kind == "integer" else st.floats(-50, 50))
            return {"type": kind, "minimum": number - draw(st.integers(0, 3)), "maximum": number}, number
        case "boolean":
            return {"type": ["boolean", "null"]}, draw(st.booleans())
        case "null":
            return {"type": "null"}, None
        case "const":
            value = draw(ANYTHING)
            return {"const": value}, value
        case "enum":
            values = draw(st.lists(ANYTHING, min_size=1, max_size=4))
            return {"enum": values}, draw(st.sampled_from(values))
        case "array":
            schema, value = draw(pairs(depth - 1))
            count = draw(st.integers(0, 3))
            return {"type": "array", "items": schema, "minItems": count, "maxItems": count}, [value] * count
        case "anyOf":
            ways = draw(st.lists(pairs(depth - 1), min_size=1, max_size=3))
            return {"anyOf": [schema for schema, _ in ways]}, draw(st.sampled_from(ways))[1]
    members = draw(st.dictionaries(NAMES, pairs(depth - 1), max_size=3))
    schema = {
        "type": "object",
        "properties": {name: one for name, (one, _) in members.items()},
        "required": sorted(members),
        "additionalProperties": False,
    }
    return schema, {name: value for name, (_, value) in members.items()}


def spoilt(value: Any, schema: Any) -> Any:
    """The value made so that it cannot fit, as far as the schema's outermost words say how."""
    match schema:
        case {"type": "object"}:
            return {**value, "not there": 1}
        case {"type": "array"}:
            return [*value, None]
        case {"type": "string"}:
            return value + "x"
        case {"type": "integer" | "number"}:
            return value + 1
        case {"type": _}:
            return "a text"
        case {"const": only}:
            return [only]
    return None


@given(pairs())
def test_what_was_made_to_fit_fits(pair: tuple[Any, Any]) -> None:
    schema, value = pair
    assert not_understood(schema) is None
    assert misfit(value, schema) is None


@given(pairs())
def test_what_was_spoilt_does_not_fit(pair: tuple[Any, Any]) -> None:
    schema, value = pair
    if {"type", "const"} & schema.keys():
        assert misfit(spoilt(value, schema), schema) is not None


@given(pairs(), ANYTHING)
def test_a_narrower_schema_never_lets_more_through(pair: tuple[Any, Any], value: Any) -> None:
    schema, _ = pair
    wider = {"anyOf": [schema, {"const": "something else"}]}
    narrower = {**schema, "enum": ["only this"]}
    if misfit(value, schema) is None:
        assert misfit(value, wider) is None
    else:
        assert misfit(value, narrower) is not None
