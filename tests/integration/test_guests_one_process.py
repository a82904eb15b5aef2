"""An agent that ends slowly, or is ended: there is never a second process of it, and each hears only its own end."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.acp import scripted
from tests.support.guests import Guest, House, Json, ask, notices, said, says
from tests.support.processes import is_running
from tests.support.scale import wait_until
from tests.support.server import Chat

MODES: Json = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}
SERVER = str(Path(scripted.__file__).parents[3])


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as one:
        yield one


def look(chat: Chat) -> None:
    """A view shows the chat."""
    chat.client.notify("view/attached", {"viewId": f"of {chat.id}", "sessionId": chat.id})


def stop(chat: Chat, number: int = 1) -> None:
    """A message is sent and stopped again."""
    run = chat.send(f"message {number}")
    wait_until(lambda: len(chat.events("Prompt")) == number, what="the message")
    chat.stop()
    assert run.result(within=30)["done_reason"] == "cancelled"


def close(chat: Chat) -> None:
    chat.client.request("session/close", {"sessionId": chat.id}, within=30)


def asks_and_is_answered(guest: Guest, chat: Chat) -> None:
    """The next message goes to a process whose question is answered, and the one before is gone by then."""
    guest.plays([ask(command="make", request_id=77), says("Done.")])
    run = chat.send("hi")
    card = chat.card(within=30)
    first, second = guest.pids()
    assert not is_running(first) and is_running(second)
    chat.select(card, "approve")
    assert run.result(within=30)["done_reason"] == "stop"
    assert guest.answer_to(77)["result"]["outcome"]["optionId"] == "allow"


@pytest.mark.parametrize("stops", [1, 2])
def test_a_chat_goes_on_with_the_next_process_when_the_one_before_has_ended(house: House, stops: int) -> None:
    guest = house.guest(answers={"initialize": {"hang": True}}, stays=True)
    chat = guest.chat()
    look(chat)
    guest.wait_told("initialize")
    for number in range(stops):
        stop(chat, number + 1)
    asks_and_is_answered(guest, chat)
    close(chat)
    wait_until(lambda: not any(map(is_running, guest.pids())), within=30, what="the end of all processes")


def test_another_chat_goes_on_with_it_as_well(house: House) -> None:
    guest = house.guest(answers={"initialize": {"hang": True}}, stays=True)
    first, second = guest.chat(), guest.chat()
    look(first)
    guest.wait_told("initialize")
    stop(first)
    close(first)
    asks_and_is_answered(guest, second)
    close(second)
    wait_until(lambda: not any(map(is_running, guest.pids())), within=30, what="the end of all processes")


def test_a_chat_that_is_stopped_while_it_is_looked_for_is_looked_for_again(house: House) -> None:
    guest = house.guest([says("First.")], loads=True, modes=MODES, answers={"session/load": {"hang": True}})
    chat = guest.chat()
    chat.run()
    os.kill(guest.pids()[-1], signal.SIGKILL)
    wait_until(lambda: chat.events("AgentState")[-1]["data"]["settings"] == [], what="its end")
    run = chat.send("two")
    guest.wait_told("session/load")
    chat.stop()
    assert run.result(within=30)["done_reason"] == "cancelled"
    os.kill(guest.pids()[-1], signal.SIGKILL)
    guest.plays([says("Third.")], loads=True, modes=MODES)
    wait_until(lambda: chat.run("three", within=30)["done_reason"] == "stop", within=30, what="an answer")
    assert said(chat) == "First.Third." and len(guest.told("session/new")) == 1
    assert not any("does not know" in words for words in notices(chat))


def test_nobody_is_told_that_it_forgot_what_nobody_had_said(house: House) -> None:
    guest = house.guest(
        [says("Yes.")], modes={"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}
    )
    chat = guest.chat()
    look(chat)
    wait_until(lambda: chat.events("AgentState"), what="its settings")
    os.kill(guest.pids()[0], signal.SIGKILL)
    wait_until(lambda: chat.events("AgentState")[-1]["data"]["settings"] == [], what="its end")
    assert chat.run()["done_reason"] == "stop"
    assert notices(chat) == []


@pytest.mark.parametrize("change", ["switched off", "defined otherwise"])
def test_one_that_may_not_be_started_any_more_when_its_turn_comes_is_not(tmp_path: Path, change: str) -> None:
    """The second chat waits behind the handshake of the first; meanwhile the settings change."""
    with House(tmp_path) as house:
        guest = house.guest(answers={"initialize": {"hang": True}})
        first, second = guest.chat(), guest.chat()
        look(first)
        guest.wait_told("initialize")
        run = second.send("hi")
        wait_until(lambda: second.events("Prompt"), what="the message")
        if change == "switched off":
            house.tell_settings(enabled=False)
        else:
            house.tell_settings(agents={guest.name: other_than(guest)})
        close(first)
        told = run.result(within=30)["message"]
        assert "was not started" in told, told
        assert len(guest.pids()) == 1


def other_than(guest: Guest) -> Json:
    """The agent of that name, defined otherwise."""
    arguments = ["-m", "assent.acp.scripted", str(guest.script), "--record", str(guest.record)]
    return {"command": sys.executable, "args": arguments, "env": {"PYTHONPATH": SERVER, "OTHER": "1"}}
