"""A server of nothing but the transport: `chat/send` does what its text says. Run as a child of the tests."""

import asyncio
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types as lsp

from assent.lsp.faults import RpcFault
from assent.lsp.protocol import AssentServer
from assent.lsp.stdio import run_stdio
from assent.protocol.approval import ApprovalResponse
from assent.protocol.events import AgentEvent, ChunkData, ToolCallData
from assent.protocol.handshake import PROTOCOL_VERSION, Nothing, ServerHandshake, SettingsWriteParams
from assent.protocol.methods import METHODS, ErrorCode, Sender
from assent.protocol.session import ChatSendParams, ChatSendResult, ChatStopResult, SessionRef
from assent.runtime.processes import Processes, Start

log = logging.getLogger("echo")

PROGRAMS = Processes()

Deed = Callable[[AssentServer, ChatSendParams], Awaitable[str]]


def make_server() -> AssentServer:
    """A server that knows every method of the table."""
    server = AssentServer(ServerHandshake(PROTOCOL_VERSION, ("allow_once", "reject_once"), "0.0.test"))

    @server.feature("chat/send")
    async def send(params: ChatSendParams) -> ChatSendResult:
        message = await DEEDS[params.text](server, params)
        return ChatSendResult(params.session_id, "run", "stop", message)

    @server.feature("chat/stop")
    async def stop(params: SessionRef) -> ChatStopResult:
        raise RpcFault(ErrorCode.SESSION_NOT_FOUND, "no such chat", {"sessionId": params.session_id})

    @server.feature("tool/approvalResponse")
    async def respond(params: ApprovalResponse) -> object:
        """Answers with the wrong type: a fault in the program."""
        return params

    @server.feature("view/activity")
    async def activity(params: Any) -> Nothing:
        tell_chunk(server, "activity " + params.view_id, 0)
        return Nothing()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: lsp.DidChangeConfigurationParams) -> None:
        tell_call(server, params.settings)

    @server.feature(lsp.INITIALIZE)
    async def begin(params: lsp.InitializeParams) -> None:
        options = params.initialization_options or {}
        await asyncio.sleep(options.get("wait", 0))
        if "fail" in options:
            raise ValueError(options["fail"])
        if "echo" in options:
            tell_call(server, options["echo"])

    async def unused(params: object, /) -> Nothing:
        raise RpcFault(ErrorCode.INVALID_REQUEST, f"{type(params).__name__} is not used here")

    for method in METHODS:
        if method.sender is Sender.CLIENT and method.name not in server.protocol.fm.features:
            server.protocol.fm.features[method.name] = unused
    server.check_complete()
    return server


def tell_chunk(server: AssentServer, text: str, number: int) -> None:
    server.tell("agent/event", AgentEvent("chat", "run", number, "Chunk", ChunkData(text)))


def tell_call(server: AssentServer, args: Any) -> None:
    call = ToolCallData("call", "echo", args, "read", "echo", 0)
    server.tell("agent/event", AgentEvent("chat", "run", 0, "ToolCall", call))


async def echo(server: AssentServer, params: ChatSendParams) -> str:
    tell_call(server, params.context)
    return "echoed"


async def hang(_: AssentServer, __: ChatSendParams) -> str:
    await asyncio.get_running_loop().create_future()
    return "never"


async def swallow(_: AssentServer, __: ChatSendParams) -> str:
    try:
        await asyncio.get_running_loop().create_future()
    except asyncio.CancelledError:
        return "cancelled, but went on"
    return "never"


async def fail(_: AssentServer, params: ChatSendParams) -> str:
    faults = {"exit": SystemExit, "interrupt": KeyboardInterrupt, "cancelled": asyncio.CancelledError}
    raise faults.get(str(params.context), ValueError)(params.context)


async def no_number(server: AssentServer, _: ChatSendParams) -> str:
    tell_call(server, [float("nan"), {"x": float("-inf")}, 1.5])
    return "told"


