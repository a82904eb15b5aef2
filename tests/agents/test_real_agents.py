"""Public agents, as they are installed, behind the gate: what they ask for is what a card shows, and only that runs."""

from pathlib import Path
from typing import Any

import pytest

from tests.agents.conftest import BYPASSED, LED, LOOSE, Guest
from tests.support.real_agents.agents import ALL
from tests.support.real_agents.plan import message, run
from tests.support.server import Chat

TO_START = 60
"""Seconds for the first words of an agent on a busy machine. Nothing waits so long where all is well."""
A_TURN = 40
REFUSED = ("denied", "refused", "rejected", "declined", "cancel")
"""One of these words stands in what each agent tells its model of a refusal."""

SHOWING = [agent for agent in ALL if agent.shows_arguments]
LOOSENED = [agent for agent in LED if agent.loose is not None]


def removing(guest: Guest, name: str) -> tuple[str, Path]:
    """A command for which each agent asks, and the file that is there once it ran."""
    box = guest.box(f"box-{name}")
    return f"rm -r {box} && echo ran-well > {name}.txt && cat {name}.txt", guest.workspace / f"{name}.txt"


def results(chat: Chat, tool: str) -> list[Any]:
    return [one for one in chat.results() if one["tool"] == tool]


def row_of(chat: Chat, card: dict[str, Any]) -> dict[str, Any]:
    """How the call that was asked about has ended."""
    call = chat.resolved(card)["toolCallId"]
    (row,) = [one for one in chat.results() if one["toolCallId"] == call]
    return row


def warnings(chat: Chat) -> list[str]:
    """What the chat says of an agent that does something by itself."""
    told = [event["data"] for event in chat.events("Notification")]
    return [one["text"] for one in told if one.get("level") == "warning"]


def test_what_is_approved_runs_and_its_result_goes_to_the_model(guest: Guest):
    command, proof = removing(guest, "approved")
    chat = guest.chat()
    turn = chat.send(message([run(command)]))
    card = chat.card(within=TO_START)
    assert (card["tool"], card["args"]["command"]) == ("bash", guest.agent.shown(command))
    assert not proof.exists()
    chat.answer(card, decision="accept")
    assert turn.result(A_TURN)["done_reason"] == "stop"
    assert proof.read_text() == "ran-well\n" and not (guest.workspace / "box-approved").exists()
    assert "ran-well" in guest.model.told(run(command))[-1]
    assert len(chat.results()) == 1 + guest.agent.has_us_run
    row = row_of(chat, card)
    assert row["success"] and ("ran-well" in row["output"]) == guest.agent.shows_results
    assert warnings(chat) == []


def test_a_card_names_no_folder_but_the_one_that_its_command_runs_in(guest: Guest):
    root, sub = guest.workspace, guest.workspace / f"sub-{guest.agent.name}"
    sub.mkdir()
    lines = [f"cd {sub.name} && rm -rf gone", f"rm -rf gone; pwd > {root}/one.txt", f"cd {root} && rm -rf gone"]
    lines += [f"rm -rf gone; pwd > {root}/two.txt", "bash -c 'rm -rf gone; exit 0'; exit 0"]
    lines += ["cd " + sub.name + " && rm -rf gone; false", f"rm -rf gone; pwd > {root}/three.txt"]
    chat = guest.chat()
    turn = chat.send(message(*([run(line)] for line in lines)))
    shown: dict[str, str] = {}
    for line in lines:
        card = chat.card(within=TO_START)
        shown[line] = card["directory"]
        chat.answer(card, decision="accept")
    turn.result(A_TURN)
    for number, line in (("one", lines[1]), ("two", lines[3]), ("three", lines[6])):
        ran_in = (root / f"{number}.txt").read_text().strip()
        assert shown[line] in ("", ran_in)
        if guest.agent.name == "claude":
            assert shown[line] == ran_in == str(sub if number == "one" else root)


@pytest.mark.parametrize("guest", SHOWING, indirect=True, ids=lambda agent: agent.name)
def test_a_plain_command_that_only_reads_is_no_question_and_no_warning(guest: Guest):
    (guest.workspace / "read.txt").write_text("read-well\nand more\n")
    command = "ls -a > /dev/null && grep -n well read.txt | head -1"
    chat = guest.chat()
    assert chat.run(message([run(command)]), within=TO_START)["done_reason"] == "stop"
    assert chat.cards() == [] and warnings(chat) == []
    assert "read-well" in guest.model.told(run(command))[-1]


def test_what_is_denied_does_not_run_and_the_agent_is_told(guest: Guest):
    command, proof = removing(guest, "denied")
    chat = guest.chat()
    turn = chat.send(message([run(command)]))
    card = chat.card(within=TO_START)
    assert card["args"]["command"] == guest.agent.shown(command)
    chat.answer(card, decision="deny")
    turn.result(A_TURN)
    assert not proof.exists() and (guest.workspace / "box-denied").is_dir()
    (row,) = chat.results()
    assert row["code"] == "permission_denied"
    assert warnings(chat) == []
    told = [text.lower() for text in guest.model.told(run(command))]
    if guest.agent.goes_on:
        assert any(word in told[-1] for word in REFUSED), told
    else:
        assert told == []


