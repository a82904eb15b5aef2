"""Grants over the wire with the real process: they end, are listed, taken back and given back."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import INVALID_PARAMS, NO_CHAT, Chat, Json, Server, say

Start = Callable[..., Server]
MANY = 12


def grants(server: Server, **params: Json) -> list[Json]:
    found: list[Json] = server.client.request("grants/list", params)["grants"]
    return found


def revoke(server: Server, grant_id: str) -> Json:
    return server.client.request("grants/revoke", {"grantId": grant_id})


def undo(server: Server, grant_id: str) -> Json:
    return server.client.request("grants/undo", {"grantId": grant_id})["grant"]


def refused(server: Server, method: str, grant_id: Json) -> RpcError:
    with pytest.raises(RpcError) as fault:
        server.client.request(method, {"grantId": grant_id})
    assert fault.value.code == INVALID_PARAMS
    assert fault.value.data["path"] == "params.grantId"
    return fault.value


def chips(chat: Chat) -> list[Json]:
    return [event["data"]["grants"] for event in chat.events("Grants")]


def test_a_card_says_that_an_end_can_be_given(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    assert card["limits"] is True
    chat.select(card, "deny")
    run.result()


@pytest.mark.parametrize("option", ["allow_session", "bypass_session"])
def test_as_many_of_parallel_calls_run_as_there_are_uses(room: Room, option: str) -> None:
    chat = room.chat([room.write(f"{n}") for n in range(MANY)])
    run = chat.send()
    cards = [chat.card() for _ in range(MANY)]
    chat.select(cards[0], option, limits={"uses": 4})
    wait_until(lambda: len(list(room.folder.iterdir())) == 5)
    waiting = [card for card in cards if chat.waits(card)]
    assert len(waiting) == MANY - 5
    assert len([end for card in cards for end in chat.endings(card) if end["resolvedBy"] == "policy"]) == 4
    for card in waiting:
        chat.select(card, "deny")
    run.result()
    assert len(list(room.folder.iterdir())) == 5
    assert grants(room.server, sessionId=chat.id) == []


def test_uses_count_over_turns_and_then_it_is_asked_again(room: Room) -> None:
    chat, card, run = room.card(*[[room.write(name)] for name in "abcd"])
    chat.select(card, "allow_session", limits={"uses": 2, "minutes": 15})
    last = chat.card()
    assert last["args"]["path"] == room.path("d")
    assert room.file("c").exists()
    chat.select(last, "deny")
    run.result()
    assert chips(chat) == [["write_file"], []]


def test_until_this_task_is_done(room: Room) -> None:
    chat, card, run = room.card([room.write("a")], [room.write("b")], [say("done")], [room.write("c")])
    chat.select(card, "allow_session", limits={"untilRunEnds": True})
    assert run.result()["done_reason"] == "stop" and room.file("b").exists()
    assert grants(room.server, sessionId=chat.id) == []
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert not room.file("c").exists()


def test_until_this_task_is_stopped(room: Room) -> None:
    chat, card, run = room.card([room.write("a")], [room.write(".vscode/x")], [room.write("c")])
    chat.select(card, "bypass_session", limits={"untilRunEnds": True})
    # Protected: asked for whatever is allowed.
    chat.card(room.path(".vscode/x"))
    assert [one["ends"] for one in grants(room.server, sessionId=chat.id)] == [{"untilRunEnds": True}]
    chat.stop()
    run.result()
    assert grants(room.server, sessionId=chat.id) == []
    assert chat.info()["bypassSession"] is False


def test_a_short_time_ends_by_itself_and_the_chat_is_told(room: Room) -> None:
    chat, card, run = room.card([room.write("a")], [say("done")], [room.write("b")])
    chat.select(card, "allow_session", limits={"minutes": 0.01})
    run.result()
    wait_until(lambda: chips(chat)[-1:] == [[]])
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert not room.file("b").exists()


def test_a_grant_is_listed_taken_back_and_given_back(room: Room) -> None:
    server = room.server
    turns: list[Any] = [[room.write("a")], [room.write("b")], [say("done")], [room.write("c")], [say("done")]]
    chat, card, run = room.card(*turns, [room.write("d")])
    chat.select(card, "allow_session", limits={"minutes": 15, "uses": 5})
    run.result()
    (one,) = grants(server, sessionId=chat.id)
    assert 0 < one["ends"].pop("remainingMs") <= 15 * 60_000
    assert one["givenAt"] and one["lastUsedAt"]
    assert {key: one[key] for key in one.keys() - {"grantId", "givenAt", "lastUsedAt"}} == {
        "kind": "key",
        "scope": "chat",
        "text": "write_file",
        "sessionId": chat.id,
        "agentName": "Scripted",
        "givenOn": card["headline"],
        "used": 1,
        "ends": {"usesLeft": 4},
        "effective": True,
    }
    assert revoke(server, one["grantId"]) == {"grantId": one["grantId"], "undoable": True, "status": "revoked"}
    assert grants(server, sessionId=chat.id) == []
    refused(server, "grants/revoke", one["grantId"])
    run = chat.send()
    again = chat.card()
    assert again["args"]["path"] == room.path("c")
    restored = undo(server, one["grantId"])
    # The call that waited is on its way by it, and not yet charged.
    assert (restored["grantId"], restored["ends"]["usesLeft"], restored["used"]) == (one["grantId"], 4, 1)
    assert chat.resolved(again)["resolvedBy"] == "policy"
    run.result()
    refused(server, "grants/undo", one["grantId"])
    run = chat.send()
    assert run.result()["done_reason"] == "stop" and room.file("d").exists()
    assert [one["ends"]["usesLeft"] for one in grants(server, sessionId=chat.id)] == [2]


@pytest.mark.parametrize("method", ["grants/revoke", "grants/undo"])
@pytest.mark.parametrize("grant_id", ["", "x", "../consent.json", None, 5, ["x"]])
def test_ids_that_nobody_gave(shared: Server, method: str, grant_id: Json) -> None:
    refused(shared, method, grant_id)


def test_the_list_of_a_chat_that_is_not_there(shared: Server) -> None:
    with pytest.raises(RpcError) as fault:
        grants(shared, sessionId="nowhere")
    assert fault.value.code == NO_CHAT


def test_a_rule_goes_from_the_file_of_the_workspace_and_the_rest_of_it_stays(start: Start) -> None:
    server = start()
    folder = server.workspace / ".vscode"
    folder.mkdir()
    text = '{\n  // mine\n  "editor.tabSize": 2, // two\n}\n'
    (folder / "settings.json").write_text(text)
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [room.write("b")], [say("done")], [room.write("c")])
    always = next(one for one in card["options"] if one["optionId"] == "always:write_file:room/**")
    chat.select(card, always["optionId"])
    run.result()
    (one,) = grants(server)
    assert (one["kind"], one["scope"], one["setting"]) == ("rule", "workspace", "assent.alwaysAllowRules")
    assert one["file"] == str(folder / "settings.json") and one["effective"] is True
    with_rule = (folder / "settings.json").read_text()
    assert with_rule.splitlines()[one["line"] - 1].strip(" ,") == '"room/**"'

    revoke(server, one["grantId"])
    left = (folder / "settings.json").read_text()
    assert left.startswith(text.rstrip("}\n")) and "room/" not in left
    assert grants(server) == []
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert undo(server, one["grantId"])["effective"] is True
    assert (folder / "settings.json").read_text() == with_rule
    server.script([room.write("e")])
    assert server.chat().run()["done_reason"] == "stop" and room.file("e").exists()


def test_a_bypass_is_switched_off_and_stays_off_after_a_restart(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [say("done")], [room.write("b")])
    chat.answer(card, bypassAll=True)
    run.result()
    (one,) = grants(server)
    assert (one["kind"], one["agentName"]) == ("bypass_agent", "Scripted")
    revoke(server, one["grantId"])
    assert chat.info()["bypassAgent"] is False
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert server.client.shutdown() == 0

    again = start()
    again.meet()
    # What could be given back was known to the server that took it.
    refused(again, "grants/undo", one["grantId"])
    again.script([room.write("c")])
    fresh = again.chat()
    run = fresh.send()
    fresh.select(fresh.card(), "deny")
    run.result()
    assert not room.file("c").exists()


def test_the_editor_is_asked_to_take_an_entry_out(start: Start) -> None:
    server = start()
    server.meet(capabilities=("cards", "settings/write"), user={"toolAllowlist": ["write_file"]})
    room = Room(server, "room")
    (one,) = grants(server)
    assert (one["scope"], one["effective"]) == ("user", True)
    pending = server.client.start("grants/revoke", {"grantId": one["grantId"]})
    asked = server.client.wait_for_request("settings/write")
    assert asked.params == {
        "key": "assent.toolAllowlist",
        "path": [],
        "value": "write_file",
        "target": "user",
        "remove": True,
    }
    asked.answer({"written": True, "target": "user"})
    assert pending.result()["undoable"] is True
    # The settings that were told still name it.
    chat, card, run = room.card([room.write("a")])
    chat.select(card, "deny")
    run.result()
    assert [grant["effective"] for grant in grants(server)] == [False]


def test_users_settings_that_nobody_can_write_are_named(start: Start) -> None:
    server = start()
    server.meet(user={"toolAllowlist": ["write_file"]})
    (one,) = grants(server)
    fault = refused(server, "grants/revoke", one["grantId"])
    assert "assent.toolAllowlist in the user settings" in fault.message
    assert grants(server) == [one]


def test_what_was_given_and_taken_back_is_in_the_history(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    chat.select(card, "allow_session", limits={"minutes": 15})
    run.result()
    (one,) = grants(server)
    revoke(server, one["grantId"])
    undo(server, one["grantId"])
    entries = server.client.request("history/query", {})["entries"]
    told = [(entry["stage"], entry["grant"]) for entry in entries if entry["stage"] in ("granted", "revoked")]
    assert sorted(told) == sorted(
        [
            ("granted", "Allow write_file for this chat (for 15 minutes)"),
            ("revoked", "write_file"),
            ("granted", "write_file"),
        ]
    )
