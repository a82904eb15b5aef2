"""What is JSON here, what is not, and how values are spelled."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.jsontext import MAX_DEPTH, NotJson, canonical_json, carry, read_json, readable_json, write_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0.0", -0.0),
        ("1e3", 1000.0),
        (str(10**300), 10**300),
        ('"\\ud800"', "\ud800"),
        ('"\\ud83d\\ude00"', "😀"),
        (' {"a": [1, null, true]}\n', {"a": [1, None, True]}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        (b'"\xc3\xa9"', "é"),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, None),
    ],
)
def test_is_read(text: str | bytes, value: object) -> None:
    read = read_json(text)
    if value is not None:
        assert read == value
        assert type(read) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "NaN",
        "[Infinity]",
        '{"a": -Infinity}',
        "1e400",
        "-1e999",
        "9" * 5000,
        "{'a': 1}",
        '{"a": 1,}',
        "[1 2]",
        '{"a"}',
        "01",
        "+1",
        ".5",
        "1.",
        "nul",
        '"a\nb"',
        '"\\x"',
        "{} {}",
        "\ufeff{}",
        b"\xff",
        b'"\xed\xa0\x80"',
        "[" * 100_000,
        "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2),
        '{"a":' * (MAX_DEPTH + 2) + "1" + "}" * (MAX_DEPTH + 2),
    ],
)
def test_is_refused(text: str | bytes) -> None:
    with pytest.raises(NotJson) as refused:
        read_json(text)
    assert str(refused.value)


@given(JSON)
def test_what_is_written_is_read_again(value: object) -> None:
    for text in (write_json(value), canonical_json(value), readable_json(value)):
        # Compared as text: True equals 1, and -0.0 equals 0.
        assert json.dumps(read_json(text), sort_keys=True) == json.dumps(value, sort_keys=True)


@given(JSON)
def test_written_text_is_one_line_of_ascii(value: object) -> None:
    text = write_json(value)

    assert text.isascii()
    assert b"\n" not in text


@given(st.dictionaries(st.text(), JSON))
def test_the_canonical_spelling_does_not_depend_on_the_order_of_keys(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))

    assert canonical_json(turned) == canonical_json(value)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_cannot_carry_is_refused_or_carried_as_text(number: float) -> None:
    for writer in (write_json, canonical_json, readable_json):
        with pytest.raises(ValueError, match="JSON"):
            writer([number])

    carried, pointers = carry({"a/b": [1, {"~": number}], "ok": 1.5})

    assert pointers == ("/a~1b/1/~0",)
    assert carried["a/b"][1]["~"] in ("NaN", "Infinity", "-Infinity")
    assert carried["ok"] == 1.5


def test_nothing_to_carry_changes_nothing() -> None:
    value = {"a": [1, "x", None, {"b": 2.5}]}
    assert carry(value) == (value, ())


def test_canonical_tells_numbers_from_text_and_one_number_from_another() -> None:
    spellings = [canonical_json(value) for value in (1, "1", 1.5, True, None, [1], {"1": 1}, 10**20, 10**20 + 1)]
    assert len(set(spellings)) == len(spellings)


def test_an_integer_that_python_does_not_write_is_carried_as_a_string() -> None:
    longest, longer = 2**14_280 - 1, 10**4_300
    carried, pointers = carry({"fine": -longest, "long": [longer]})

    assert (carried, pointers) == ({"fine": -longest, "long": [hex(longer)]}, ("/long/0",))
    assert read_json(write_json(carried)) == carried


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "\\u0061": 2}}]'])
def test_a_name_that_stands_twice_is_refused_where_every_name_counts(text: str) -> None:
    with pytest.raises(NotJson, match="twice"):
        read_json(text, each_name_once=True)
    assert read_json(text) is not None
    assert read_json('{"a": {"a": [1.5, {"b": null}]}}', each_name_once=True) == {"a": {"a": [1.5, {"b": None}]}}
