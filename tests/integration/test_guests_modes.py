"""Agents that have modes: they are kept in the one in which they ask, and are seen when they leave it."""

from typing import Any

import pytest

from tests.support.guests import House, ask, done, notices, says, text
from tests.support.scale import wait_until

Json = Any


def _modes(current: str, *ids: str) -> Json:
    return {"currentModeId": current, "availableModes": [{"id": one, "name": one} for one in ids]}


def _option(current: str, *ids: str, category: str | None = "mode", option_id: str = "mode") -> Json:
    values = [{"value": one, "name": one} for one in ids]
    more = {} if category is None else {"category": category}
    return {"id": option_id, "name": "Mode", "type": "select", "currentValue": current, "options": values, **more}


def _set(guest: Any) -> list[str]:
    """The modes into which it was put, in their order, whichever way."""
    found = []
    for one in guest.told():
        if one.get("method") == "session/set_mode":
            found.append(one["params"]["modeId"])
        if one.get("method") == "session/set_config_option":
            found.append(one["params"]["value"])
    return found


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ({"modes": _modes("auto", "auto", "default", "plan")}, ["default"]),
        ({"modes": _modes("yolo", "yolo", "ask", "default")}, ["ask"]),
        ({"modes": _modes("default", "yolo", "default")}, []),
        ({"modes": _modes("x#auto", "http://a/x#auto", "http://a/x#ask")}, ["http://a/x#ask"]),
        ({"configOptions": [_option("yolo", "yolo", "default")]}, ["default"]),
        ({"modes": _modes("one", "one", "two")}, []),
        ({}, []),
    ],
    ids=["default", "ask is better", "already", "addresses", "by option", "unknown", "none"],
)
def test_a_new_chat_begins_in_the_mode_in_which_it_asks(house: House, script: Json, expected: list[str]) -> None:
    guest = house.guest([says("a")], [says("b")], **script)
    chat = guest.chat()
    chat.run()
    assert _set(guest) == expected
    before_prompt = [one["method"] for one in guest.told() if "method" in one]
    assert before_prompt.index("session/new") < before_prompt.index("session/prompt")
    assert all(
        before_prompt.index(name) < before_prompt.index("session/prompt") for name in before_prompt if "set" in name
    )
    chat.run()
    assert _set(guest) == expected, "what the user or the agent chose since is not undone"


def test_each_process_is_put_there_anew(house: House) -> None:
    guest = house.guest([says("a"), {"exit": 1}], modes=_modes("auto", "auto", "default"))
    chat = guest.chat()
    for _ in range(2):
        chat.send().answer()
    assert _set(guest) == ["default", "default"] and len(guest.pids()) == 2


def test_a_chat_that_plans_is_one_of_an_agent_that_plans(house: House) -> None:
    guest = house.guest([says("a")], modes=_modes("default", "default", "plan"))
    chat = guest.chat("plan")
    chat.run()
    assert _set(guest) == ["plan"]
    chat.set_mode("default")
    chat.run()
    assert _set(guest) == ["plan", "default"]


def test_a_mode_that_cannot_be_set_is_told(house: House) -> None:
    failing = {"session/set_mode": {"error": {"code": -32603, "message": "not now"}}}
    guest = house.guest([says("a")], modes=_modes("yolo", "yolo", "default"), answers=failing)
    chat = guest.chat()
    assert chat.run()["done_reason"] == "stop"
    assert any("not now" in one for one in notices(chat))
    assert any("without asking" in one for one in notices(chat)), "and that it still is in a dangerous one"


@pytest.mark.parametrize("how", ["mode", "options", "begin"])
def test_an_agent_that_leaves_the_mode_by_itself_is_told_of(house: House, how: str) -> None:
    options = [_option("yolo", "yolo", "default")]
    step: Json = {"mode": {"mode": "yolo"}, "options": {"options": options}, "begin": {"mode": "yolo"}}[how]
    script: Json = {"configOptions": [_option("default", "yolo", "default")]} if how == "options" else {}
    if how != "options":
        script = {"modes": _modes("default", "yolo", "default")}
    if how == "begin":
        script["begin"] = [step]
    guest = house.guest([says("a")] if how == "begin" else [step, says("a")], **script)
    chat = guest.chat()
    chat.run()
    if how == "begin":
        # It says so while its chat begins: it is put back, or the user is told.
        wait_until(lambda: _set(guest) == ["default"] or notices(chat), what="something that is done about it")
        chat.run()
        assert _set(guest).count("default") <= 1
    else:
        assert any("without asking" in one for one in notices(chat))


