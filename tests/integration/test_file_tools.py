"""The tools for files over the wire: edits on a card, rules that hold for like tools, searches that tell no secrets."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.ripgrep import ripgrep
from tests.support.room import Room
from tests.support.rpc import RpcError
from tests.support.server import STALE, Chat, Server, Step, call, refusal

Start = Callable[..., Server]


def edit(room: Room, name: str, *edits: tuple[str, str]) -> Step:
    return call("edit_file", path=room.path(name), edits=[{"old": old, "new": new} for old, new in edits])


def allow(chat: Chat, card: Any) -> None:
    """Allows a call as it is shown now, however often what it would change changes first."""
    while True:
        try:
            chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
        except RpcError as refused:
            assert refused.code == STALE
            card = chat.card()
        else:
            return


def outputs(chat: Chat) -> list[str]:
    return sorted(str(result["output"]) for result in chat.results())


def codes(chat: Chat) -> list[Any]:
    return [refusal(result)["error"] for result in chat.results() if not result["success"]]


def test_an_edit_is_shown_and_then_made(room: Room) -> None:
    room.file("a").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    chat, card, run = room.card([edit(room, "a", ("two", "2\n2.5"), ("three", "3"))])
    assert card["headline"].startswith("Edit ") and card["category"] == "write"
    shown = [(line["kind"], line["text"]) for line in card["preview"]["lines"]]
    assert shown == [
        ("context", "one"),
        ("removed", "two"),
        ("removed", "three"),
        ("added", "2"),
        ("added", "2.5"),
        ("added", "3"),
    ]
    assert room.file("a").read_bytes() == b"one\r\ntwo\r\nthree\r\n"
    chat.answer(card, decision="accept")
    run.result()
    assert room.file("a").read_bytes() == b"one\r\n2\r\n2.5\r\n3\r\n"


def test_a_file_that_changes_while_the_card_is_open_is_asked_about_anew(room: Room) -> None:
    room.file("a").write_text("one\ntwo\n")
    chat, card, run = room.card([edit(room, "a", ("two", "2"))])
    room.file("a").write_text("zero\none\ntwo\n")
    assert chat.refused(card, decision="accept").code == STALE
    assert room.file("a").read_text() == "zero\none\ntwo\n"
    again = chat.card()
    assert [line["text"] for line in again["preview"]["lines"]] == ["zero", "one", "two", "2"]
    chat.answer(again, decision="accept", argsDigest=again["argsDigest"])
    run.result()
    assert room.file("a").read_text() == "zero\none\n2\n"


def test_an_edit_that_does_not_fit_asks_nobody(room: Room) -> None:
    room.file("a").write_text("one\n")
    chat = room.chat([edit(room, "a", ("one", "1"), ("four", "4")), edit(room, "none", ("a", "b"))])
    chat.run()
    assert chat.cards() == [] and codes(chat) == ["not_found_in_file", "not_found"]
    assert room.file("a").read_text() == "one\n"


@pytest.mark.parametrize("way", ["mode", "rule"])
def test_where_reading_is_asked_for_no_edit_tells_what_is_in_a_file(start: Start, way: str) -> None:
    server = start()
    server.meet(user={"alwaysAskRules": {"read_file": ["room/**"]}} if way == "rule" else {})
    room = Room(server, "room")
    room.file("a").write_text("one\none\n")
    chat, card, run = room.card([edit(room, "a", ("one", "1"))], mode={"mode": "ask", "rule": "default"}[way])
    assert card["preview"]["note"].startswith("This cannot be done: `old` is in the file 2 times, in lines 1, 2.")
    chat.answer(card, decision="deny")
    run.result()
    assert codes(chat) == ["permission_denied"] and "lines" not in outputs(chat)[0]


@pytest.mark.parametrize("mode", ["default", "auto"])
def test_edits_of_one_turn_at_one_file_are_all_made(room: Room, mode: str) -> None:
    room.file("a").write_text("one\ntwo\nthree\n")
    chat = room.chat(
        [edit(room, "a", (old, new)) for old, new in (("one", "1"), ("two", "2"), ("three", "3"))], mode=mode
    )
    run = chat.send()
    if mode == "default":
        # Answered in the order in which the model called; the later cards come again with what the earlier made.
        for card in [chat.card(), chat.card(), chat.card()]:
            allow(chat, card)
    run.result()
    assert codes(chat) == [] and room.file("a").read_text() == "1\n2\n3\n"


@pytest.mark.parametrize(
    ("setting", "ruled"),
    [
        ("alwaysDenyRules", "write_file"),
        ("alwaysDenyRules", "edit_file"),
        ("alwaysDenyRules", "read_file"),
        ("alwaysAskRules", "write_file"),
    ],
)
def test_a_rule_for_one_tool_that_writes_holds_for_the_other(start: Start, setting: str, ruled: str) -> None:
    server = start()
    server.meet(user={setting: {ruled: ["room/infra/**"]}, "alwaysAllowRules": {"edit_file": ["*"]}})
    room = Room(server, "room")
    room.file("infra").mkdir()
    room.file("infra/a").write_text("one")
    chat = room.chat([edit(room, "infra/a", ("one", "1"))], mode="auto")
    run = chat.send()
    if setting == "alwaysAskRules":
        chat.answer(chat.card(), decision="deny")
    run.result()
    assert len(codes(chat)) == 1 and room.file("infra/a").read_text() == "one"


def test_an_allow_rule_is_for_its_own_tool_alone(start: Start) -> None:
    server = start()
    server.meet(user={"alwaysAllowRules": {"write_file": ["*"]}})
    room = Room(server, "room")
    room.file("a").write_text("one")
    chat, card, run = room.card([edit(room, "a", ("one", "1"))])
    chat.answer(card, decision="deny")
    run.result()
    assert room.file("a").read_text() == "one"


@pytest.fixture(params=["ours", "ripgrep"])
def searched(request: pytest.FixtureRequest, start: Start) -> Room:
    """Files of which some are restricted; the search is made by our own program, and by the editor's."""
    if request.param == "ripgrep" and ripgrep() is None:
        pytest.skip("there is no ripgrep here")
    server = start()
    rules = {"alwaysDenyRules": {"read_file": ["room/denied/**"]}, "alwaysAskRules": {"read_file": ["room/asked/**"]}}
    server.meet(user=rules, **({"ripgrep": ripgrep()} if request.param == "ripgrep" else {}))
    room = Room(server, "room")
    for name in ("open/a", "denied/a", "asked/a", "open/.env", "open/id_rsa"):
        room.file(name).parent.mkdir(exist_ok=True)
        room.file(name).write_text("treasure\n")
    return room


