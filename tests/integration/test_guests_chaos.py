"""Agents that misbehave, in a real server, several at once: whatever they do, everybody else is served as before."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from assent.acp import scripted
from tests.support.acp_agent import chaos
from tests.support.guests import House, ask
from tests.support.processes import is_running
from tests.support.rpc import Pending, RpcError
from tests.support.scale import limit, wait_until
from tests.support.server import Chat

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the agents of these tests are POSIX's")

Json = Any
AT_ONCE = 10
FIRST = int(os.environ.get("ASSENT_TEST_FIRST_SEED", "0"))
MANY = int(os.environ.get("ASSENT_TEST_SEEDS", "20"))
_MOMENT = 0.3
_STEPS = 3
"""How often a run that goes on is looked at before it is stopped."""


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Each agent misbehaves by its number; the last one behaves."""
    folder = tmp_path_factory.mktemp("wild")
    calm = folder / "calm.json"
    calm.write_text(json.dumps({"prompts": [[ask(command="make")]]}))

    def defined(number: int) -> dict[str, Json]:
        words = scripted.command(str(calm)) if number == 0 else chaos(FIRST + number - 1, folder / f"{number}.jsonl")
        return {"command": words[0], "args": list(words[1:])}

    with House(folder, defined=defined, many=MANY + 1) as made:
        yield made


class Wild:
    """A chat with one that misbehaves."""

    def __init__(self, house: House, seed: int) -> None:
        self.seed = seed
        self.chat: Chat = house.server.chat(agent=f"Guest {seed + 1}")
        self.run: Pending | None = None
        self.answered: set[str] = set()
        self.looks = 0

    def send(self) -> None:
        """A message to it."""
        self.looks = 0
        self.run = self.chat.send()

    def look(self) -> bool:
        """Answers what it asks, and stops it when it goes on for long. Whether its run has ended."""
        assert self.run is not None
        if self.run.done:
            return True
        for card in self.chat.cards():
            self._answer(card)
        self.looks += 1
        if self.looks == _STEPS:
            self.chat.client.start("chat/stop", {"sessionId": self.chat.id})
        return False

    def _answer(self, card: Json) -> None:
        key = f"{card['approvalId']} {card['argsDigest']}"
        if key not in self.answered and (self.seed + len(self.answered)) % 3:
            # It may be withdrawn, or be another one by now.
            with suppress(RpcError):
                self.chat.select(card, "deny" if self.seed % 2 else card["options"][0]["optionId"])
        self.answered.add(key)


def _through(all_of_them: list[Wild]) -> None:
    """One message to each, until all have ended."""
    for one in all_of_them:
        one.send()

    def ended() -> bool:
        _pause(all_of_them)
        return {one.look() for one in all_of_them} == {True}

    wait_until(ended, within=60, what="the end of all runs")


def _pause(all_of_them: list[Wild]) -> None:
    """Lets them do what they do for a moment, or until all have ended."""
    with suppress(AssertionError):
        wait_until(lambda: all(one.run is None or one.run.done for one in all_of_them), within=_MOMENT / limit(1))


@pytest.mark.parametrize("first", range(0, MANY, AT_ONCE))
def test_whatever_they_do_everybody_else_is_served(wild: House, first: int) -> None:
    calm = wild.server.chat(agent="Guest 0")
    run = calm.send()
    card = calm.card(within=30)
    all_of_them = [Wild(wild, seed) for seed in range(first, min(first + AT_ONCE, MANY))]
    for _ in range(2):
        _through(all_of_them)

    for one in all_of_them:
        waiting = wild.server.client.request("tool/pendingApprovals", {"sessionId": one.chat.id})["approvals"]
        assert waiting == [], one.seed
        calls = Counter(event["data"]["toolCallId"] for event in one.chat.events("ToolCall"))
        results = Counter(event["toolCallId"] for event in one.chat.results())
        assert calls == results and set(calls.values()) <= {1}, one.seed
        ends = [event for event in one.chat.events() if event["event"] in ("Done", "Error")]
        assert len(ends) == 2, (one.seed, ends)
        assert all(event["data"].get("code") != "internal_error" for event in ends), (one.seed, ends)
        resolved = Counter(end["approvalId"] for end in wild.server.client.notifications("tool/approvalResolved"))
        assert set(resolved.values()) <= {1}

    assert calm.waits(card)
    calm.select(card, "approve")
    assert run.result()["done_reason"] == "stop"
    for chat in (calm, *(one.chat for one in all_of_them)):
        chat.client.request("session/close", {"sessionId": chat.id}, within=30)


def test_nothing_of_them_is_left(wild: House) -> None:
    """Behind all others: their chats are closed."""
    pid = wild.server.client.process.pid
    wait_until(lambda: _agents(pid) == [], within=30, what="the end of all agents")


def _agents(server: int) -> list[int]:
    scripts = ("chaos_agent.py", Path("scripted") / "__main__.py")
    found = []
    for process in psutil.Process(server).children(recursive=True):
        try:
            words = " ".join(process.cmdline())
        except psutil.Error:
            continue
        if any(str(script) in words for script in scripts) and is_running(process.pid):
            found.append(process.pid)
    return found
