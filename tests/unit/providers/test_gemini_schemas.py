"""Schemas of arguments in the words that Gemini knows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.conversation import ToolSpec
from assent.providers.dialects.gemini.schema import parameters
from assent.tools.bash import Bash
from assent.tools.list_files import ListFiles
from assent.tools.read_file import ReadFile
from assent.tools.write_file import WriteFile
from tests.support.model_servers.gemini_contents import check_schema

TEXT = {"type": "string"}


def cleaned(member: Any, **more: Any) -> Any:
    """What becomes of the schema of one argument."""
    whole: Any = parameters({"type": "object", "properties": {"x": member}, **more})
    check_schema(whole)
    return whole["properties"]["x"]


@pytest.mark.parametrize("spec", [Bash.spec, ListFiles.spec, ReadFile.spec, WriteFile.spec], ids=lambda spec: spec.name)
def test_the_tools_lose_nothing_that_the_model_needs(spec: ToolSpec) -> None:
    whole: Any = parameters(spec.schema)

    check_schema(whole)
    assert whole["properties"].keys() == spec.schema["properties"].keys()
    assert whole.get("required") == spec.schema.get("required")
    assert whole["additionalProperties"] is False
    for name, member in spec.schema["properties"].items():
        assert whole["properties"][name]["description"] == member["description"]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (TEXT, TEXT),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": "strange"}, {}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({"const": True}, {}),
        ({"enum": ["a", 1, None, True]}, {"enum": ["a", 1]}),
        ({"anyOf": [TEXT, {"type": "null"}], "default": None}, {"anyOf": [TEXT, {"type": "null"}]}),
        ({"oneOf": [TEXT, True]}, {"oneOf": [TEXT, {}]}),
        ({"allOf": [{"type": "string", "pattern": "a"}], "title": "T"}, {"title": "T", "type": "string"}),
        ({"type": "string", "format": "uri", "minLength": 1, "pattern": "^a"}, TEXT),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
        ({"type": "integer", "minimum": 1, "exclusiveMaximum": 9}, {"type": "integer", "minimum": 1}),
        ({"type": "array", "items": {"type": "string", "examples": []}}, {"type": "array", "items": TEXT}),
        ({"type": "array", "items": True}, {"type": "array"}),
        ({"additionalProperties": {"type": "string", "$comment": "c"}}, {"additionalProperties": TEXT}),
        ({"patternProperties": {"a": TEXT}, "if": {}, "then": {}, "not": {}}, {}),
        ({"properties": {"a": True}, "required": ["a", "b"]}, {"properties": {"a": {}}, "required": ["a"]}),
        ({"required": ["b"]}, {}),
        ({"properties": {"a": {}}, "required": [["a"], {}, None]}, {"properties": {"a": {}}}),
        ({"description": 5, "minimum": "1", "maximum": True, "maxItems": []}, {}),
        ({"$ref": "#/properties/y"}, {}),
        ({"$ref": "https://example.org/schema"}, {}),
        (True, {}),
        (False, {}),
        ("text", {}),
        (None, {}),
    ],
)
def test_odd_schemas(schema: Any, expected: Any) -> None:
    assert cleaned(schema) == expected


@pytest.mark.parametrize("word", ["$defs", "definitions"])
def test_references_stay_and_stand_alone(word: str) -> None:
    whole: Any = parameters(
        {
            "properties": {"x": {"$ref": f"#/{word}/Node", "description": "d"}, "y": {"$ref": f"#/{word}/Missing"}},
            word: {"Node": {"type": "object", "properties": {"next": {"$ref": f"#/{word}/Node"}}, "$comment": "c"}},
        }
    )

    check_schema(whole)
    node = {"$ref": "#/$defs/Node"}
    assert whole["properties"] == {"x": node, "y": {}}
    assert whole["$defs"] == {"Node": {"type": "object", "properties": {"next": node}}}
    assert whole["type"] == "object"


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", "properties": {}}])
def test_a_tool_without_arguments_has_no_schema(schema: Any) -> None:
    assert parameters(schema) is None


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["string", "object", "#/$defs/a", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "properties",
                    "items",
                    "anyOf",
                    "allOf",
                    "$ref",
                    "$defs",
                    "enum",
                    "const",
                    "required",
                    "a",
                    "x-y",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JUNK)
def test_whatever_a_tool_brings_the_server_takes_the_rest(junk: Any) -> None:
    cleaned(junk, **{"$defs": {"a": junk}})