def test_a_search_tells_of_nothing_that_a_call_for_it_would_be_kept_from(searched: Room) -> None:
    modes = [call("grep", pattern="treasure", mode=mode) for mode in ("lines", "files", "count")]
    chat = searched.chat(modes)
    chat.run(within=60)
    assert chat.cards() == [] and outputs(chat) == [
        "room/open/a",
        "room/open/a\n  1: treasure",
        "room/open/a: 1",
    ]


def test_what_is_restricted_is_blocked_or_asked_for_where_it_is_named(searched: Room) -> None:
    names = ["denied/a", "denied", "asked/a", "open/.env"]
    chat = searched.chat([call("grep", pattern="treasure", path=searched.path(name)) for name in names])
    run = chat.send()
    for _ in range(2):
        chat.answer(chat.card(), decision="deny")
    run.result(60)
    assert sorted(codes(chat)) == ["denied_by_rule", "permission_denied", "permission_denied"]
    assert outputs(chat)[0] == "[nothing was found]"
    assert not [text for text in outputs(chat) if "  1: treasure" in text]


def test_files_are_found_by_their_paths(searched: Room) -> None:
    chat = searched.chat([call("glob", pattern="open/*", path="room"), call("glob", pattern="id_*")])
    chat.run(within=60)
    found = [sorted(text.split("\n")) for text in outputs(chat)]
    assert sorted(found) == [["room/open/.env", "room/open/a", "room/open/id_rsa"], ["room/open/id_rsa"]]


def test_searching_outside_is_asked_for(room: Room) -> None:
    for tool in ("grep", "glob"):
        chat, card, run = room.card([call(tool, pattern="root", path="/etc")])
        assert card["category"] == "external"
        chat.answer(card, decision="deny")
        run.result()
