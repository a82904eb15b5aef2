"""After its process or the server has ended, an agent that keeps its chats goes on with one; another begins anew."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import kept
from tests.support.guests import Guest, House, ask, says
from tests.support.scale import wait_until
from tests.support.server import Chat


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as one:
        yield one


def texts(chat: Chat) -> list[str]:
    """What the agent said in the chat."""
    return [str(one["data"]["text"]) for one in chat.events("Chunk") if one["data"]["text"]]


def killed(guest: Guest, chat: Chat) -> None:
    """Its process ends; the message after that is answered by the next one, as soon as the server knows."""
    os.kill(guest.pids()[-1], signal.SIGKILL)
    wait_until(lambda: chat.run()["done_reason"] == "stop", what="an answer of the next process")


def notices(chat: Chat) -> list[str]:
    return [str(one["data"]["text"]) for one in chat.events("Notification")]


REPLAYED = [says("Said before."), {"update": {"toolCallId": "old", "status": "completed", "title": "An old call"}}]


def test_one_that_keeps_its_chats_finds_this_one_again(house: House) -> None:
    guest = house.guest([says("First.")], loads=True, load=REPLAYED)
    chat = guest.chat()
    chat.run()
    killed(guest, chat)
    assert len(guest.pids()) == 2
    assert (
        guest.told("session/load")[0]["params"]["sessionId"] == guest.told("session/prompt")[0]["params"]["sessionId"]
    )
    assert len(guest.told("session/new")) == 1
    # What is told again stands in the chat already.
    assert "Said before." not in texts(chat)
    assert chat.events("ToolCall") == []
    assert not [words for words in notices(chat) if "does not know" in words]


def test_one_that_keeps_none_begins_anew_and_that_is_said(house: House) -> None:
    guest = house.guest([says("First.")])
    chat = guest.chat()
    chat.run()
    killed(guest, chat)
    assert (guest.told("session/load"), len(guest.told("session/new"))) == ([], 2)
    assert [words for words in notices(chat) if "does not know what was said in this chat before" in words]


def test_one_that_does_not_know_it_any_more_begins_anew(house: House) -> None:
    refused = {"session/load": {"error": {"code": -32002, "message": "no such session"}}}
    guest = house.guest([says("First.")], loads=True, answers=refused)
    chat = guest.chat()
    chat.run()
    killed(guest, chat)
    assert (len(guest.told("session/load")), len(guest.told("session/new"))) == (1, 2)
    assert [words for words in notices(chat) if "does not know what was said in this chat before" in words]


def test_after_a_restart_of_the_server_the_chat_goes_on(tmp_path: Path) -> None:
    with House(tmp_path) as first:
        guest = first.guest([says("First.")], loads=True, load=REPLAYED)
        chat = guest.chat()
        chat.run()
        session_id = chat.id
    with House(tmp_path) as second:
        again = second.guest([says("Second.")], loads=True, load=REPLAYED)
        loaded = second.server.client.request("session/load", {"sessionId": session_id}, within=30)
        assert loaded["session"]["sessionId"] == session_id
        chat = Chat(second.server, session_id)
        chat.run()
        assert len(again.told("session/load")) == 1
        assert texts(chat) == ["Second."]


def test_after_a_restart_nothing_of_the_agent_can_be_chosen_until_it_runs(tmp_path: Path) -> None:
    """Whatever was chosen, and however dangerous it was, held for a process that is gone."""
    modes = {"currentModeId": "auto", "availableModes": [{"id": one, "name": one} for one in ("default", "auto")]}
    chosen = [{"mode": "auto"}, says("First.")]
    with House(tmp_path) as first:
        guest = first.guest(chosen, loads=True, modes=modes)
        chat = guest.chat()
        chat.run()
        told = chat.events("AgentState")[-1]["data"]
        assert told["settings"] and told["danger"]
        danger = json.dumps(told["danger"]).encode()
        wait_until(lambda: danger in kept.everything(first.server.state), what="the danger on the disk")
        first.server.client.process.kill()
        session_id = chat.id
    with House(tmp_path) as second:
        again = second.guest([says("Second.")], loads=True, modes=modes)
        loaded = second.server.client.request("session/load", {"sessionId": session_id}, within=30)
        last = [one["data"] for one in loaded["events"] if one["event"] == "AgentState"][-1]
        assert last["settings"] == [] and last.get("danger") is None
        chat = Chat(second.server, session_id)
        chat.run()
        assert len(again.told("session/load")) == 1, "the agent's own id of the chat is known all the same"
        assert chat.events("AgentState")[-1]["data"]["settings"]


def test_a_call_that_waited_when_the_server_ended_does_not_come_back(tmp_path: Path) -> None:
    """Its agent has ended with the server: a click could lead to nothing that was shown."""
    with House(tmp_path) as first:
        guest = first.guest([ask("c1", command="npm test")])
        chat = guest.chat()
        chat.send()
        chat.card()
        kept.wait_for_calls(first.server.state, 1)
        first.server.client.process.kill()
        session_id = chat.id
    with House(tmp_path) as second:
        loaded = second.server.client.request("session/load", {"sessionId": session_id}, within=30)
        assert loaded["pending"] == []
        assert second.server.waiting() == []
        results = [one["data"] for one in loaded["events"] if one["event"] == "ToolResult"]
        assert [one["is_error"] for one in results] == [True]
