"""What an agent shows beside what its call is named by: nothing of it goes along with a rule that is about the name."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.guests import House, ask, diff, done
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import STALE, Chat

Json = Any

RULES = {"alwaysAllowRules": {"bash": ["npm test", "ls:*"], "write_file": ["src/**"]}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("claims"), **RULES) as one:
        (one.workspace / "src").mkdir()
        (one.workspace / "src" / "a.py").write_text("old\n")
        yield one


def card_of(house: House, **shown: Json) -> tuple[Chat, Json]:
    """The card of a call that shows this."""
    chat = house.guest([ask("c1", **shown)]).chat()
    chat.send()
    return chat, chat.card()


def runs_by_itself(house: House, **shown: Json) -> bool:
    guest = house.guest([ask("c1", **shown)])
    guest.chat().run()
    return guest.answers() == ["allow"]


def test_a_command_by_a_rule_runs_by_itself(house: House) -> None:
    assert runs_by_itself(house, command="npm test")
    assert runs_by_itself(house, kind="edit", title="Edit", content=[diff("src/a.py", "new\n", "old\n")])


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ({"content": [diff("src/a.py", "new\n", "old\n")]}, "src/a.py"),
        ({"rawInput": {"command": "npm test", "url": "https://evil.example/x"}}, "evil.example"),
        ({"rawInput": {"command": "npm test", "and_then": {"rm": "-rf"}}}, "npm test"),
    ],
    ids=["a file", "an address", "what nobody understands"],
)
def test_more_than_the_command_is_asked_for_and_named(house: House, beside: Json, words: str) -> None:
    chat, card = card_of(
        house, **{"kind": "execute", "title": "npm test", "rawInput": {"command": "npm test"}, **beside}
    )
    assert words in f"{card['preview']} {card['args']}"
    assert {one["kind"] for one in card["options"]} <= {
        "allow_once",
        "reject_once",
        "reject_always",
        "bypass_session",
        "bypass_agent",
    }
    chat.select(card, "deny")


def test_a_command_with_variables_is_another_one_than_without(house: House) -> None:
    raw = {"command": "npm test", "env": {"LD_PRELOAD": "./evil.so"}}
    chat, card = card_of(house, kind="execute", title="npm test", rawInput=raw)
    assert "LD_PRELOAD=./evil.so" in card["preview"]["text"]
    chat.select(card, "deny")


def test_a_command_that_only_reads_does_not_with_variables_that_run_something(house: House) -> None:
    raw = {"command": "ls -l", "env": {"BASH_ENV": str(house.workspace / "evil.sh")}}
    chat, card = card_of(house, kind="read", title="ls", rawInput=raw)
    assert card["category"] != "read"
    assert "BASH_ENV" in card["preview"]["text"]
    chat.select(card, "deny")


def test_a_file_beside_a_command_is_no_promise(house: House) -> None:
    """Its card names the file and not what it would hold: writing it is asked for by itself."""
    target = house.workspace / "b.txt"
    steps = [{"write": str(target), "content": "EVIL", "on": {"ok": [done("c1")], "error": [done("c1")]}}]
    guest = house.guest(
        [
            ask(
                "c1",
                kind="execute",
                title="npm test",
                rawInput={"command": "npm test"},
                content=[diff(str(target), "EVIL")],
                on={"allow": steps},
            )
        ]
    )
    chat = guest.chat("ask")
    run = chat.send()
    first = chat.card()
    assert first["tool"] == "bash"
    chat.select(first, "approve")
    second = next(one for one in _cards(chat) if one["tool"] == "write_file")
    assert not target.exists()
    chat.select(second, "deny")
    run.result()
    assert not target.exists()


def _cards(chat: Chat) -> list[Json]:
    wait_until(lambda: any(one["tool"] == "write_file" for one in chat.cards()), what="the card of the file")
    return chat.cards()


def test_what_happens_beside_a_diff_stands_on_the_card(house: House) -> None:
    (house.workspace / "keep.txt").write_text("keep\n")
    chat, card = card_of(
        house,
        kind="delete",
        title="Edit",
        content=[diff("src/a.py", "new\n", "old\n")],
        locations=[{"path": "keep.txt"}],
    )
    assert "keep.txt" in str(card["preview"])
    chat.select(card, "deny")


def test_a_diff_that_is_not_what_the_arguments_say_is_a_contradiction(house: House) -> None:
    raw = {"file_path": "src/a.py", "old_string": "old", "new_string": "EVIL"}
    chat, card = card_of(house, kind="edit", title="Edit", content=[diff("src/a.py", "nice\n", "old\n")], rawInput=raw)
    assert any("contradicts itself" in note for note in card["risk"]["notes"])
    assert "allow_session" not in {one["kind"] for one in card["options"]}
    chat.select(card, "deny")


def test_one_file_in_two_spellings_is_one_file(house: House) -> None:
    both = [diff("src/a.py", "one\n"), diff("src/../src/a.py", "two\n")]
    chat, card = card_of(house, kind="edit", title="Edit", content=both)
    assert "2 files" not in str(card["preview"])
    chat.select(card, "deny")


def test_what_was_once_told_to_be_another_mode_stays_that(house: House) -> None:
    guest = house.guest(
        [
            {"tool_call": {"toolCallId": "c1", "kind": "switch_mode", "title": "Plan", "status": "pending"}},
            ask("c1", kind="edit", title="Edit", rawInput={"mode": "bypassPermissions"}),
        ]
    )
    chat = guest.chat("auto")
    chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "protected"
    chat.select(card, "deny")


def test_a_search_that_leads_away_within_braces_is_asked_for(house: House) -> None:
    chat, card = card_of(house, kind="search", title="Search", rawInput={"path": ".", "glob": "{/etc/pass*,x}"})
    assert card["category"] == "external"
    chat.select(card, "deny")


def test_what_its_files_would_hold_can_be_compared_and_is_not_all_that_it_says(house: House) -> None:
    (house.workspace / "b.py").write_text("one\ntwo\nthree\n")
    changes = [diff("b.py", "2\n", "two\n"), diff("c.py", "made\n")]
    chat, card = card_of(house, kind="edit", title="Edit", content=changes)
    params = {"approvalId": card["approvalId"], "argsDigest": card["argsDigest"]}
    first, second = (chat.client.request("tool/approvalChange", {**params, "file": number}) for number in (0, 1))
    assert card["comparable"] and (first["files"], first["tellAll"]) == (2, False)
    assert (first["text"], second["text"]) == ("one\n2\nthree\n", "made\n")

    (house.workspace / "b.py").write_text("one\ntwo\n")
    with pytest.raises(RpcError) as fault:
        chat.client.request("tool/approvalChange", params)
    assert fault.value.code == STALE
    again = chat.card()
    assert again["refreshed"]
    chat.select(again, "deny")
