"""Agents that are known to ask, and to tell, in a way of their own: what is asked is what a card shows, once."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.acp import scripted
from tests.support.guests import House, Json, ask, click_all, done, notices, said, says, tool_call


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("guests"), many=20) as house:
        yield house


ONE, TWO = "rm -r box-1", "rm -r box-2"


def begun(call_id: str, command: str) -> Json:
    return {"tool_call": tool_call(call_id, command=command, status="in_progress")}


def told_again(call_id: str, command: str, end: str) -> list[Json]:
    """It failed, begins once more, and ends."""
    return [
        {"update": {"toolCallId": call_id, "status": "failed"}},
        {"tool_call": tool_call(call_id, command=command, status="pending")},
        done(call_id, "The user rejected it.", end),
        says("Well."),
    ]


@pytest.mark.parametrize(
    ("name", "again", "end", "rows"),
    [
        ("cline", ONE, "failed", 1),
        ("cline", ONE, "completed", 2),
        ("cline", TWO, "failed", 2),
        ("another", ONE, "failed", 2),
    ],
    ids=["as it does", "it did it all the same", "another call", "another agent"],
)
def test_a_refused_call_that_is_told_again_is_the_same_call(
    house: House, name: str, again: str, end: str, rows: int
) -> None:
    guest = house.guest([ask("c1", command=ONE, on={"reject": told_again("c1", again, end)})], name=name)
    chat = guest.chat()
    assert len(click_all(chat, chat.send(), "deny")) == 1
    assert len(chat.results()) == rows
    assert chat.results()[0]["code"] == "permission_denied"
    assert len(notices(chat)) == rows - 1, "what was not asked about is warned of"


@pytest.mark.parametrize("many", [1, 2])
@pytest.mark.parametrize(("click", "status"), [("approve", "completed"), ("deny", "failed")])
def test_one_question_for_all_that_was_told_shows_all_of_it(house: House, many: int, click: str, status: str) -> None:
    commands = [ONE, TWO][:many]
    end = [*(done(f"c{at}", f"Result {at}.", status) for at in range(many)), says("Well.")]
    told = [begun(f"c{at}", command) for at, command in enumerate(commands)]
    asks = ask("confirmation", kind="other", title="Confirm Agent Actions", on={"allow": end, "reject": end})
    chat = house.guest([*told, asks], name="openhands").chat()
    (card,) = click_all(chat, chat.send(), click)
    assert card["args"]["command"] == "\n".join(commands)
    (row,) = chat.results()
    if click == "deny":
        assert row["code"] == "permission_denied"
    else:
        assert row["output"] == "\n".join(f"Result {at}." for at in range(many))
    assert notices(chat) == []


def test_one_question_after_the_other_is_about_what_was_told_since(house: House) -> None:
    rounds = [
        [
            begun(f"c{at}", command),
            ask("confirmation", title="Confirm", on={"allow": [done(f"c{at}", f"Result {at}.")]}),
        ]
        for at, command in enumerate((ONE, TWO))
    ]
    chat = house.guest([*rounds[0], *rounds[1]], name="openhands").chat()
    cards = click_all(chat, chat.send())
    assert [card["args"]["command"] for card in cards] == [ONE, TWO]
    assert [row["output"] for row in chat.results()] == ["Result 0.", "Result 1."] and notices(chat) == []


def test_a_question_for_all_is_for_a_person_to_answer(house: House) -> None:
    asks = ask("confirmation", title="Confirm", on={"allow": [done("c1")]})
    chat = house.guest([begun("c1", "ls"), asks], name="openhands").chat()
    assert len(click_all(chat, chat.send())) == 1, "also where what it shows only reads"


@pytest.mark.parametrize(("name", "sure"), [("claude-agent-acp", False), ("another", True)])
def test_after_a_command_that_leads_away_nobody_knows_where_the_next_one_runs(
    house: House, name: str, sure: bool
) -> None:
    guest = house.guest([ask("c1", command="cd sub")], [ask("c2", command="make")], name=name)
    chat = guest.chat()
    first = click_all(chat, chat.send())
    (card,) = click_all(chat, chat.send(), "approve", *first)
    assert card["args"]["command"] == "make"
    assert (card.get("risk") is None) == sure


def test_a_command_that_was_refused_has_led_nowhere(house: House) -> None:
    guest = house.guest(
        [ask("c1", command="cd /", on={"reject": [done("c1", "No.", "failed")]})],
        [ask("c2", command="make")],
        name="claude-agent-acp",
    )
    chat = guest.chat()
    first = click_all(chat, chat.send(), "deny")
    (card,) = click_all(chat, chat.send(), "approve", *first)
    assert card.get("risk") is None


def test_one_that_asks_only_where_it_is_told_to_is_started_so(tmp_path: Path) -> None:
    names = ("opencode", "another")

    def defined(number: int) -> dict[str, Json]:
        program = tmp_path / names[number]
        words = scripted.command(*(str(tmp_path / f"guest-{number}.{kind}") for kind in ("json", "jsonl")))
        program.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
        program.chmod(0o700)
        return {"command": str(program), "args": ["acp"]}

    tells = {"run": ["sh", "-c", 'echo "<$OPENCODE_PERMISSION>"'], "on": {"ok": [says("$RESULT")]}}
    with House(tmp_path, defined=defined, many=len(names)) as house:
        chats = [house.guest([tells]).chat() for _ in names]
        for chat in chats:
            chat.run()
        assert ['"bash": "ask"' in said(chat) for chat in chats] == [True, False]
