"""Settings of a workspace that would loosen something: one question, an answer by entry, and nothing without it."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.room import Room
from tests.support.server import INVALID_PARAMS, SCRIPTED, Json, Server, write

Start = Callable[..., Server]

ASKED, CLOSED = "settings/consentRequest", "settings/consentResolved"
BOX = "window/showMessageRequest"
LOOSE = {
    "assent.bypassPermissions": {SCRIPTED: True},
    "assent.alwaysAllowRules": {"write_file": ["room/docs/**"]},
    "assent.alwaysDenyRules": {"write_file": ["room/never/**"]},
}


def put(server: Server, settings: Json, *, raw: str | None = None) -> bytes:
    """Writes the workspace's settings as any other program would."""
    file = server.workspace / ".vscode" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(raw if raw is not None else json.dumps(settings, indent=2))
    return file.read_bytes()


def question(server: Server) -> Json:
    """The next question about settings."""
    return server.client.wait_for(ASKED)


def entry(asked: Json, key: str) -> Json:
    (found,) = [one for one in asked["entries"] if one["key"] == f"assent.{key}"]
    return found


def answer(server: Server, asked: Json, *honoured: str, **other: Json) -> Json:
    """Agrees to the entries of these settings and ignores the rest."""
    ids = [one["entryId"] for one in asked["entries"] if one["key"] in {f"assent.{key}" for key in honoured}]
    params = {"consentId": asked["consentId"], "digest": asked["digest"], "honour": ids, **other}
    return server.client.request("settings/consentResponse", params)


def runs(room: Room, path: str) -> bool:
    """Whether a write of this file runs without a card; a card is denied."""
    chat = room.chat([room.write(path)])
    run = chat.send()
    while not run.done and not chat.cards():
        server_is_alive(room.server)
    asked = bool(chat.cards())
    if asked:
        chat.select(chat.card(), "deny")
    run.result()
    return not asked and room.file(path).exists()


def given(server: Server) -> list[str]:
    """What the history says was allowed for longer, the newest first."""
    entries = server.client.request("history/query", {"stage": "granted"})["entries"]
    return [one["grant"] for one in entries]


def server_is_alive(server: Server) -> None:
    server.client.request("session/list", {})


def test_nothing_counts_before_the_answer_and_then_what_was_honoured(start: Start) -> None:
    server = start()
    put(server, LOOSE)
    server.meet()
    asked = question(server)
    room = Room(server, "room")

    assert asked["workspace"] == str(server.workspace)
    assert {one["key"] for one in asked["entries"]} == {"assent.bypassPermissions", "assent.alwaysAllowRules"}
    rule = entry(asked, "alwaysAllowRules")
    assert rule["file"].endswith("settings.json") and rule["line"] == 7
    assert "room/docs/**" in rule["words"] and rule["after"] is not None
    assert not runs(room, "docs/a")

    assert answer(server, asked, "alwaysAllowRules") == {"honoured": 1, "ignored": 1}
    server.client.wait_for(CLOSED, lambda end: end["consentId"] == asked["consentId"])
    assert runs(room, "docs/b")
    assert not runs(room, "c"), "the bypass was ignored"
    assert given(server) == [f"You agreed to this: {rule['words']}"]


def test_a_waiting_call_goes_on_with_the_answer(start: Start) -> None:
    server = start()
    put(server, LOOSE)
    server.meet()
    asked = question(server)
    room = Room(server, "room")
    chat, card, run = room.card([room.write("docs/a"), room.write("b")])

    answer(server, asked, "alwaysAllowRules")
    ended = chat.resolved(card)
    assert (ended["status"], ended["resolvedBy"]) == ("allowed", "policy")
    chat.select(chat.card(room.path("b")), "deny")
    run.result()
    assert room.file("docs/a").exists()


