"""An agent of others in a chat that somebody looks at: what it offers is there before the first message."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.guests import Guest, House, notices, said, says
from tests.support.processes import is_running
from tests.support.scale import wait_until
from tests.support.server import Chat

Json = Any

MODES = {"currentModeId": "auto", "availableModes": [{"id": one, "name": one} for one in ("default", "auto", "plan")]}
COMMANDS = {"commands": [{"name": "review", "description": "Looks at the changes."}]}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as one:
        yield one


def look(chat: Chat, view: str = "v") -> None:
    """A view shows the chat."""
    chat.client.notify("view/attached", {"viewId": view, "sessionId": chat.id})


def awake(guest: Guest, sessions: int = 1) -> None:
    """It has a session."""
    wait_until(lambda: len(guest.told("session/new")) == sessions, what="a session")


def test_what_it_offers_is_told_and_it_asks_for_everything(house: House) -> None:
    guest = house.guest([says("Yes.")], modes=MODES, begin=[COMMANDS])
    chat = guest.chat()
    look(chat)
    wait_until(lambda: chat.events("Commands") and chat.events("AgentState"), what="its commands and settings")
    assert [one["name"] for one in chat.events("Commands")[-1]["data"]["commands"]] == ["review"]
    assert chat.events("AgentState")[-1]["data"]["settings"][0]["current"] == "default"
    assert guest.told("session/set_mode")[0]["params"]["modeId"] == "default"
    assert guest.told("session/prompt") == [] and chat.events("Prompt") == []

    assert chat.run()["done_reason"] == "stop" and said(chat) == "Yes."
    assert len(guest.pids()) == len(guest.told("session/new")) == len(guest.told("session/set_mode")) == 1


def test_a_chat_in_which_something_was_said_waits_for_its_next_message(house: House) -> None:
    guest = house.guest([says("Yes.")])
    chat = guest.chat()
    chat.run()
    os.kill(guest.pids()[0], signal.SIGKILL)
    wait_until(lambda: chat.events("AgentState"), what="the end")
    look(chat)
    chat.client.request("session/list", {})
    assert len(guest.pids()) == 1


def test_however_often_it_is_looked_at_it_begins_once(house: House) -> None:
    guest = house.guest([says("Yes.")])
    chat = guest.chat()
    for number in range(5):
        look(chat, f"v{number}")
    assert chat.run()["done_reason"] == "stop"
    assert len(guest.pids()) == len(guest.told("session/new")) == 1


def test_a_message_that_comes_meanwhile_waits_and_is_told_once(house: House) -> None:
    guest = house.guest([says("Yes.")], modes=MODES)
    chat = guest.chat()
    look(chat)
    run = chat.send("one")
    assert run.result()["done_reason"] == "stop"
    assert len(guest.told("session/new")) == len(guest.told("session/prompt")) == 1
    assert guest.told("session/set_mode")[0]["params"]["modeId"] == "default"


def test_a_stop_ends_an_agent_that_does_not_begin(house: House) -> None:
    guest = house.guest(answers={"initialize": {"hang": True}})
    chat = guest.chat()
    look(chat)
    guest.wait_told("initialize")
    run = chat.send()
    wait_until(lambda: chat.events("Prompt"), what="the message")
    chat.stop()
    assert run.result(within=20)["done_reason"] == "cancelled"
    wait_until(lambda: not is_running(guest.pids()[0]), what="its end")
    guest.plays([says("Now.")])
    assert chat.run()["done_reason"] == "stop" and said(chat) == "Now."


@pytest.mark.parametrize("hangs", ["initialize", "session/new"])
def test_a_chat_that_is_closed_before_it_began_leaves_no_process(house: House, hangs: str) -> None:
    guest = house.guest(answers={hangs: {"hang": True}})
    chat = guest.chat()
    look(chat)
    guest.wait_told(hangs)
    chat.client.request("session/close", {"sessionId": chat.id}, within=30)
    wait_until(lambda: not is_running(guest.pids()[0]), what="its end")


def test_one_that_cannot_begin_says_so_and_is_tried_again_with_a_message(house: House) -> None:
    missing = {"session/new": {"error": {"code": -32000, "message": "Authentication required"}}}
    guest = house.guest(
        [says("Yes.")], answers=missing, logins=[{"id": "key", "name": "A key", "description": "Set it."}]
    )
    chat = guest.chat()
    look(chat)
    wait_until(lambda: notices(chat), what="a word about it")
    assert any("log in" in words and "A key" in words for words in notices(chat))
    assert chat.events("Error") == [] and chat.events("Done") == []
    assert "log in" in chat.run()["message"]


def test_nothing_that_it_asks_before_a_message_is_shown_to_anybody(house: House) -> None:
    options = [{"optionId": "allow", "name": "Allow", "kind": "allow_once"}]
    call = {"toolCallId": "c", "kind": "execute", "title": "rm -rf /", "rawInput": {"command": "rm -rf /"}}
    params = {"sessionId": "session-1", "toolCall": call, "options": options}
    asks = {"jsonrpc": "2.0", "id": "early", "method": "session/request_permission", "params": params}
    guest = house.guest([says("Yes.")], begin=[{"raw": json.dumps(asks)}])
    chat = guest.chat()
    look(chat)
    assert guest.wait_answer("early")["result"] == {"outcome": {"outcome": "cancelled"}}
    assert chat.cards() == []
    assert json.dumps(chat.events()).count("rm -rf") == 0
    assert chat.run()["done_reason"] == "stop"
