"""The argument text of a model: strict JSON, an object, nothing guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agent.arguments import parse_arguments

OBJECTS = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers()))


@given(OBJECTS, st.integers(0, 4))
def test_an_object_is_itself(value: dict[str, object], indent: int) -> None:
    assert parse_arguments(json.dumps(value, indent=indent or None)) == (value, None)


@given(OBJECTS)
def test_one_level_of_quoting_is_undone(value: dict[str, object]) -> None:
    assert parse_arguments(json.dumps(json.dumps(value))) == (value, None)


@pytest.mark.parametrize("text", ["", " ", "\n\t", '""', '"  "', "{}", '"{}"'])
def test_nothing_is_an_empty_object(text: str) -> None:
    assert parse_arguments(text) == ({}, None)


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "[{}]",
        "1",
        "true",
        '"text"',
        json.dumps(json.dumps(json.dumps({}))),
        '{"path": "a"',
        '{"path": "a"}}',
        '{"path": NaN}',
        '{"n": 1e999}',
        "{'path': 'a'}",
        '{path: "a"}',
        '{"a": 1} trailing',
        '{"a": 1}{"b": 2}',
        "```json\n{}\n```",
        '{"n": ' + "9" * 5000 + "}",
        '{"a":' * 300 + "1" + "}" * 300,
        '"{\\"a\\": "',
    ],
)
def test_anything_else_is_refused_with_a_reason(text: str) -> None:
    args, fault = parse_arguments(text)

    assert args is None
    assert fault
    assert len(fault) < 500


@given(st.text())
def test_any_text_gives_an_object_or_a_reason(text: str) -> None:
    args, fault = parse_arguments(text)

    assert (args is None) != (fault is None)
