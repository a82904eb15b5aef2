"""A lasting answer whose setting is written while another entry wins over it: the answer says so, with both places."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.room import Room
from tests.support.server import INVALID_PARAMS, SCRIPTED, Json, RpcError, Server

Start = Callable[..., Server]


def settings_file(server: Server, text: str) -> Path:
    file = server.workspace / ".vscode" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


TWICE: dict[str, tuple[str, str, int, int]] = {
    "the bypass of the agent": (
        '{\n  "assent.bypassPermissions": {"Scripted": false},\n  "assent.bypassPermissions": {}\n}\n',
        "bypass_agent",
        4,
        2,
    ),
    "the bypass in both spellings": (
        '{\n  "assent": {\n    "bypassPermissions": {"Scripted": false}\n  },\n  "assent.bypassPermissions": {}\n}\n',
        "bypass_agent",
        6,
        3,
    ),
    "the list of tools": (
        '{\n  "assent.toolAllowlist": [],\n  "assent.toolAllowlist": []\n}\n',
        "always_tool:write_file",
        3,
        2,
    ),
    "the rules": (
        '{\n  "assent.alwaysAllowRules": {"bash": ["ls"]},\n  "assent.alwaysAllowRules": {}\n}\n',
        "always:write_file:room/a",
        4,
        2,
    ),
    "the tool within the rules": (
        '{"assent.alwaysAllowRules": {\n  "write_file": [],\n  "write_file": []\n}}\n',
        "always:write_file:room/a",
        3,
        2,
    ),
}


@pytest.mark.parametrize(("text", "option", "written", "wins"), TWICE.values(), ids=TWICE)
def test_a_setting_that_stands_there_twice(start: Start, text: str, option: str, written: int, wins: int) -> None:
    server = start()
    file = settings_file(server, text)
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [room.write("a", "more")])
    told = chat.select(card, option)["settings"]
    assert told["written"] is True and told["target"] == str(file)
    assert told["overruledBy"] == {"scope": "workspace", "file": str(file), "line": wins}
    assert f"{file}, line {written}, but it has no effect: what stands in line {wins} of that file" in told["error"]
    assert told["error"].endswith("It holds for this chat only.")
    # In its chat the click counts all the same, as it says.
    assert run.result()["done_reason"] == "stop" and room.file("a").read_text() == "more"
    assert any("no effect" in event["data"]["text"] for event in chat.events("Notification"))
    fresh, again, run = room.card([room.write("a")])
    fresh.answer(again, decision="deny")
    run.result()


@pytest.mark.parametrize("text", ["{}", '{"assent.toolAllowlist": ["x"]}', '{"assent": {"bypassPermissions": {}}}'])
@pytest.mark.parametrize("option", ["bypass_agent", "always_tool:write_file", "never:write_file:room/a"])
def test_a_setting_that_stands_there_once_is_simply_stored(start: Start, text: str, option: str) -> None:
    server = start()
    settings_file(server, text)
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    told = chat.select(card, option)["settings"]
    run.result()
    assert told["written"] is True and "error" not in told and "overruledBy" not in told


def test_two_entries_that_both_say_it_are_no_reason_to_speak(start: Start) -> None:
    server = start()
    settings_file(server, '{"assent.toolAllowlist": ["write_file"],\n "assent.toolAllowlist": []}')
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    told = chat.select(card, "always_tool:write_file")["settings"]
    run.result()
    assert told["written"] is True and "error" not in told
    assert room.chat([room.write("b")]).run()["done_reason"] == "stop" and room.file("b").exists()


def test_a_closer_scope_wins_over_what_is_written_into_the_users_settings(start: Start) -> None:
    """Beside the definition of the agent or in the flat map: what a workspace forbids counts before the user's yes."""
    server = start()
    file = settings_file(server, '{\n  "assent.agents": {"Scripted": {"bypassPermissions": false}}\n}')
    server.meet(capabilities=("cards", "settings/write"), user={"bypassWriteTarget": "user"})
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    pending = chat.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], "bypassAll": True})
    asked = chat.client.wait_for_request("settings/write")
    assert asked.params["target"] == "user"
    asked.answer({"written": True, "target": "user"})
    told = pending.result()["settings"]
    run.result()
    assert told["written"] is True and told["target"] == "user"
    assert told["overruledBy"] == {"scope": "workspace", "file": str(file), "line": 2}
    assert f"the workspace settings ({file}, line 2) wins over it" in told["error"]


@pytest.mark.parametrize("edits", ["the last", "the first"])
def test_an_editor_that_writes_is_told_of_as_well(start: Start, edits: str) -> None:
    """Which of the two it changes is its own choice, and whether it has by the time that it answers."""
    server = start()
    first, last = '"assent.bypassPermissions": {"Scripted": true}', '"assent.bypassPermissions": {"Scripted": false}'
    file = settings_file(server, f"{{\n  {last},\n  {last}\n}}")
    server.meet(capabilities=("cards", "settings/write"))
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    pending = chat.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], "bypassAll": True})
    asked = chat.client.wait_for_request("settings/write")
    if edits == "the first":
        file.write_text(f"{{\n  {first},\n  {last}\n}}")
    asked.answer({"written": True, "target": "workspace"})
    told = pending.result()["settings"]
    run.result()
    assert told["overruledBy"]["line"] == (3 if edits == "the first" else 2)


def test_the_view_of_permissions_says_it_too(start: Start) -> None:
    server = start()
    settings_file(server, '{\n "assent.bypassPermissions": {"Scripted": false},\n "assent.bypassPermissions": {}\n}')
    server.meet()
    overview: Json = server.client.request("permissions/overview", {})
    (standing,) = [one for one in overview["bypasses"] if one["agent"] == SCRIPTED]
    with pytest.raises(RpcError) as refused:
        server.client.request("permissions/setBypass", {"agent": SCRIPTED, "on": True, "digest": standing["digest"]})
    assert refused.value.code == INVALID_PARAMS
    assert "line 4, but it has no effect: what stands in line 2 of that file" in json.dumps(str(refused.value))


def test_so_does_choosing_a_mode_that_the_file_names_twice(start: Start) -> None:
    server = start()
    settings_file(server, '{\n "assent.mode": "default",\n "assent.mode": "default"\n}')
    server.meet()
    mode: Json = server.client.request("permissions/overview", {})["mode"]
    with pytest.raises(RpcError) as refused:
        server.client.request("permissions/setMode", {"mode": "auto", "digest": mode["digest"]})
    assert "line 3, but it has no effect: what stands in line 2 of that file" in str(refused.value)
    # A tighter one counts from wherever it stands.
    mode = server.client.request("permissions/overview", {})["mode"]
    server.client.request("permissions/setMode", {"mode": "plan", "digest": mode["digest"]})
    assert server.chat().info()["mode"] == "plan"