def test_a_bypassed_agent_asks_nobody_and_its_row_says_so(guest: Guest):
    command, proof = removing(guest, "bypassed")
    chat = guest.chat(BYPASSED)
    assert chat.run(message([run(command)]), within=TO_START)["done_reason"] == "stop"
    assert proof.read_text() == "ran-well\n"
    assert chat.cards() == []
    notes = [
        event["data"].get("note", "") for event in chat.events("ToolUpdate") if event["data"]["phase"] == "running"
    ]
    assert any("bypass" in note.lower() for note in notes), notes


def test_a_stopped_turn_closes_its_cards_and_the_next_message_works(guest: Guest):
    command, proof = removing(guest, "stopped")
    chat = guest.chat()
    turn = chat.send(message([run(command)]))
    card = chat.card(within=TO_START)
    assert chat.stop()
    assert turn.result(A_TURN)["done_reason"] == "cancelled"
    end = chat.resolved(card)
    assert (end["status"], end["resolvedBy"]) == ("cancelled", "stop")
    told = len(chat.events())
    another, made = removing(guest, "afterwards")
    turn = chat.send(message([run(another)]))
    card = chat.card(within=TO_START)
    assert card["args"]["command"] == guest.agent.shown(another)
    chat.answer(card, decision="accept")
    assert turn.result(A_TURN)["done_reason"] == "stop"
    assert made.read_text() == "ran-well\n"
    assert not proof.exists() and (guest.workspace / "box-stopped").is_dir()
    # Of what was stopped nothing is told any more; that its agent is ended may be.
    after = [event["event"] for event in chat.events()[told:] if event["event"] != "AgentState"]
    assert after[:1] == ["Prompt"]


def test_two_calls_of_one_message_are_two_cards_and_each_result_is_its_own(guest: Guest):
    (first, one), (second, two) = removing(guest, "first"), removing(guest, "second")
    chat = guest.chat()
    turn = chat.send(message([run(first), run(second)]))
    cards = [chat.card(within=TO_START)]
    if guest.agent.asks_for_all:
        assert cards[0]["args"]["command"] == f"{first}\n{second}"
        assert not one.exists() and not two.exists()
        chat.answer(cards[0], decision="accept")
        turn.result(A_TURN)
        assert one.exists() and two.exists() and len(chat.cards()) == 1
        (row,) = results(chat, "bash")
        assert row["success"] and row["output"].count("ran-well") == 2
        return
    if guest.agent.asks_at_once:
        cards.append(chat.card(within=A_TURN))
        assert {card["args"]["command"] for card in cards} == set(map(guest.agent.shown, (first, second)))
        assert not one.exists() and not two.exists()
        for card in reversed(cards):
            chat.answer(card, decision="accept")
    else:
        assert cards[0]["args"]["command"] == guest.agent.shown(first)
        chat.answer(cards[0], decision="accept")
        cards.append(chat.card(within=A_TURN))
        assert cards[1]["args"]["command"] == guest.agent.shown(second) and not two.exists()
        chat.answer(cards[1], decision="deny")
    turn.result(A_TURN)
    assert one.exists() and two.exists() == guest.agent.asks_at_once
    rows = {one["toolCallId"]: one for one in results(chat, "bash")}
    assert [rows[chat.resolved(card)["toolCallId"]]["success"] for card in cards] == [True, guest.agent.asks_at_once]


def test_a_new_file_is_shown_whole_before_it_is_written_and_asked_for_once(guest: Guest):
    file, content = guest.workspace / "made.txt", "one\n\u20ac two\nthree" + "\n" * guest.agent.ends_lines
    chat = guest.chat()
    turn = chat.send(message([guest.agent.make(str(file), content)]))
    card = chat.card(within=TO_START)
    preview = card["preview"]
    assert (card["tool"], preview["kind"], preview["path"], preview["isNew"]) == (
        "write_file",
        "diff",
        "made.txt",
        True,
    )
    assert [line["text"] for line in preview["lines"] if line["kind"] == "added"] == content.splitlines()
    assert not file.exists()
    chat.answer(card, decision="accept")
    assert turn.result(A_TURN)["done_reason"] == "stop"
    assert file.read_text() == content
    assert len(chat.cards()) == 1
    assert warnings(chat) == []


def test_a_change_is_shown_as_what_it_replaces(guest: Guest):
    file = guest.workspace / "there.txt"
    file.write_text("old\nkept\n")
    chat = guest.chat()
    turn = chat.send(message(*guest.agent.change(str(file), "old\n", "new\n", "kept\n")))
    card = chat.card(within=TO_START)
    changed = [(line["kind"], line["text"]) for line in card["preview"]["lines"] if line["kind"] != "context"]
    assert changed == [("removed", "old"), ("added", "new")]
    chat.answer(card, decision="deny")
    turn.result(A_TURN)
    assert file.read_text() == "old\nkept\n"


@pytest.mark.parametrize("guest", LOOSENED, indirect=True, ids=lambda agent: agent.name)
def test_an_agent_whose_user_lets_it_change_files_alone_asks_all_the_same(guest: Guest):
    file = guest.workspace / "loose.txt"
    chat = guest.chat(LOOSE)
    turn = chat.send(message([guest.agent.make(str(file), "content\n")]))
    card = chat.card(within=TO_START)
    assert not file.exists()
    chat.answer(card, decision="deny")
    turn.result(A_TURN)
    assert not file.exists()
    assert warnings(chat) == []
