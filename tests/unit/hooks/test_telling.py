"""What hooks read, and what of the server's environment they see."""

import json
from pathlib import Path

import pytest

from assent.hooks.telling import MOST_TOLD, after_text, before_text, environment_for, notice_text
from assent.model.calls import Caller, ToolCall
from assent.model.hooks import HookCall, HookEvent, HookNotice, HookResult, Occasion
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Mode

CALLER = Caller("local", "Local", SessionId("s1"), RunId("r1"), CallId("c0"), ("First", "Second"))
CALL = HookCall(ToolCall(CallId("c1"), "write_file", {"path": "ä\ud800", "n": 10**30}), CALLER, Mode.AUTO)


def test_a_call_is_one_line_of_json() -> None:
    text = before_text(CALL, "/work")

    assert text.count(b"\n") == 1
    assert json.loads(text) == {
        "session_id": "s1",
        "hook_event_name": "PreToolUse",
        "cwd": "/work",
        "mode": "auto",
        "agent": "Local",
        "sub_agents": ["First", "Second"],
        "tool_name": "write_file",
        "tool_input": {"path": "ä\ud800", "n": 10**30},
        "tool_use_id": "c1",
    }


def test_of_a_result_it_is_told_a_part() -> None:
    told = json.loads(after_text(HookResult(CALL, "x" * 100_000, success=False, code="not_found"), "/work"))

    assert (told["hook_event_name"], told["tool_use_id"]) == ("PostToolUse", "c1")
    result = told["tool_result"]
    assert (len(result.pop("output")), result) == (
        MOST_TOLD,
        {"success": False, "truncated": True, "code": "not_found"},
    )


@pytest.mark.parametrize("call", [CALL.call, None])
def test_a_notice_names_its_call_where_it_has_one(call: ToolCall | None) -> None:
    told = json.loads(notice_text(HookNotice(Occasion.LIMIT, "enough", CALLER, Mode.ASK, call), "/work"))

    assert (told["notification_type"], told["message"], told["mode"]) == ("limit", "enough", "ask")
    assert told.get("tool_name") == (call.tool if call else None)
    assert "tool_input" not in told


def test_it_gets_no_secret_and_no_program_of_the_workspace(tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "bin"
    (work / "node_modules" / ".bin").mkdir(parents=True)
    outside.mkdir()
    (tmp_path / "link").symlink_to(work / "node_modules")
    path = [str(work / "node_modules/.bin"), "node_modules/.bin", ".", "", str(outside), str(tmp_path / "link/.bin")]
    given = {
        "HOME": "/home/me",
        "GITHUB_TOKEN": "ghp_1234",
        "MY_API_KEY": "x",
        "DATABASE_PASSWORD": "y",
        "URL": "https://me:known-secret@example.org",
        "ASSENT_STATE_DIR": "/state",
        "PATH": ":".join(path),
    }
    seen = environment_for(
        given,
        frozenset({"known-secret"}),
        (str(work),),
        HookEvent.PRE_TOOL_USE,
        SessionId("s1"),
        str(work),
    )

    assert seen == {
        "HOME": "/home/me",
        "PATH": str(outside),
        "ASSENT_HOOK_EVENT": "PreToolUse",
        "ASSENT_SESSION_ID": "s1",
        "ASSENT_WORKSPACE": str(work),
    }