@pytest.mark.parametrize("name", ["allow_all", "auto_approve"])
def test_a_switch_that_allows_all_is_a_danger(house: House, name: str) -> None:
    switch = _option("on", "on", "off", category=None, option_id=name)
    guest = house.guest([says("a")], configOptions=[{**switch, "name": name}])
    chat = guest.chat()
    chat.run()
    assert any("without asking" in one for one in notices(chat))


# What it does without asking

_HELD_BACK = {"claudeCode": {"toolResponse": {"decisionReasonType": "rule", "message": "No."}}}


def _failed(call: Json) -> Json:
    """As it is told at last, with everything that was told before."""
    return {
        "update": {"toolCallId": "c1", "status": "failed", **call, "content": [text("No."), *call.get("content", ())]}
    }


def test_what_it_only_reads_without_asking_is_a_row(house: House) -> None:
    call = {"toolCallId": "c1", "kind": "read", "status": "in_progress", "locations": [{"path": "a"}]}
    chat = house.guest([{"tool_call": call}, done()]).chat()
    chat.run()
    assert [(one["tool"], one["success"]) for one in chat.results()] == [("read_file", True)] and notices(chat) == []


@pytest.mark.parametrize("status", ["completed", "failed", None])
def test_more_than_reading_without_asking_is_told_once_in_a_turn(house: House, status: str | None) -> None:
    steps: list[Json] = []
    for call_id in ("c1", "c2"):
        call = {"toolCallId": call_id, "kind": "execute", "status": "in_progress", "rawInput": {"command": "make"}}
        steps.append({"tool_call": call})
        if status is not None:
            steps.append(done(call_id, "made", status))
    chat = house.guest(steps).chat()
    chat.run()
    assert len(chat.results()) == 2 and len([one for one in notices(chat) if "without asking" in one]) == 1
    notes = [one["data"].get("note") or "" for one in chat.events("ToolUpdate")]
    assert sum("without asking" in note for note in notes) == 2


@pytest.mark.parametrize(
    ("command", "warned"),
    [
        ("git status && grep -rn a . | head -3", False),
        ("cd sub && git diff", False),
        ("cat /etc/hostname", True),
        ("ls > made.txt", True),
        ("ls $X", True),
    ],
)
def test_a_command_without_asking_is_more_than_reading_where_it_would_be_asked_about(
    house: House, command: str, warned: bool
) -> None:
    (house.workspace / "sub").mkdir(exist_ok=True)
    call = {"toolCallId": "c1", "kind": "execute", "status": "in_progress", "rawInput": {"command": command}}
    chat = house.guest([{"tool_call": call}, done()]).chat()
    chat.run()
    assert [one for one in notices(chat) if "more without asking than read" in one] == notices(chat)
    assert bool(notices(chat)) is warned


def test_a_reading_command_is_one_wherever_its_agent_may_be_by_then(house: House) -> None:
    calls = [
        {"toolCallId": call_id, "kind": "execute", "status": "in_progress", "rawInput": {"command": command}}
        for call_id, command in (("c1", "cd sub"), ("c2", "git status"))
    ]
    steps = [step for call in calls for step in ({"tool_call": call}, done(str(call["toolCallId"])))]
    chat = house.guest(steps, name="claude-agent-acp").chat()
    chat.run()
    assert len(chat.results()) == 2 and notices(chat) == []


@pytest.mark.parametrize(
    ("name", "more", "warned"),
    [("copilot", {}, False), ("copilot", {"url": "https://x.org"}, True), ("another", {}, True)],
)
def test_notes_that_an_agent_keeps_for_itself_are_no_warning(house: House, name: str, more: Json, warned: bool) -> None:
    notes = {"description": "To do", "query": "SELECT * FROM todos", "database": "session", **more}
    call = {"toolCallId": "c1", "kind": "other", "title": "To do", "status": "in_progress", "rawInput": notes}
    chat = house.guest([{"tool_call": call}, done()], name=name).chat()
    chat.run()
    assert len(chat.results()) == 1 and bool(notices(chat)) is warned


