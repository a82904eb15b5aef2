"""The time that a server has for an answer: it stands still while the server itself waits for a person."""

import asyncio

import pytest

from assent.mcp.faults import McpSilent
from assent.mcp.talk import Talk
from assent.model.json import Json, JsonObject


def talk_with(sent: list[JsonObject]) -> Talk:
    def nothing_offered(number: str | int, method: str, params: Json, whose: object) -> bool:
        return False

    return Talk(sent.append, lambda method, params: None, nothing_offered, lambda: None)


async def turns(count: int = 20) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_no_request_takes_too_long_while_a_person_is_waited_for() -> None:
    async def played() -> None:
        sent: list[JsonObject] = []
        talk = talk_with(sent)
        with talk.waiting_for_person():
            late = asyncio.ensure_future(talk.request("tools/call", {}, 0.001))
            answered = asyncio.ensure_future(talk.request("tools/call", {}, 0.001))
            await asyncio.sleep(0)
            with talk.waiting_for_person():
                await turns()
            await turns()
            assert not late.done() and not answered.done()
            talk.receive({"id": 2, "result": {"it": "is"}})
        assert await answered == {"it": "is"}
        with pytest.raises(McpSilent):
            await late
        assert sent[-1]["method"] == "notifications/cancelled"

    asyncio.run(played())


def test_what_is_not_offered_is_refused_and_an_ended_talk_says_nothing() -> None:
    async def played() -> None:
        sent: list[JsonObject] = []
        talk = talk_with(sent)
        talk.receive({"id": "x", "method": "elicitation/create", "params": {}})
        assert sent == [
            {
                "jsonrpc": "2.0",
                "id": "x",
                "error": {"code": -32601, "message": "elicitation/create is not offered here"},
            }
        ]
        talk.close("it is over")
        talk.answer("x", {})
        talk.refuse("x", -1, "no")
        assert len(sent) == 1

    asyncio.run(played())
