"""One connection's dispatch without pipes: what is said when nobody listens, and what happens when a client goes."""

import asyncio
import json
from typing import Any

import pytest
from lsprotocol import types as lsp

from assent.lsp.faults import Disconnected, RpcFault
from assent.lsp.protocol import AssentServer
from assent.protocol.events import AgentEvent, ChunkData
from assent.protocol.handshake import PROTOCOL_VERSION, ServerHandshake, SettingsWriteParams
from assent.protocol.methods import ErrorCode
from assent.protocol.session import SessionListParams
from tests.support.scale import eventually, limit

QUESTION = SettingsWriteParams("key", (), 1, "user")


class Recorded:
    """A client's end that keeps what it is sent."""

    congested = False

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def put(self, body: bytes) -> None:
        self.messages.append(json.loads(body))

    async def drained(self) -> None:
        """There is always room."""


@pytest.fixture
def server() -> AssentServer:
    return AssentServer(ServerHandshake(PROTOCOL_VERSION, (), "0"))


@pytest.fixture
async def channel(server: AssentServer) -> Recorded:
    recorded = Recorded()
    server.protocol.connect(recorded, lambda: None)
    server.protocol.receive(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}')
    await eventually(lambda: recorded.messages, what="the answer to initialize")
    recorded.messages.clear()
    return recorded


async def test_without_a_client_nothing_blocks(server: AssentServer) -> None:
    server.tell("agent/event", AgentEvent("s", "r", 0, "Chunk", ChunkData("hi")))

    assert not server.congested
    await asyncio.wait_for(server.drained(), limit(5))
    with pytest.raises(Disconnected):
        await server.ask("settings/write", QUESTION, timeout=None)


async def test_who_asked_learns_that_the_client_is_gone(server: AssentServer, channel: Recorded) -> None:
    asking = [asyncio.create_task(server.ask("settings/write", QUESTION, timeout=None)) for _ in range(3)]
    await eventually(lambda: len(channel.messages) == 3, what="the questions")

    await server.protocol.disconnect(limit(5))

    for one in asking:
        with pytest.raises(Disconnected):
            await one
    with pytest.raises(Disconnected):
        await server.ask("settings/write", QUESTION, timeout=None)


async def test_after_the_end_nothing_is_taken(server: AssentServer, channel: Recorded) -> None:
    await server.protocol.disconnect(limit(5))
    server.protocol.receive(b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}')
    server.protocol.receive(b"not json")

    assert channel.messages == []


async def test_data_of_a_fault_that_json_cannot_carry_does_not_cost_the_answer(
    server: AssentServer, channel: Recorded
) -> None:
    @server.feature("session/list")
    async def odd(params: SessionListParams) -> None:
        raise RpcFault(ErrorCode.INVALID_REQUEST, "no", {"odd": object()})

    server.protocol.receive(b'{"jsonrpc":"2.0","id":1,"method":"session/list"}')
    await eventually(lambda: channel.messages, what="the answer")

    assert [(one["id"], one["error"]["code"]) for one in channel.messages] == [(1, -32603)]


async def test_the_calls_of_pygls_that_do_not_wait(server: AssentServer, channel: Recorded) -> None:
    answers: list[Any] = []
    question = lsp.ShowMessageRequestParams(lsp.MessageType.Info, "which?")
    future = server.window_show_message_request(question, answers.append)
    await eventually(lambda: channel.messages, what="the question")
    answer = {"jsonrpc": "2.0", "id": channel.messages[0]["id"], "result": {"title": "this"}}
    server.protocol.receive(json.dumps(answer).encode())
    await eventually(future.done, what="the answer")

    assert answers == [lsp.MessageActionItem("this")]


async def test_a_wrong_type_is_told_to_who_sends_it(server: AssentServer, channel: Recorded) -> None:
    with pytest.raises(TypeError, match="AgentEvent"):
        server.tell("agent/event", {"plain": "dict"})

    assert channel.messages == []
