"""Settings and trust that change while the server runs."""

from collections.abc import Callable

from tests.support.room import Room
from tests.support.server import Server, read

Start = Callable[..., Server]


def _tell(server: Server, block: object) -> None:
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": block}})


def test_settings_that_make_no_sense_permit_nothing_until_they_do(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [room.write("b")], mode="default")
    _tell(server, {"user": ["no", "object"]})

    chat.refused(card, decision="bypass_agent")
    again = chat.card()
    assert all(option["kind"] != "bypass_agent" for option in again["options"])
    chat.select(again, "deny")
    chat.answer(chat.card(), decision="deny")
    run.result()
    reading = room.chat([read(room.path("a"))], mode="auto")
    pending = reading.send()
    asked = reading.card()
    assert asked["category"] == "read", "even reading is asked for"
    _tell(server, server.settings())
    reading.resolved(asked)
    pending.result()


def test_trust_that_is_granted_later_lets_a_consented_bypass_count(start: Start) -> None:
    first = start()
    first.meet()
    room = Room(first, "room")
    chat, card, run = room.card([room.write("a")])
    assert chat.answer(card, bypassAll=True)["settings"]["written"] is True
    run.result()
    first.client.close()

    server = start()
    server.meet(workspaceTrusted=False)
    assert server.chat().info()["bypassAgent"] is False
    _tell(server, server.settings() | {"workspaceTrusted": True})
    assert server.chat().info()["bypassAgent"] is True


def test_cards_stand_in_the_order_of_the_models_calls(room: Room) -> None:
    room.file("big").write_text("".join(f"{number}\n" for number in range(60_000)))
    new = "".join(f"{number + number % 3}\n" for number in range(60_000))
    chat = room.chat([room.write("big", new), *(room.write(f"small{n}") for n in range(5))])
    run = chat.send()
    last = chat.card(room.path("small4"))
    cards = sorted(chat.cards(), key=lambda card: card["seq"])
    assert [card["args"]["path"] if isinstance(card["args"], dict) else None for card in cards] == [
        room.path("big"),
        *(room.path(f"small{n}") for n in range(5)),
    ]
    assert last["seq"] == max(card["seq"] for card in cards)
    chat.stop()
    run.result()


def test_silence_about_a_scope_takes_no_restriction_back(start: Start) -> None:
    server = start()
    server.meet(user={"alwaysDenyRules": {"write_file": ["*"]}})
    room = Room(server, "room")
    _tell(server, {"workspaceTrusted": True})
    chat = room.chat([room.write("a")], mode="auto")
    chat.run()
    assert chat.results()[0]["code"] == "denied_by_rule"


def test_settings_without_their_scopes_permit_nothing(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    _tell(server, {"alwaysAllowRules": {"write_file": ["*"]}, "mode": "auto"})
    chat, card, run = room.card([room.write("a")], mode="auto")
    chat.answer(card, decision="deny")
    run.result()


def test_a_card_says_where_its_bypass_would_be_stored(start: Start) -> None:
    server = start()
    server.meet(capabilities=("cards", "settings/write"), user={"bypassWriteTarget": "user"})
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    (bypass,) = [option for option in card["options"] if option["kind"] == "bypass_agent"]
    assert "in every workspace" in bypass["scopeText"] and "user settings" in bypass["scopeText"]
    chat.answer(card, decision="deny")
    run.result()


def test_an_agent_that_is_defined_anew_is_offered_no_bypass_in_its_old_chat(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")])
    changed = server.settings()
    changed["user"]["agents"]["Scripted"]["script"] += ".other"
    _tell(server, changed)
    refused = chat.refused(card, bypassAll=True)
    assert refused.code == -31003
    chat.select(chat.card(), "deny")
    run.result()


def test_a_folder_that_is_opened_later_changes_the_card_that_waits(start: Start) -> None:
    """An editor may tell its folders only after the first message."""
    server = start()
    server.meet()
    room = Room(server, "room")
    uri = server.workspace.as_uri()
    gone = {"event": {"added": [], "removed": [{"uri": uri, "name": "w"}]}}
    server.client.notify("workspace/didChangeWorkspaceFolders", gone)
    chat, card, run = room.card([{"call": "write_file", "args": {"path": str(room.file("a")), "content": "x"}}])
    assert card["reason"]["code"] == "outside_workspace"
    server.client.notify(
        "workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": uri, "name": "w"}], "removed": []}}
    )
    again = chat.card()
    assert again["approvalId"] == card["approvalId"] and again["reason"]["code"] == "needs_approval"
    assert "bypass_agent" in {option["kind"] for option in again["options"]}
    chat.select(again, "approve")
    run.result()
    assert room.file("a").read_text() == "x"


def test_what_is_wrong_with_the_settings_is_said_in_the_chats_that_somebody_follows(start: Start) -> None:
    server = start()
    server.meet()
    left, shown, latest = server.chat(), server.chat(), server.chat()
    server.client.request("view/attached", {"viewId": "v", "sessionId": shown.id})
    _tell(server, server.settings(mode="whenever"))
    assert "mode" in shown.wait_for_event("Notification")["text"]
    server.client.request("view/detached", {"viewId": "v", "sessionId": shown.id})
    _tell(server, server.settings(approvalTimeoutSeconds="soon"))
    assert "approvalTimeoutSeconds" in latest.wait_for_event("Notification")["text"]
    assert [len(chat.events("Notification")) for chat in (left, shown, latest)] == [0, 1, 1]
