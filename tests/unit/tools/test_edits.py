"""Exact replacements in a text: found once or told where, all of them or none, in the form of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.model.errors import ToolFault
from assent.tools.edits import MOST_NAMED, MOST_REPLACED, Edit, replaced, replacements, touched

TEXT = "one\ntwo\nthree\ntwo and a half\n"


def made(text: str, *edits: Edit) -> str:
    return replaced(text, replacements(text, edits))


def fault(text: str, *edits: Edit) -> ToolFault:
    with pytest.raises(ToolFault) as found:
        replacements(text, edits)
    return found.value


@pytest.mark.parametrize(
    ("text", "edits", "after"),
    [
        (TEXT, [Edit("three", "3")], "one\ntwo\n3\ntwo and a half\n"),
        (TEXT, [Edit("two", "2", everywhere=True)], "one\n2\nthree\n2 and a half\n"),
        (TEXT, [Edit("three\n", "")], "one\ntwo\ntwo and a half\n"),
        (TEXT, [Edit("one\ntwo\n", "x"), Edit("three", "y")], "xy\ntwo and a half\n"),
        (TEXT, [Edit("three", "one"), Edit("one", "three")], "three\ntwo\none\ntwo and a half\n"),
        (TEXT, [Edit("thr", "a"), Edit("ee", "b")], "one\ntwo\nab\ntwo and a half\n"),
        ("aaa", [Edit("aa", "b", everywhere=True)], "ba"),
        ("a\r\nb\r\nc", [Edit("a\nb", "x\ny")], "x\r\ny\r\nc"),
        ("a\r\nb\r\nc", [Edit("\nc", "\nd\ne")], "a\r\nb\r\nd\r\ne"),
        ("a\r\nb\r\nc", [Edit("a\r\nb", "x\ny")], "x\r\ny\r\nc"),
        ("a\r\nb\r\nc", [Edit("a", "x\r\ny\n")], "x\r\ny\n\r\nb\r\nc"),
        ("a\nb\r\nc\n", [Edit("b", "x\ny")], "a\nx\r\ny\r\nc\n"),
        ("a\nb\r\nc\n", [Edit("a", "x\ny")], "x\ny\nb\r\nc\n"),
        ("a\r\nb", [Edit("b", "x\ny")], "a\r\nx\r\ny"),
        ("a", [Edit("a", "x\ny")], "x\ny"),
        ("a\rb\n", [Edit("a\rb", "c")], "c\n"),
        ("😀e\u0301\n", [Edit("e\u0301", "é")], "😀é\n"),
        ("a\0b", [Edit("\0", "")], "ab"),
    ],
)
def test_what_comes_of_them(text: str, edits: list[Edit], after: str) -> None:
    assert made(text, *edits) == after


@pytest.mark.parametrize(
    ("text", "edits", "code", "words"),
    [
        (TEXT, [Edit("four", "4")], "not_found_in_file", "`old` is not in the file"),
        (TEXT, [Edit("two", "2")], "found_several_times", "in the file 2 times, in lines 2, 4."),
        ("aaa", [Edit("aa", "b")], "found_several_times", "in lines 1, 1."),
        ("x\n" * 30, [Edit("x", "y")], "found_several_times", f"more than {MOST_NAMED} times"),
        (TEXT, [Edit("one", "1"), Edit("four", "4")], "not_found_in_file", "`old` of edit 2"),
        (TEXT, [Edit("one", "four"), Edit("four", "4")], "not_found_in_file", "`old` of edit 2"),
        (TEXT, [Edit("three\n", "3"), Edit("ee\ntwo", "x")], "overlap", "Edits 1 and 2 overlap around line 3"),
        (TEXT, [Edit("three", "3"), Edit("three", "4")], "overlap", "Edits 1 and 2"),
        (TEXT, [Edit("three", "3"), Edit("e", "4", everywhere=True)], "overlap", "Edits 1 and 2"),
        ("if x:\n\treturn  1\n", [Edit("    return 1", "")], "not_found_in_file", "in line 2, but with other blanks"),
        ("a\n b\n  c\nd", [Edit("a\nb\nc\n", "")], "not_found_in_file", "in line 1, but with other blanks"),
        ("a\nHello\n", [Edit("hello", "")], "not_found_in_file", "in line 2, but with other capital"),
        ("a\ndef f():\n  x\n", [Edit("def f():\n  y", "")], "not_found_in_file", "Its first line is in line 2"),
        ("a\r\nb", [Edit("a\n\r\nb", "")], "not_found_in_file", "copy it from there"),
        ("a\nb", [Edit("a\r\nb", "")], "not_found_in_file", "copy it from there"),
        ("a\nb", [Edit(" \n", "")], "not_found_in_file", "copy it from there"),
        ("", [Edit("a", "b")], "not_found_in_file", "copy it from there"),
    ],
)
def test_what_does_not_fit_says_where_and_what_to_do(text: str, edits: list[Edit], code: str, words: str) -> None:
    found = fault(text, *edits)
    assert found.code == code
    assert words in str(found)


def test_lines_are_named_and_never_quoted() -> None:
    assert "treasure" not in str(fault("key = treasure\n", Edit("key  = ", "")))
    assert "treasure" not in str(fault("a treasure\na chest\n", Edit("a", "")))


def test_more_places_than_a_call_may_change() -> None:
    assert fault("x" * (MOST_REPLACED + 1), Edit("x", "y", everywhere=True)).code == "too_many"
    assert made("x" * MOST_REPLACED, Edit("x", "y", everywhere=True)) == "y" * MOST_REPLACED


LINES = "a\nb\nc\nd\n"


@pytest.mark.parametrize(
    ("edits", "lines"),
    [
        ([Edit("b", "B")], [("b\n", "B\n")]),
        ([Edit("b\n", "B\n")], [("b\n", "B\n")]),
        ([Edit("b\n", "")], [("b\n", "")]),
        ([Edit("b\n", "B")], [("b\nc\n", "Bc\n")]),
        ([Edit("\nb", "")], [("a\nb\n", "a\n")]),
        ([Edit("b", "B"), Edit("c", "C")], [("b\n", "B\n"), ("c\n", "C\n")]),
        ([Edit("b\n", "B"), Edit("c", "C")], [("b\nc\n", "BC\n")]),
        ([Edit("d\n", "D")], [("d\n", "D")]),
    ],
)
def test_the_lines_that_change(edits: list[Edit], lines: list[tuple[str, str]]) -> None:
    assert list(touched(LINES, replacements(LINES, edits))) == lines


@given(
    st.lists(st.sampled_from(["a", "b", "\n", "\r\n"]), max_size=30).map("".join),
    st.text(alphabet="ab\n", min_size=1, max_size=3),
    st.text(alphabet="abc\n", max_size=3),
)
def test_everywhere_is_what_replacing_in_the_plain_text_is(text: str, old: str, new: str) -> None:
    """Held against the language's own: line ends apart, the same comes of it."""
    plain = text.replace("\r\n", "\n")
    if old in plain:
        assert made(text, Edit(old, new, everywhere=True)).replace("\r\n", "\n") == plain.replace(old, new)


@given(
    st.text(alphabet="ab\r\n", max_size=40),
    st.lists(
        st.tuples(st.text("ab\r\n", min_size=1, max_size=4), st.text("xy\n", max_size=4), st.booleans()), max_size=4
    ),
)
def test_what_is_not_replaced_stays_as_it_is(text: str, given_edits: list[tuple[str, str, bool]]) -> None:
    try:
        found = replacements(text, [Edit(*one) for one in given_edits])
    except ToolFault:
        return
    after, at, read = replaced(text, found), 0, 0
    for one in found:
        assert after[at : at + one.start - read] == text[read : one.start]
        at += one.start - read + len(one.new)
        read = one.end
    assert after[at:] == text[read:]
    joined = list(touched(text, found))
    assert text.count("\n") - after.count("\n") == sum(b.count("\n") - a.count("\n") for b, a in joined)
