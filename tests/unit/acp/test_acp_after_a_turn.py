"""What an agent asks once it has ended its turn: nobody is asked, and it hears so at once. Over a real connection."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

from assent.acp.connection import Connection
from assent.acp.promises import Promises
from assent.acp.questions import CANCELLED
from assent.acp.reading import opened_of
from assent.acp.session import Session
from assent.acp.words import Introduction
from assent.model.json import Json
from assent.model.modes import Mode
from assent.runtime.json_lines import Garbage
from tests.support.clock import FakeClock
from tests.support.scale import eventually

QUESTION: Json = {
    "sessionId": "s",
    "toolCall": {"toolCallId": "c", "kind": "execute", "title": "make", "rawInput": {"command": "make"}},
    "options": [{"optionId": "allow", "name": "Allow", "kind": "allow_once"}],
}


class Place:
    """Where the session lives, and the agent in it: it says what the test wants it to say."""

    agent_name, folder, launch_words, last_words = "Agent", "/w", (), ""
    introduction, words, waits_for = Introduction(1, "agent"), (), None

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.connection = Connection(lambda line: self.heard.append(json.loads(line)), self, self._garbage)
        self.carried: list[Any] = []
        terminals = SimpleNamespace(printed=lambda _: None, end_all=self._nothing)
        client: Any = SimpleNamespace(begin_turn=lambda: None, has_done=lambda _: False, terminals=terminals)
        start: Any = lambda work, _: asyncio.ensure_future(work)  # noqa: E731
        self.session = Session(self, lambda: ("/w",), FakeClock(), client, Promises(), lambda _: None, start)
        self.host: Any = SimpleNamespace(
            mode=Mode.DEFAULT, said=lambda *_, **__: None, tell=lambda _: None, carry=self._carry, start=start
        )

    async def _nothing(self, _: str) -> None:
        pass

    async def _carry(self, *wanted: Any) -> None:
        self.carried.append(wanted)
        await asyncio.Event().wait()

    def _garbage(self, garbage: Garbage) -> None:
        raise AssertionError(garbage)

    async def enter(self, session: Session) -> "Place":
        session.acp_id = "s"
        opened = opened_of({"sessionId": "s"})
        assert opened is not None
        session.begun(opened)
        return self

    async def throw_out(self, why: str) -> None:
        raise AssertionError(why)

    def turn_away(self, session: Session) -> bool:
        raise AssertionError

    def notified(self, method: str, params: Json) -> None:
        raise AssertionError(method)

    def withdrawn(self, request_id: int | str) -> None:
        raise AssertionError(request_id)

    def asked(self, request_id: int | str, method: str, params: Json) -> None:
        self.session.asked(request_id, params)

    def asks(self, request_id: str) -> None:
        method = "session/request_permission"
        self.connection.receive({"jsonrpc": "2.0", "id": request_id, "method": method, "params": QUESTION})

    def answers_to(self, request_id: str) -> list[Json]:
        return [one["result"] for one in self.heard if one.get("id") == request_id and "result" in one]

    async def begin(self) -> "asyncio.Task[Any]":
        turn = asyncio.ensure_future(self.session.converse(("go",), self.host))
        await eventually(lambda: any(one.get("method") == "session/prompt" for one in self.heard))
        return turn

    def end_turn(self) -> None:
        prompt = next(one for one in self.heard if one.get("method") == "session/prompt")
        self.connection.receive({"jsonrpc": "2.0", "id": prompt["id"], "result": {"stopReason": "end_turn"}})


async def test_in_its_turn_it_is_asked() -> None:
    place = Place()
    turn = await place.begin()
    place.asks("in the turn")
    await eventually(lambda: len(place.carried) == 1)
    assert place.answers_to("in the turn") == []
    turn.cancel()


async def test_right_behind_the_end_of_its_turn_nobody_is_asked() -> None:
    place = Place()
    turn = await place.begin()
    # What it wrote in one go is read in one go: nothing else has come to its turn in between.
    place.end_turn()
    place.asks("behind it")
    assert place.answers_to("behind it") == [CANCELLED]
    await turn
    place.asks("later")
    assert place.answers_to("later") == [CANCELLED]
    assert place.carried == []
