"""How a settings text is read: values, their lines, what is refused and with which words."""

import json

import pytest

from assent.settings import jsonc
from assent.settings.faults import JsonFault
from assent.settings.jsonc import parse


def test_comments_trailing_commas_and_a_byte_order_mark_are_read() -> None:
    text = '\ufeff// first\n{ /* c */ "a": 1, // "a": 2\n "b": [true, null,], }\n// last'
    assert parse(text).value == {"a": 1, "b": [True, None]}


@pytest.mark.parametrize("text", ["", " \r\n\t", "\ufeff", "// nothing but words", "/* a */ // b"])
def test_a_text_without_a_value_holds_no_settings(text: str) -> None:
    document = parse(text)
    assert document.root is None
    assert document.value == {}


def test_the_last_of_repeated_keys_counts_and_the_repetition_is_known() -> None:
    document = parse('{\n"a": {"x": 1},\n"a": {"y": 2}\n}')
    assert document.value == {"a": {"y": 2}}
    assert [document.line(offset) for offset in document.repeated] == [3]


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_every_value_knows_its_line(eol: str) -> None:
    document = parse(eol.join(["{", '  "a": {', '    "b": [1,', "      2", "    ]", "  }", "}"]))
    node = document.find("a", "b", 1)
    assert node is not None
    assert document.place(node.start) == (4, 7)
    assert document.find("a", "none") is None
    assert document.find("a", "b", 2) is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, "a comma or a closing } belongs here"),
        ('{\n  "a" 1\n}', 2, "a colon belongs here"),
        ("{\n  a: 1\n}", 2, "a name in double quotes belongs here"),
        ("{,}", 1, "a name in double quotes belongs here"),
        ('{"a": 1,,}', 1, "a name in double quotes belongs here"),
        ("[1 2]", 1, "a comma or a closing ] belongs here"),
        ("[,]", 1, "a value belongs here"),
        ('{"a": ', 1, "the text ends too early"),
        ('{"a": nul}', 1, "a value belongs here"),
        ('{"a": 01}', 1, "a comma or a closing } belongs here"),
        ('{"a": NaN}', 1, "a value belongs here"),
        ('{"a": "x\ny"}', 1, "this text in quotes is broken"),
        ('{"a": "\\x"}', 1, "this text in quotes is broken"),
        ("{} {}", 1, "there is something behind the end of the settings"),
        ("\n\n{ /* never closed }", 3, "this comment never ends; close it with */"),
    ],
)
def test_a_broken_text_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(JsonFault) as caught:
        parse(text)
    assert caught.value.line == line
    assert words in str(caught.value)


def test_depth_is_bounded() -> None:
    deepest = jsonc.MAX_DEPTH
    parse("[" * deepest + "]" * deepest)
    with pytest.raises(JsonFault, match="levels deep"):
        parse("[" * 100_000)


def test_length_and_number_of_values_are_bounded() -> None:
    with pytest.raises(JsonFault, match="too long"):
        parse(" " * (jsonc.MAX_LENGTH + 1))
    with pytest.raises(JsonFault, match="too many"):
        parse("[" + "1," * (jsonc.MAX_VALUES + 1) + "]")


def test_a_number_of_any_length_is_read() -> None:
    assert parse("[" + "9" * 50 + "]").value == [int("9" * 50)]
    assert parse("[1" + "0" * 5000 + "]").value == [float("inf")]


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2028", "\ufeff", "\v", "\f"])
def test_what_the_editor_takes_as_space_is_space(space: str) -> None:
    assert parse(f'{space}{{{space}"a"{space}:{space}1{space}}}').value == {"a": 1}


def test_a_line_comment_ends_where_the_editor_ends_it() -> None:
    assert parse('{ // note \u2028 "a": 1 }').value == {"a": 1}


@pytest.mark.parametrize("key", ["__proto__", "a.b", " ", "", "🦊", "x" * 300, '"', "\\", "\ud800", "\x00"])
def test_any_key_is_a_key(key: str) -> None:
    assert parse(json.dumps({key: {key: 1}})).value == {key: {key: 1}}
