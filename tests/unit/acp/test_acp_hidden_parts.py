"""Parts of a call that could do more than they seem to."""

from typing import Any

import pytest

from tests.support.acp_traffic import CALL, claim, request, update


@pytest.mark.parametrize(
    "call",
    [
        {"kind": "search", "rawInput": {"path": ".", "pattern": "K", "include": ".env"}},
        {"kind": "read", "rawInput": {"path": "{/etc/passwd,a}"}},
        {"kind": "read", "rawInput": {"path": "$HOME/a"}},
        {"kind": "read", "locations": [{"path": ".e*"}]},
        {"kind": "read", "locations": [{"path": "a"}, {"uri": "file:///etc/b"}]},
        {"kind": "read", "locations": [{"path": "a"}], "content": [{"path": "a", "newText": "x"}]},
        {"kind": "read", "locations": [{"path": "a"}], "content": [{"type": "patch", "newText": "x"}]},
        {"kind": "read", "rawInput": {"path": "a", "context": {"file": "/etc/b"}}},
        {"kind": "read", "rawInput": {"path": "a", "parsed_cmd": [{"cmd": "rm a"}]}},
        {"kind": "read", "rawInput": {"path": "a", "hunks": [{"newText": "x"}]}},
    ],
)
def test_what_may_hide_something_is_not_inspectable(call: dict[str, Any]) -> None:
    found = claim(request(**call))

    assert found.unread
    assert not found.inspectable


def test_names_begin_in_the_folder_that_is_told_with_them() -> None:
    assert claim(request(kind="read", rawInput={"path": "passwd", "cwd": "/etc"})).reads == ("/etc", "/etc/passwd")


def test_a_change_of_mode_stays_one_under_a_graver_kind() -> None:
    found = claim(update("tool_call", toolCallId=CALL, kind="switch_mode"), request(kind="edit"))

    assert found.switches_mode
    assert not claim(request(kind="edit")).switches_mode
