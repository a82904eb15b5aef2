"""What a card offers depends on what the client can draw, and an answer reaches no further than the card."""

from collections.abc import Callable

import pytest

from assent.model.approval import OptionKind
from tests.support.room import Room
from tests.support.server import INVALID_PARAMS, NOT_OFFERED, Json, Server

Start = Callable[..., Server]

ORDINARY = {"allow_once", "allow_session", "allow_always", "reject_once", "reject_always"}


def kinds(card: Json) -> set[str]:
    return {option["kind"] for option in card["options"]}


def test_a_client_that_says_nothing_of_options_is_offered_all(room: Room) -> None:
    chat, card, run = room.card([room.write("a")])
    assert kinds(card) == ORDINARY | {"bypass_session", "bypass_agent"}
    assert len({option["optionId"] for option in card["options"]}) == len(card["options"])
    chat.select(card, "deny")
    run.result()


@pytest.mark.parametrize("known", [["allow_once", "reject_once"], [], ["allow_once", "teleport"]])
def test_a_client_is_offered_only_what_it_can_draw(start: Start, known: list[str]) -> None:
    """And a way to refuse, always. What was not offered cannot be chosen, in any spelling."""
    server = start()
    server.meet(options=known)
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [room.write("b")])
    offered = kinds(card)
    assert offered == ({"allow_once"} & set(known)) | {"reject_once"}
    wider: list[dict[str, Json]] = [
        {"bypassAll": True},
        {"bypassAll": True, "decision": "accept"},
        {"decision": "allow_for_chat"},
        {"decision": "bypass_session"},
        {"decision": "bypass_agent"},
        {"response": {"outcome": {"outcome": "selected", "optionId": "allow_session"}}},
        {"response": {"outcome": {"outcome": "selected", "optionId": "bypass_agent"}}},
    ]
    for fields in wider:
        fault = chat.refused(card, **fields)
        assert fault.code == NOT_OFFERED
        assert fault.data["allowed"] == [option["optionId"] for option in card["options"]]
    assert chat.waits(card) and chat.info()["bypassAgent"] is False
    if "allow_once" in offered:
        chat.answer(card, decision="accept")
        chat.answer(chat.card(), decision="deny")
    else:
        assert chat.refused(card, decision="accept").code == NOT_OFFERED
        chat.answer(card, decision="deny")
        chat.answer(chat.card(), decision="deny")
    run.result()
    assert room.file("a").exists() == ("allow_once" in offered) and not room.file("b").exists()


def test_the_server_says_which_options_there_are(start: Start) -> None:
    server = start()
    said = server.meet()["capabilities"]["experimental"]["assent"]
    assert said["version"] == 1
    assert sorted(said["options"]) == sorted(OptionKind)


def test_bypass_is_not_offered_where_the_user_took_it_away(start: Start) -> None:
    server = start()
    server.meet(user={"bypassAvailable": False})
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    assert kinds(card) == ORDINARY
    for fields in ({"bypassAll": True}, {"decision": "bypass_session"}, {"decision": "bypass_agent"}):
        assert chat.refused(card, **fields).code == NOT_OFFERED
    chat.select(card, "deny")
    run.result()


def test_bypass_taken_away_while_a_card_waits_does_not_run_what_follows(start: Start) -> None:
    """The card was drawn with a bypass on it; what the user's settings say when it is clicked counts."""
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [room.write("b")])
    told = {"settings": {"assent": server.settings(bypassAvailable=False)}}
    server.client.notify("workspace/didChangeConfiguration", told)
    fault = chat.refused(card, decision="bypass_session")
    assert fault.code == NOT_OFFERED and chat.waits(card)
    again = chat.card()
    assert again["approvalId"] == card["approvalId"] and "bypass_session" not in kinds(again)
    chat.select(again, "approve")
    chat.answer(chat.card(), decision="deny")
    run.result()
    assert chat.info()["bypassSession"] is False and not room.file("b").exists()