def test_the_answer_is_remembered_and_a_changed_value_asks_again(start: Start) -> None:
    first = start()
    put(first, LOOSE)
    first.meet()
    answer(first, question(first), "alwaysAllowRules")
    first.client.close()

    server = start()
    server.meet()
    room = Room(server, "room")
    assert runs(room, "docs/a") and not runs(room, "b")
    assert server.client.notifications(ASKED) == []

    put(server, LOOSE | {"assent.alwaysAllowRules": {"write_file": ["room/**"]}})
    asked = question(server)
    assert [one["key"] for one in asked["entries"]] == ["assent.alwaysAllowRules"]
    assert not runs(room, "docs/c"), "the old rule is gone, the new one is not agreed to"


def test_a_change_that_nobody_tells_of_is_noticed(start: Start) -> None:
    server = start()
    server.meet()
    put(server, {"assent.bypassPermissions": {SCRIPTED: True}})
    asked = question(server)
    answer(server, asked, "bypassPermissions")
    room = Room(server, "room")
    chat = room.chat([room.write("a")], [{"text": "done"}], [room.write("b")])
    chat.run()
    assert room.file("a").exists() and chat.cards() == []
    assert chat.info()["bypassAgent"] is True

    put(server, {"assent.bypassPermissions": {SCRIPTED: False}})
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert not room.file("b").exists()


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("back", [{}, {"assent.bypassPermissions": {SCRIPTED: False}}])
def test_what_was_taken_back_by_hand_is_asked_about_anew(start: Start, back: Json, restarted: bool) -> None:
    server = start()
    put(server, LOOSE)
    server.meet()
    answer(server, question(server), "bypassPermissions", "alwaysAllowRules")
    room = Room(server, "room")
    assert runs(room, "a")

    put(server, back)
    if restarted:
        # Nobody looks while it is written; the next server does.
        server.client.close()
        server = start()
        server.meet()
        room.server = server
    assert not runs(room, "b")

    put(server, LOOSE)
    asked = question(server)
    assert not runs(room, "c") and not runs(room, "docs/c"), "it came back by itself"
    answer(server, asked, "bypassPermissions", "alwaysAllowRules")
    assert runs(room, "d")