@pytest.mark.parametrize(
    "call",
    [
        {"kind": "execute", "rawInput": {"command": "rm -r docs"}, "_meta": _HELD_BACK},
        {"kind": "edit", "content": [{"type": "diff", "path": "a.txt", "oldText": "a", "newText": "b"}]},
        {"kind": "edit", "title": "a.txt: a => b"},
    ],
    ids=["its own rule", "a change that failed", "one that was not shown"],
)
def test_what_did_not_run_was_not_done_without_asking(house: House, call: Json) -> None:
    chat = house.guest([{"tool_call": {"toolCallId": "c1", "status": "pending", **call}}, _failed(call)]).chat()
    chat.run()
    (row,) = chat.results()
    assert row["is_error"] and row["output"] == "No." and notices(chat) == []
    notes = [one["data"].get("note") or "" for one in chat.events("ToolUpdate")]
    assert not any("did this" in note for note in notes)


def test_one_that_says_that_it_goes_on_and_asks_then_has_asked(house: House) -> None:
    call = {"toolCallId": "c1", "kind": "execute", "status": "in_progress", "rawInput": {"command": "make"}}
    guest = house.guest([{"tool_call": call}, ask("c1", command="make")])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert notices(chat) == [] and len(chat.results()) == 1 and len(chat.events("ToolCall")) == 1


def test_one_that_asks_under_another_id_has_asked(house: House) -> None:
    call = {"toolCallId": "tool-1", "kind": "execute", "status": "in_progress", "rawInput": {"command": "make"}}
    then = {"allow": [{"tool_call": call}, done("tool-1", "made")]}
    guest = house.guest([ask("permission-1", command="make", on=then)])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert notices(chat) == [] and [one["output"] for one in chat.results()] == ["made"]


def test_what_assent_does_for_it_is_not_done_without_asking(house: House) -> None:
    path = str(house.workspace / "for-it.txt")
    call = {
        "toolCallId": "c1",
        "kind": "edit",
        "status": "in_progress",
        "content": [{"type": "diff", "path": path, "newText": "x"}],
    }
    guest = house.guest([{"tool_call": call}, {"write": path, "content": "x"}, done("c1", "written")])
    chat = guest.chat()
    run = chat.send()
    chat.select(chat.card(), "approve")
    run.result()
    assert not any("without asking" in one for one in notices(chat))
    calls = [(event["data"]["toolCallId"], event["data"]["tool"]) for event in chat.events("ToolCall")]
    assert sorted(calls) == sorted((one["toolCallId"], one["tool"]) for one in chat.results())


# R135


def test_a_transcript_keeps_what_updates_leave_out(house: House) -> None:
    call = {
        "toolCallId": "c1",
        "title": "List the folder",
        "kind": "read",
        "status": "pending",
        "locations": [{"path": "a"}],
    }
    guest = house.guest(
        [
            {"think": "Where? "},
            says("First "),
            {"plan": [{"content": "Look", "status": "in_progress", "priority": "high"}]},
            {"commands": [{"name": "review", "description": "Looks at it"}]},
            {"tool_call": call},
            {"update": {"toolCallId": "c1", "status": "in_progress"}},
            done("c1", "a.txt"),
            {"usage": {"used": 10, "size": 100}},
            says("done."),
        ]
    )
    chat = guest.chat()
    chat.run()
    names = [event["event"] for event in chat.events()]
    row = chat.events("ToolCall")[0]["data"]
    assert row["tool"] == "read_file" and chat.results()[0]["output"] == "a.txt"
    assert names.count("ToolCall") == names.count("ToolResult") == 1
    texts = [event["data"]["text"] or event["data"]["thinking"] for event in chat.events("Chunk")]
    assert texts == ["Where? ", "First ", "done."]
    assert names.index("ToolCall") > names.index("Chunk") and names[-1] == "Done"
