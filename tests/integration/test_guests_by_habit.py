"""Agents that are known to ask, and to tell, in a way of their own: what is asked is what a card shows, once."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.acp import scripted
from tests.support.guests import House, Json, ask, click_all, done, notices, said, says, tool_call
from tests.support.scale import wait_until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("guests"), many=40) as house:
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


@pytest.mark.parametrize(("name", "sure"), [("claude-agent-acp", False), ("another", False), ("codex-acp", True)])
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


CLAUDE = "@agentclientprotocol/claude-agent-acp"


def ran(call_id: str, **more: Json) -> list[Json]:
    """What Claude's adapter tells of a command that is over."""
    answer = {"stdout": "", "stderr": "", "interrupted": False, **more}
    told = {"toolCallId": call_id, "_meta": {"claudeCode": {"toolName": "Bash", "toolResponse": answer}}}
    return [{"update": told}, done(call_id)]


def in_turn(*lines: str, **more: Json) -> list[list[Json]]:
    """A turn for each of these commands."""
    return [[ask(f"c{at}", command=line, on={"allow": ran(f"c{at}", **more)})] for at, line in enumerate(lines)]


def cards_of(house: House, *lines: str, name: str = CLAUDE, **more: Json) -> list[Json]:
    """The cards for these commands, each in a turn of its own, and each approved."""
    (house.server.workspace / "inner").mkdir(exist_ok=True)
    (house.server.workspace / "env.sh").write_text("cd inner\n")
    chat = house.guest(*in_turn(*lines, **more), name=name).chat()
    found: list[Json] = []
    for _ in lines:
        found += click_all(chat, chat.send(), "approve", *found)
    return found


def notes(card: Json) -> list[str]:
    """What its parts are said to do."""
    return [note for part in card["preview"]["parts"] for note in part["notes"]]


def test_a_card_names_the_folder_to_which_the_command_before_has_led(house: House) -> None:
    cards = cards_of(house, "cd inner && rm -f z.txt", "rm -f a.txt")
    assert cards[1]["directory"] == str(house.server.workspace / "inner")
    assert notes(cards[1]) == ["Deletes inner/a.txt."] and cards[1].get("risk") is None


def test_a_card_shows_all_folders_where_nobody_knows_in_which_of_them_it_runs(house: House) -> None:
    cards = cards_of(house, "cd inner && rm -f z.txt", "rm -f a.txt", interrupted=True)
    assert cards[1]["directory"] == "" and notes(cards[1]) == ["Deletes a.txt and inner/a.txt."]
    assert "in the workspace folder or in inner" in cards[1]["preview"]["note"]


def test_one_that_nobody_knows_may_have_stayed_and_may_have_gone_back(house: House) -> None:
    cards = cards_of(house, "cd inner && rm -f z.txt", "rm -f a.txt", name="another")
    assert cards[1]["directory"] == "" and notes(cards[1]) == ["Deletes inner/a.txt and a.txt."]


@pytest.mark.parametrize(
    ("told", "begins"),
    [
        (
            [{"tool_call": tool_call("c0", command="cd inner", status="completed")}],
            "in the workspace folder or in inner",
        ),
        ([{"tool_call": tool_call("c0", title="Enter", name="EnterWorktree", status="pending")}], ""),
    ],
    ids=["told only once it is over", "another tool"],
)
def test_what_was_done_without_asking_leads_away_as_well(house: House, told: list[Json], begins: str) -> None:
    (house.server.workspace / "inner").mkdir(exist_ok=True)
    chat = house.guest([*told, ask("c1", command="rm -f a.txt")], name=CLAUDE).chat()
    (card,) = click_all(chat, chat.send())
    assert card["directory"] == "" and begins in card["preview"].get("note", "")


def test_one_that_goes_back_into_the_workspace_without_asking_is_no_warning(house: House) -> None:
    (house.server.workspace / "inner").mkdir(exist_ok=True)
    lines = ("cd inner", "cd .. && ls | head", "cd .. && ls | head")
    turns = [[{"tool_call": tool_call(f"c{at}", command=line)}, *ran(f"c{at}")] for at, line in enumerate(lines)]
    chat = house.guest(*turns, name=CLAUDE).chat()
    found = [(chat.run(), len(chat.events("Notification")))[1] for _ in lines]
    assert found == [0, 0, 1]


