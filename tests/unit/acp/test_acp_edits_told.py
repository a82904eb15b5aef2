"""What an agent shows of a file beside what it asks for: one new content, to its last line end and in its length."""

import json
from typing import Any

import pytest

from assent.acp.claim import Claim
from assent.acp.habits import Habits
from assent.acp.words import Diff
from tests.support.acp_traffic import CALL, claim, request, update

WORDY = Habits(arguments_in_text=True)


def diff(path: str, old: str | None, new: str) -> dict[str, Any]:
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


def written(path: str, content: str) -> dict[str, Any]:
    """An agent writes what it wants as text, before it asks."""
    text = json.dumps({"path": path, "content": content})
    body = {"type": "content", "content": {"type": "text", "text": text}}
    return update("tool_call", toolCallId=CALL, title="WriteFile", status="in_progress", content=[body])


@pytest.mark.parametrize("path", ["/w/new.txt", "new.txt", "./new.txt"])
@pytest.mark.parametrize("old", ["", None])
def test_the_last_line_end_of_a_new_file_is_the_one_that_is_asked_for(path: str, old: str | None) -> None:
    found = claim(
        written(path, "one\ntwo\n"),
        request(title="WriteFile: new.txt", content=[diff("/w/new.txt", old, "one\ntwo")]),
        habits=WORDY,
    )

    assert found.edits == (Diff("/w/new.txt", old, "one\ntwo\n"),)
    assert found.inspectable


@pytest.mark.parametrize(
    ("asks", "shows", "edit"),
    [
        ("one", "one\n", Diff("/w/a", "", "one\n")),
        ("one\n\n", "one", Diff("/w/a", "", "one")),
        ("one", "one", Diff("/w/a", "", "one")),
    ],
    ids=["more is shown", "not one line end but two", "there is none"],
)
def test_nothing_else_is_put_at_the_end_of_what_is_shown(asks: str, shows: str, edit: Diff) -> None:
    found = claim(written("/w/a", asks), request(content=[diff("/w/a", "", shows)]), habits=WORDY)

    assert found.edits == (edit,)


def test_what_is_put_in_the_place_of_something_is_shown_as_it_is() -> None:
    found = claim(written("/w/a", "new\n"), request(content=[diff("/w/a", "old", "new")]), habits=WORDY)

    assert found.edits == (Diff("/w/a", "old", "new"),), "the look at the file puts its line end there"


def test_another_file_lends_it_no_line_end() -> None:
    found = claim(written("/w/b", "one\n"), request(content=[diff("/w/a", "", "one")]), habits=WORDY)

    assert Diff("/w/a", "", "one") in found.edits
    assert not found.inspectable


def counted(length: Any, *content: dict[str, Any]) -> Claim:
    """An agent shows a content first, and asks with nothing but how long it is."""
    return claim(
        update("tool_call", toolCallId=CALL, title="write_text_file", kind="edit", status="pending", content=[]),
        update("tool_call_update", toolCallId=CALL, content=list(content)),
        request(kind="edit", title="write_text_file", rawInput={"path": "/w/a", "content_length": length}),
    )


def test_a_length_is_that_of_the_content_that_is_shown() -> None:
    found = counted(6, diff("/w/a", None, "€ two\n"))

    assert found.edits == (Diff("/w/a", None, "€ two\n"),)
    assert (found.unread, found.inspectable) == ((), True)


@pytest.mark.parametrize("length", [5, 7, 0, -6, "6", 6.0, True, [6]])
def test_another_length_is_not_understood(length: Any) -> None:
    found = counted(length, diff("/w/a", None, "€ two\n"))

    assert found.unread
    assert not found.inspectable


def test_a_length_alone_shows_nothing() -> None:
    found = counted(6)

    assert (found.edits, found.inspectable) == ((), False)
    assert found.unread
