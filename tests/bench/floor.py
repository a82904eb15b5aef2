"""The floor: the same exchange by a server of pygls alone, which decides nothing, checks nothing and runs nothing."""

import asyncio
from typing import Any

from pygls.lsp.server import LanguageServer

CALLS = 20
DELTAS = 10_000

server = LanguageServer("floor", "0")
waiting: dict[str, "asyncio.Future[Any]"] = {}


@server.feature("session/new")
async def new(params: Any) -> Any:
    return {"sessionId": "chat"}


@server.feature("tool/pendingApprovals")
async def pending(params: Any) -> Any:
    return {"approvals": []}


@server.feature("tool/approvalResponse")
async def answer(params: Any) -> Any:
    waiting.pop(params.approvalId).set_result(params.decision)
    return {"status": "accepted", "approvalId": params.approvalId, "decision": params.decision}


@server.feature("chat/send")
async def send(params: Any) -> Any:
    match params.text:
        case "one call":
            await gated("0")
        case "calls in sequence":
            for number in range(CALLS):
                await gated(str(number))
        case "calls at once":
            await asyncio.gather(*(gated(str(number)) for number in range(CALLS)))
        case "deltas":
            for number in range(DELTAS):
                tell("Chunk", {"text": f"{number:07} "})
    tell("Done", {"done_reason": "stop"})
    return {"done_reason": "stop"}


async def gated(name: str) -> None:
    waiting[name] = asyncio.get_running_loop().create_future()
    card = {"approvalId": name, "sessionId": "chat", "tool": "read_file", "args": {"path": name}}
    server.protocol.notify("tool/approvalRequest", card)
    tell("ToolResult", {"toolCallId": name, "output": await waiting[name], "is_error": False})


def tell(event: str, data: Any) -> None:
    server.protocol.notify("agent/event", {"sessionId": "chat", "runId": "run", "n": 0, "event": event, "data": data})


if __name__ == "__main__":
    server.start_io()