def test_settings_that_tighten_reach_what_waits(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": server.settings(enabled=False)}})
    assert chat.resolved(card)["resolvedBy"] == "policy"
    run.result()
    assert chat.results()[0]["code"] == "disabled" and not room.file("a").exists()


def test_a_bypass_holds_for_the_agent_that_was_shown_and_not_for_its_name(start: Start) -> None:
    """Another program under the same name was never agreed to."""
    server = start()
    file = server.workspace / ".vscode" / "settings.json"
    file.parent.mkdir()
    file.write_text("{}")
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    # Nothing can be stored, so that only the click counts.
    file.write_text("{ this is no JSON")
    outcome = chat.answer(card, bypassAll=True)
    run.result()
    assert outcome["settings"]["written"] is False and outcome["settings"]["error"]
    assert chat.info()["bypassAgent"] is True

    other = server.workspace.parent / "other.json"
    other.write_text('{"turns": [[{"call": "write_file", "args": {"path": "b", "content": "x"}}]]}')
    changed = server.settings()
    changed["user"]["agents"]["Scripted"]["script"] = str(other)
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": changed}})
    fresh = server.chat()
    assert fresh.info()["bypassAgent"] is False
    run = fresh.send()
    fresh.select(fresh.card(), "deny")
    run.result()
    assert not (server.workspace / "b").exists()


def test_a_bypass_that_is_stored_is_in_the_settings_file_and_counts_after_a_restart(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    outcome = chat.answer(card, bypassAll=True)
    run.result()
    assert outcome["settings"]["written"] is True, outcome
    assert "Scripted" in (server.workspace / ".vscode" / "settings.json").read_text()
    assert server.client.shutdown() == 0

    again = start()
    again.meet()
    again.script([{"call": "write_file", "args": {"path": "b", "content": "x"}}])
    assert again.chat().run()["done_reason"] == "stop"
    assert (again.workspace / "b").exists()


def test_a_bypass_in_a_cloned_repository_is_nothing(start: Start) -> None:
    server = start()
    folder = server.workspace / ".vscode"
    folder.mkdir()
    (folder / "settings.json").write_text(
        '{"assent.bypassPermissions": {"Scripted": true, "Demo": true}, "assent.mode": "auto",'
        ' "assent.toolAllowlist": ["write_file"], "assent.enabled": true}'
    )
    server.meet(workspaceTrusted=True)
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    assert card["mode"] == "default" and chat.info()["bypassAgent"] is False
    chat.select(card, "deny")
    run.result()
    assert not room.file("a").exists()


def test_a_client_that_writes_settings_is_asked_to(start: Start) -> None:
    """The tool starts at once; what became of the setting is told."""
    server = start()
    server.meet(capabilities=("cards", "settings/write"))
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    pending = chat.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], "bypassAll": True})
    asked = chat.client.wait_for_request("settings/write")
    assert asked.params["target"] == "workspace" and asked.params["value"] is not None
    assert run.result()["done_reason"] == "stop" and room.file("a").exists()
    assert not pending.done
    asked.answer({"written": False, "target": "workspace", "error": "the file is read-only"})
    settings = pending.result()["settings"]
    assert settings["written"] is False and "read-only" in settings["error"]
    notices = [event["data"]["text"] for event in chat.events("Notification")]
    assert any("read-only" in text for text in notices)


@pytest.mark.parametrize("reply", [None, {"written": "yes"}, {"written": True, "target": 7}])
def test_nonsense_from_the_client_about_settings_is_survived(start: Start, reply: Json) -> None:
    server = start()
    server.meet(capabilities=("cards", "settings/write"))
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    pending = chat.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], "bypassAll": True})
    chat.client.wait_for_request("settings/write").answer(reply)
    settings = pending.result()["settings"]
    assert settings["written"] is False and settings["error"]
    assert run.result()["done_reason"] == "stop"


def test_a_client_that_is_silent_about_settings_holds_nothing_up(start: Start) -> None:
    server = start()
    server.meet(capabilities=("cards", "settings/write"))
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [room.write("b")])
    pending = chat.client.start("tool/approvalResponse", {"approvalId": card["approvalId"], "bypassAll": True})
    assert run.result()["done_reason"] == "stop" and room.file("b").exists()
    settings = pending.result(within=15)["settings"]
    assert settings["written"] is False and settings["error"]


@pytest.mark.parametrize(
    ("settings", "path"),
    [
        ({"user": 5}, "params.initializationOptions.assent.settings.user"),
        ("settings", "params.initializationOptions.assent.settings"),
    ],
)
def test_settings_of_a_wrong_shape_are_told(start: Start, settings: Json, path: str) -> None:
    client = start().client
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    block = {"protocol": 1, "capabilities": ["cards"], "settings": settings}
    fault = client.start("initialize", {**params, "initializationOptions": {"assent": block}}).error(within=30)
    assert (fault.code, fault.data["path"]) == (INVALID_PARAMS, path)