async def program(server: AssentServer, params: ChatSendParams) -> str:
    """Runs a program that goes on for long."""
    ended = await PROGRAMS.run(Start(("sleep", "300"), "/", dict(os.environ)), 300, 1_000)
    return str(ended.signal)


async def block(_: AssentServer, params: ChatSendParams) -> str:
    log.warning("the loop is blocked")
    time.sleep(params.context)  # noqa: ASYNC251 the fault that the test is about
    return "blocked"


async def noise(_: AssentServer, __: ChatSendParams) -> str:
    print("a stray print\n" * 100, flush=True)
    os.write(1, b"Content-Length: 5\r\n\r\nstray")
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", "print('a child'); print(input())")
    await child.wait()
    subprocess.run(["echo", "another child"], check=True)  # noqa: ASYNC221
    return f"child {child.returncode}"


async def threads(_: AssentServer, params: ChatSendParams) -> str:
    """More threads than any pool has, all of them blocked."""
    await asyncio.gather(*(asyncio.to_thread(time.sleep, params.context) for _ in range(40)))
    return "slept"


async def flood(server: AssentServer, params: ChatSendParams) -> str:
    """Tells many chunks; politely, it waits for room. The log says that the loop lives meanwhile."""
    polite = params.context.get("polite", False)
    text = "x" * int(params.context["size"])
    ticker = asyncio.create_task(tick(server))
    waits = 0
    for number in range(params.context["count"]):
        if server.congested and polite:
            waits += 1
            await server.drained()
        tell_chunk(server, text, number)
        await asyncio.sleep(0)
    ticker.cancel()
    return json.dumps({"waits": waits})


async def tick(server: AssentServer) -> None:
    ticks = 0
    while True:
        await asyncio.sleep(0.01)
        ticks += server.congested
        if ticks == 100:
            log.warning("the loop lives although the client does not read")


async def modules(_: AssentServer, params: ChatSendParams) -> str:
    return " ".join(sorted(set(params.context) & set(sys.modules)))


async def ask(server: AssentServer, params: ChatSendParams) -> str:
    """Asks the client and tells what became of it."""
    question = SettingsWriteParams("key", (), params.context.get("value"), "user")
    try:
        answer = await server.ask("settings/write", question, timeout=params.context.get("timeout"))
    except RpcFault as fault:
        return f"{type(fault).__name__} {fault.code.name}: {fault.message}"
    except TimeoutError:
        return "TimeoutError"
    return repr(answer)


async def ask_window(server: AssentServer, _: ChatSendParams) -> str:
    """Asks with a method of LSP, through the typed call of pygls."""
    question = lsp.ShowMessageRequestParams(lsp.MessageType.Info, "which?", [lsp.MessageActionItem("this")])
    try:
        return repr(await server.window_show_message_request_async(question))
    except RpcFault as fault:
        return f"{fault.code.name}: {fault.message}"


async def report(server: AssentServer, params: ChatSendParams) -> str:
    server.report_server_error(ValueError(params.context), RuntimeError)  # type: ignore[arg-type]
    return "reported"


DEEDS: dict[str, Deed] = {
    "echo": echo,
    "hang": hang,
    "swallow": swallow,
    "fail": fail,
    "no number": no_number,
    "block": block,
    "program": program,
    "noise": noise,
    "threads": threads,
    "flood": flood,
    "modules": modules,
    "ask": ask,
    "ask window": ask_window,
    "report": report,
}


async def on_end() -> None:
    """What the end of the connection does here: says so, and takes as long as it is told to."""
    log.warning("on_end runs")
    await asyncio.sleep(float(os.environ.get("ECHO_END_TAKES", "0")))


def main() -> int:
    logging.basicConfig(stream=sys.stderr, level=os.environ.get("ECHO_LOG", "WARNING"))
    return run_stdio(make_server(), on_end=on_end, at_last=PROGRAMS.end_all)


if __name__ == "__main__":
    sys.exit(main())
