"""What a file would hold after what an agent tells of a change: a snippet, the whole file, or something else."""

import pytest

from assent.acp.edited import edited
from assent.acp.words import Diff

FILE = "one\ntwo\nthree\n"
_SURE = ""


@pytest.mark.parametrize(
    ("current", "old", "new", "content"),
    [
        (None, None, "new\n", "new\n"),
        (None, "", "new\n", "new\n"),
        ("", "", "new", "new"),
        (FILE, None, "all new", "all new"),
        (FILE, FILE, "all new\n", "all new\n"),
        (FILE, FILE[:-1], "one\ntwo", "one\ntwo\n"),
        (FILE, FILE[:-1], "one\n", "one\n"),
        (FILE, FILE[:-1], "", ""),
        (FILE, "two\n", "2\n", "one\n2\nthree\n"),
        (FILE, "two", "", "one\n\nthree\n"),
        (FILE, "three\n", "three\nfour\n", "one\ntwo\nthree\nfour\n"),
        ("a\r\nb\r\n", "b\r\n", "c\r\n", "a\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\n", "x\r\ny\r\nc\r\n"),
        ("", None, "", ""),
        ("a", "a", "a", "a"),
    ],
)
def test_what_is_told_is_what_becomes(current: str | None, old: str | None, new: str, content: str) -> None:
    found = edited(current, [Diff("f", old, new)])
    assert (found.content, found.doubt) == (content, _SURE)


@pytest.mark.parametrize(
    ("current", "old", "new", "content", "doubt"),
    [
        (None, "there", "new", "new", "does not hold"),
        (FILE, "four", "new", "new", "does not hold"),
        (FILE, "", "new", "new", "says that the file is new"),
        ("a\na\n", "a\n", "b\n", "b\na\n", "several times"),
        ("a\r\na\r\nb\r\n", "a\n", "c\n", "c\r\na\r\nb\r\n", "several times"),
    ],
)
def test_what_is_not_sure_is_said(current: str | None, old: str | None, new: str, content: str, doubt: str) -> None:
    found = edited(current, [Diff("f", old, new)])
    assert found.content == content and doubt in found.doubt


def test_several_changes_go_one_after_the_other() -> None:
    changes = [Diff("f", "one", "1"), Diff("f", "1\ntwo", "1 2"), Diff("f", "nothing", "x"), Diff("f", "no", "y")]
    assert edited(FILE, changes[:2]).content == "1 2\nthree\n"
    found = edited(FILE, changes)
    assert found.content == "y" and found.doubt.count("does not hold") == 1
    assert edited(FILE, []).content == FILE and edited(None, []).content == ""
