"""What a node takes, in words on its card: the words of a stranger, quoted, short, and of any shape."""

import pytest

from assent.model.json import JsonObject
from assent.tools.run_node import _inputs


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, ""),
        ({"properties": []}, ""),
        ({"properties": {}}, ""),
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, "“a” (string, needed)"),
        ({"properties": {"a": {"type": "string"}, "b": True}, "required": "a"}, "“a” (string), “b”"),
        ({"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}, "“a” (needed)"),
        ({"properties": {"a\u202eb": {"type": "x\u200by"}}}, "“a\\u{202e}b” (x\\u{200b}y)"),
    ],
)
def test_each_input_is_named(schema: JsonObject, words: str) -> None:
    assert _inputs(schema) == words


def test_of_many_the_first_are_named_and_none_at_length() -> None:
    told = _inputs({"properties": {f"{number}{'a' * 500}": {"type": "b" * 500} for number in range(100)}})
    assert told.endswith("and 92 more")
    assert len(told) < 1_000
