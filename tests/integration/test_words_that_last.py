"""What `always_allow` and `allow_for_chat` mean as words, without the id of an option: what they store and never do."""

import json
from collections.abc import Callable

import pytest

from tests.support.room import Room
from tests.support.server import NOT_OFFERED, Json, Server, Step

Start = Callable[..., Server]


@pytest.fixture
def room(start: Start) -> Room:
    """A workspace of its own: what is stored there would answer for others."""
    server = start()
    server.meet()
    return Room(server, "room")


def stored(room: Room) -> dict[str, Json]:
    file = room.server.workspace / ".vscode" / "settings.json"
    return json.loads(file.read_text()) if file.exists() else {}


def bash(command: str) -> Step:
    return {"call": "bash", "args": {"command": command}}


def test_always_allow_stores_the_tool(start: Start, room: Room) -> None:
    """As the user says it: this tool. The narrower choices stand on the card, for who wants one of them."""
    chat, card, run = room.card([room.write("a")], [room.write("b")])
    lasting = [one["optionId"] for one in card["options"] if one["kind"] == "allow_always"]
    assert lasting[-1] == "always_tool:write_file" and any(one.startswith("always:write_file:") for one in lasting)
    outcome = chat.answer(card, decision="always_allow")
    assert outcome["decision"] == "allow_always" and outcome["settings"]["written"] is True
    assert run.result()["done_reason"] == "stop"
    assert room.file("a").exists() and room.file("b").exists() and len(chat.cards()) == 1
    assert stored(room) == {"assent.toolAllowlist": ["write_file"]}
    assert room.server.client.shutdown() == 0

    again = start()
    again.meet()
    again.script([room.write("c")])
    assert again.chat().run()["done_reason"] == "stop" and room.file("c").exists()


def test_allow_always_still_picks_the_narrowest(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    chat.answer(card, decision="allow_always")
    run.result()
    assert stored(room) == {"assent.alwaysAllowRules": {"write_file": ["room/a"]}}


def test_the_word_and_the_id_must_mean_the_same(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    narrow = next(one["optionId"] for one in card["options"] if one["kind"] == "allow_always")
    chosen = {"outcome": {"outcome": "selected", "optionId": narrow}}
    assert chat.refused(card, decision="always_allow", response=chosen).code == NOT_OFFERED
    assert chat.waits(card) and stored(room) == {}
    chat.answer(card, decision="deny")
    run.result()


def test_of_a_shell_command_it_stores_that_command(room: Room) -> None:
    """“Always” beside one command is no yes to every command there is."""
    chat, card, run = room.card([bash("touch room/a")], [bash("touch room/b")])
    chat.answer(card, decision="always_allow")
    again = chat.card()
    assert again["args"] == {"command": "touch room/b"} and room.file("a").exists()
    chat.answer(again, decision="deny")
    run.result()
    assert stored(room) == {"assent.alwaysAllowRules": {"bash": ["touch room/a"]}}


@pytest.mark.parametrize("word", ["always_allow", "allow_always", "allow_for_chat", "allow_session"])
def test_no_word_means_every_shell_command(room: Room, word: str) -> None:
    """A command for which there is no rule leaves the whole tool, which is meant by the id of its option only."""
    chat, card, run = room.card([bash("rm -rf room/x\ntouch room/a")], [bash("rm -rf room/x\ntouch room/b")])
    wide = {
        one["optionId"]: one["scopeText"] for one in card["options"] if one["kind"] in ("allow_session", "allow_always")
    }
    assert set(wide) == {"allow_session_tool", "always_tool:bash"}
    assert all("Only this option allows every command" in text for text in wide.values())
    fault = chat.refused(card, decision=word)
    assert fault.code == NOT_OFFERED and set(wide) <= set(fault.data["allowed"])
    assert chat.waits(card) and stored(room) == {} and not room.file("a").exists()

    chat.select(card, "allow_session_tool" if "_for_chat" in word or "session" in word else "always_tool:bash")
    run.result()
    assert room.file("b").exists() and len(chat.cards()) == 1


def test_where_the_whole_tool_is_not_offered_it_stores_the_narrowest_that_is(room: Room) -> None:
    room.file(".env").write_text("NAME=x")
    reading = {"call": "read_file", "args": {"path": room.path(".env")}}
    chat, card, run = room.card([reading], mode="ask")
    chat.answer(card, decision="always_allow")
    run.result()
    assert stored(room) == {"assent.alwaysAllowRules": {"read_file": ["room/.env"]}}


def test_what_is_protected_is_allowed_always_by_no_word(room: Room) -> None:
    chat, card, run = room.card([room.write(".env", "NAME=x")])
    assert card["reason"]["code"] == "protected"
    assert chat.refused(card, decision="always_allow").code == NOT_OFFERED
    assert chat.waits(card) and stored(room) == {}
    chat.answer(card, decision="deny")
    run.result()