@pytest.mark.parametrize(("back", "known"), [("", True), ("/inner", False)])
def test_one_that_was_sent_back_begins_in_the_folder_of_its_session(house: House, back: str, known: bool) -> None:
    root = str(house.server.workspace)
    cards = cards_of(house, "cd /tmp && touch q", "rm -f a.txt", stderr=f"\nShell cwd was reset to {root}{back}")
    assert cards[1]["directory"] == (root if known else "")


@pytest.mark.parametrize(
    "line",
    ["make; exit 0", "set -o pipefail; make | tail", "(cd inner && make)", "cd inner && make && cd ..", "make & wait"],
)
def test_what_does_not_lead_away_changes_nothing_for_the_next_command(house: House, line: str) -> None:
    cards = cards_of(house, line, "rm -f a.txt")
    assert cards[1]["directory"] == str(house.server.workspace) and notes(cards[1]) == ["Deletes a.txt."]
    assert cards[1].get("risk") is None
    assert any(one["kind"] == "allow_always" for one in cards[1]["options"])


def test_where_the_folder_is_not_known_nothing_is_named_and_nothing_lasts(house: House) -> None:
    house.tell_settings(alwaysAllowRules={"bash": ["make:*", "rm:*"]})
    inner = house.server.workspace / "inner"
    lines = ("source env.sh", "make; rm -f a.txt", f"cd {inner} && touch b.txt", "touch c.txt")
    _, lost, gone, after = cards_of(house, *lines)
    house.tell_settings()
    assert lost["directory"] == "" and "a.txt is only known when it runs" in " ".join(notes(lost))
    assert lost["risk"]["level"] == "medium"
    assert lost["risk"]["notes"] == [f"In which folder this runs is not known: {lost['agentName']} does not tell it."]
    assert not any(one["kind"] in ("allow_session", "allow_always") for one in lost["options"])
    assert (gone["directory"], gone.get("risk")) == (str(inner), None)
    assert (after["directory"], notes(after)) == (str(inner), ["Writes inner/c.txt."])


def test_what_waits_is_asked_anew_once_another_call_has_led_away(house: House) -> None:
    (house.server.workspace / "inner").mkdir(exist_ok=True)
    first = ask("c0", command="rm -f a.txt", on={"allow": ran("c0")})
    second = ask("c1", command="cd inner && rm -f b.txt", on={"allow": ran("c1")})
    before = ask("c2", command="touch b.txt", on={"allow": [*ran("c2"), second]})
    chat = house.guest([{"together": [[first], [before]]}], name=CLAUDE).chat()
    run = chat.send()
    waits, comes_first = sorted((chat.card(), chat.card()), key=lambda card: str(card["args"]["command"]))
    assert notes(waits) == ["Deletes a.txt."]
    chat.select(comes_first, "approve")
    chat.select(chat.card(), "approve")
    wait_until(lambda: len(chat.results()) == 2, what="the end of what leads away")
    assert "changed since this card was shown" in str(chat.refused(waits, decision="accept"))
    anew = chat.card()
    assert notes(anew) == ["Deletes a.txt and inner/a.txt."] and len(chat.results()) == 2
    chat.select(anew, "approve")
    run.result()
    assert len(chat.results()) == 3


def test_a_call_of_a_sub_agent_says_in_no_folder_what_it_does_and_leads_nowhere(house: House) -> None:
    (house.server.workspace / "inner").mkdir(exist_ok=True)
    meta = {"claudeCode": {"toolName": "Bash", "parentToolUseId": "t1"}}
    told = {"tool_call": tool_call("c0", command="cd inner && rm -f a.txt", status="pending", _meta=meta)}
    first = ask("c0", command="cd inner && rm -f a.txt", on={"allow": ran("c0")})
    chat = house.guest([told, first], [ask("c1", command="rm -f b.txt")], name=CLAUDE).chat()
    cards = click_all(chat, chat.send())
    cards += click_all(chat, chat.send(), "approve", *cards)
    assert [one["directory"] for one in cards] == ["", str(house.server.workspace)]