def test_a_bypass_that_was_clicked_and_taken_back_by_hand_stays_off(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat = room.chat([room.write("a")])
    run = chat.send()
    chat.answer(chat.card(), bypassAll=True)
    run.result()
    assert runs(room, "b")

    put(server, {"assent.bypassPermissions": {SCRIPTED: False}})
    assert not runs(room, "c")
    put(server, {"assent.bypassPermissions": {SCRIPTED: True}})
    assert not runs(room, "d")
    assert question(server)["entries"][0]["key"] == "assent.bypassPermissions"


def broken(file: Path, how: str) -> None:
    """Makes the settings unreadable."""
    file.unlink()
    if how == "a folder":
        file.mkdir()
    else:
        text = {
            "cut off": '{"assent.alwaysDenyRules": {"write',
            "zeros": "\0" * 50,
            "too long": "[" + " " * 2**24 + "]",
        }
        file.write_text(text[how])


@pytest.mark.parametrize("how", ["cut off", "zeros", "too long", "a folder"])
def test_what_forbade_something_and_cannot_be_read_any_more_lets_nothing_run(start: Start, how: str) -> None:
    bypass = {"bypassPermissions": {SCRIPTED: True}}
    server = start()
    put(server, {"assent.alwaysDenyRules": {"write_file": ["room/never/**"]}})
    server.meet(user=bypass)
    room = Room(server, "room")
    assert runs(room, "a") and not runs(room, "never/a")

    broken(server.workspace / ".vscode/settings.json", how)
    assert runs(room, "b") and not runs(room, "never/b"), "what it last said still restricts"

    server.client.close()
    room.server = server = start()
    server.meet(user=bypass)
    assert not runs(room, "never/c"), "nobody knows any more what it forbade"
    assert not runs(room, "c")
    (told,) = [
        one for one in server.client.request("permissions/overview", {})["locks"] if "cannot be read" in one["text"]
    ]
    assert "ask" in told["text"].casefold()


def test_settings_that_are_taken_back_close_the_question(start: Start) -> None:
    server = start()
    put(server, LOOSE)
    server.meet()
    asked = question(server)
    put(server, {})

    server.client.wait_for(CLOSED, lambda end: end["consentId"] == asked["consentId"])
    with pytest.raises(Exception, match="no question about settings") as fault:
        answer(server, asked, "bypassPermissions")
    assert fault.value.code == INVALID_PARAMS  # type: ignore[attr-defined]


@pytest.mark.parametrize("wrong", [{"digest": "x"}, {"consentId": "x"}, {"honour": ["x"]}, {"honour": "all"}])
def test_an_answer_that_does_not_fit_changes_nothing(start: Start, wrong: Json) -> None:
    server = start()
    put(server, LOOSE)
    server.meet()
    asked = question(server)

    with pytest.raises(Exception) as fault:
        answer(server, asked, "bypassPermissions", **wrong)
    assert fault.value.code == INVALID_PARAMS  # type: ignore[attr-defined]
    assert not runs(Room(server, "room"), "docs/a")
    assert answer(server, asked, "alwaysAllowRules")["honoured"] == 1


def test_an_untrusted_workspace_is_not_asked_about(start: Start) -> None:
    server = start()
    put(server, LOOSE)
    server.meet(workspaceTrusted=False)
    assert not runs(Room(server, "room"), "docs/a")
    assert server.client.notifications(ASKED) == []


def test_trusted_later_it_is_asked_about(start: Start) -> None:
    server = start()
    put(server, LOOSE)
    server.meet(workspaceTrusted=False)
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": {"workspaceTrusted": True}}})
    assert len(question(server)["entries"]) == 2


def test_a_client_without_cards_is_asked_by_a_message_box(start: Start) -> None:
    server = start()
    put(server, {"assent.toolAllowlist": ["write_file"]})
    server.meet(capabilities=(), editor={"window": {"showMessage": {}}})
    box = server.client.wait_for_request(BOX, lambda params: "toolAllowlist" in params["message"])
    assert [action["title"] for action in box.params["actions"]] == ["Honour all", "Ignore all"]
    box.answer({"title": "Honour all"})

    room = Room(server, "room")
    chat = room.chat([room.write("a")])
    chat.run()
    assert room.file("a").exists()


def test_a_dismissed_box_agrees_to_nothing(start: Start) -> None:
    server = start()
    put(server, {"assent.toolAllowlist": ["write_file"]})
    server.meet(capabilities=(), editor={"window": {"showMessage": {}}})
    server.client.wait_for_request(BOX, lambda params: "toolAllowlist" in params["message"]).answer(None)

    room = Room(server, "room")
    chat = room.chat([room.write("a")])
    run = chat.send()
    server.client.wait_for_request(BOX, lambda params: room.path("a") in params["message"]).answer({"title": "Deny"})
    run.result()
    assert not room.file("a").exists()


def test_a_permission_that_appears_in_the_users_settings_while_an_agent_works_waits_for_a_word(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a")], [room.write("b")])
    widened = server.settings(toolAllowlist=["write_file"])
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": widened}})

    asked = question(server)
    assert [one["key"] for one in asked["entries"]] == ["assent.toolAllowlist"]
    assert chat.waits(card), "what came while the agent was at work does not let its call run"
    answer(server, asked, "toolAllowlist")
    chat.resolved(card)
    run.result()
    assert room.file("b").exists()


def test_what_the_user_sets_while_nobody_works_counts_at_once(start: Start) -> None:
    server = start()
    server.meet()
    widened = server.settings(toolAllowlist=["write_file"])
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": widened}})
    assert runs(Room(server, "room"), "a")
    assert server.client.notifications(ASKED) == []


def test_what_the_user_saved_by_hand_is_not_asked_about(start: Start) -> None:
    server = start()
    server.meet(capabilities=("cards", "attest"))
    rules = {"write_file": ["room/**"]}
    saved = put(server, {"assent.alwaysAllowRules": rules})
    params = {
        "file": str(server.workspace / ".vscode/settings.json"),
        "sha256": hashlib.sha256(saved).hexdigest(),
        "entries": [{"key": "assent.alwaysAllowRules", "before": None, "after": rules}],
    }
    assert server.client.request("settings/attest", params) == {"counted": 1}
    assert runs(Room(server, "room"), "a")
    (line,) = given(server)
    assert line.startswith("You saved this by hand: ") and "room/**" in line


def test_only_a_client_that_announced_it_attests(start: Start) -> None:
    server = start()
    server.meet()
    rules = {"write_file": ["room/**"]}
    saved = put(server, {"assent.alwaysAllowRules": rules})
    params = {
        "file": str(server.workspace / ".vscode/settings.json"),
        "sha256": hashlib.sha256(saved).hexdigest(),
        "entries": [{"key": "assent.alwaysAllowRules", "before": None, "after": rules}],
    }
    with pytest.raises(Exception, match="did not announce"):
        server.client.request("settings/attest", params)
    assert not runs(Room(server, "room"), "a")


def test_what_is_wrong_with_the_settings_is_published_and_taken_back(start: Start) -> None:
    server = start()
    put(server, {}, raw='{\n  "assent.alwaysDenyRules": {"write_file": [3]},\n  oops\n}')
    server.meet()
    published = "textDocument/publishDiagnostics"
    told = server.client.wait_for(published, lambda params: bool(params["diagnostics"]))
    assert told["uri"].endswith("/.vscode/settings.json")
    assert told["diagnostics"][0]["source"] == "Assent"
    assert told["diagnostics"][0]["range"]["start"]["line"] == 2

    put(server, {"assent.mode": "ask"})
    server.client.wait_for(published, lambda params: params["diagnostics"] == [])


def test_a_click_that_lasts_is_stored_with_the_users_agreement(start: Start) -> None:
    first = start()
    first.meet()
    room = Room(first, "room")
    chat, card, run = room.card([room.write("docs/a.txt")])
    rule = next(option for option in card["options"] if option["kind"] == "allow_always")
    told = chat.select(card, rule["optionId"])
    assert told["settings"]["written"] is True
    run.result()
    kept = json.loads((first.workspace / ".vscode/settings.json").read_text())
    assert list(kept) == ["assent.alwaysAllowRules"]
    assert runs(room, "docs/a.txt") and not runs(room, "other/b.txt")
    first.client.close()

    server = start()
    server.meet()
    again = room.__class__.__new__(Room)
    again.server, again.name, again.folder = server, room.name, room.folder
    assert runs(again, "docs/a.txt")
    assert server.client.notifications(ASKED) == []


def test_never_is_a_rule_that_holds_at_once_and_after_a_restart(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    chat, card, run = room.card([room.write("a.txt")], [room.write("a.txt")], mode="default")
    never = next(option for option in card["options"] if option["kind"] == "reject_always")
    chat.select(card, never["optionId"])
    run.result()

    assert [result["code"] for result in chat.results()] == ["permission_denied", "denied_by_rule"]
    kept = json.loads((server.workspace / ".vscode/settings.json").read_text())
    assert list(kept) == ["assent.alwaysDenyRules"]


def test_a_directory_that_is_added_lies_inside_from_then_on(start: Start) -> None:
    server = start()
    server.meet()
    room = Room(server, "room")
    far = server.state.parent / "far"
    far.mkdir()
    server.script([write(str(far / "a"))], [write(str(far / "b"))])
    chat = server.chat(mode="auto")
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "outside_workspace"
    add = next(option for option in card["options"] if option["kind"] == "add_directory")
    assert str(far) in add["scopeText"]
    chat.select(card, add["optionId"])
    run.result()

    assert (far / "a").exists() and (far / "b").exists()
    assert room.folder.exists()
    kept = json.loads((server.workspace / ".vscode/settings.json").read_text())
    assert kept == {"assent.additionalWorkingDirectories": [str(far)]}
