"""The start fails when handlers and the table of methods disagree; handlers of every kind are called."""

import asyncio
from collections.abc import Generator
from typing import Any

import pytest
from pygls.exceptions import JsonRpcInvalidParams

from assent.lsp.faults import RpcFault
from assent.lsp.handlers import IncompleteServer, call, check_complete
from assent.lsp.lifecycle import Lifecycle, Phase
from assent.lsp.protocol import AssentServer
from assent.protocol.handshake import PROTOCOL_VERSION, ServerHandshake
from assent.protocol.methods import METHODS, ErrorCode, Sender


async def handler(params: object) -> object:
    return params


def complete() -> dict[str, Any]:
    return {method.name: handler for method in METHODS if method.sender is Sender.CLIENT}


def test_a_complete_server_starts() -> None:
    check_complete({**complete(), "initialized": lambda _: None})


def test_a_method_without_a_handler_is_named() -> None:
    handlers = complete()
    del handlers["chat/stop"]

    with pytest.raises(IncompleteServer, match="chat/stop has no handler"):
        check_complete(handlers)


@pytest.mark.parametrize("name", ["no/such", "tool/approvalRequest", "window/showMessage"])
def test_a_handler_that_is_in_no_table_is_named(name: str) -> None:
    with pytest.raises(IncompleteServer, match=name):
        check_complete({**complete(), name: handler})


def test_a_handler_that_could_block_is_named() -> None:
    with pytest.raises(IncompleteServer, match=r"chat/stop is not async"):
        check_complete({**complete(), "chat/stop": lambda params: params})


def test_a_server_without_handlers_is_incomplete_and_takes_no_threads() -> None:
    server = AssentServer(ServerHandshake(PROTOCOL_VERSION, (), "0"))

    with pytest.raises(IncompleteServer):
        server.check_complete()
    with pytest.raises(IncompleteServer):
        server.thread()


def test_pygls_keeps_no_documents_for_us() -> None:
    server = AssentServer(ServerHandshake(PROTOCOL_VERSION, (), "0"))

    assert not [name for name in server.protocol.fm.builtin_features if "ocument/" in name]


async def test_handlers_of_every_kind_are_called() -> None:
    async def slow(params: int) -> int:
        await asyncio.sleep(0)
        return params + 1

    def steps(params: int) -> Generator[Any, Any, int]:
        first = yield slow, (params,), None
        second = yield (lambda number, plus: number + plus), (first,), {"plus": 10}
        return second * 2

    assert await call(slow, 1) == 2
    assert await call(lambda params: params - 1, 1) == 0
    assert await call(steps, 1) == 24


async def test_faults_of_pygls_lose_their_texts() -> None:
    def failing(_: object) -> None:
        raise JsonRpcInvalidParams("quotes what was sent")

    with pytest.raises(RpcFault) as caught:
        await call(failing, None)

    assert caught.value.code is ErrorCode.INVALID_PARAMS
    assert "quotes" not in caught.value.message


def test_the_phases_of_a_connection() -> None:
    life = Lifecycle()
    for too_early in ("chat/send", "shutdown"):
        with pytest.raises(RpcFault) as caught:
            life.check_request(too_early)
        assert caught.value.code is ErrorCode.NOT_INITIALIZED

    life.check_request("initialize")
    life.accepted("initialize")
    life.started(well=False)
    assert life.phase is Phase.FRESH, "after a failure the client may try again"
    life.accepted("initialize")
    life.started(well=True)

    with pytest.raises(RpcFault):
        life.check_request("initialize")
    life.check_request("chat/send")
    life.accepted("shutdown")
    for too_late in ("chat/send", "shutdown", "initialize"):
        with pytest.raises(RpcFault) as caught:
            life.check_request(too_late)
        assert caught.value.code is ErrorCode.INVALID_REQUEST


def test_a_slow_start_does_not_reopen_a_closed_connection() -> None:
    life = Lifecycle()
    life.accepted("initialize")
    life.close()
    life.started(well=True)

    assert life.phase is Phase.CLOSED
