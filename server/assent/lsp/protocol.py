"""pygls made faithful: its registry of handlers and LSP's own methods are used, its reading and answering are replaced.

Every request gets exactly one answer, every message is checked before a handler sees it, and the client's ids and ours
never meet. Nothing here writes a message body to a log.
"""

import asyncio
import logging
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import partial
from typing import Any

from lsprotocol import converters
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from assent.jsontext import NotJson, read_json, says_each_thing_once
from assent.lsp.asks import Asks
from assent.lsp.codec import Codec, encode, is_request, may_lack_id
from assent.lsp.envelope import (
    Answer,
    Incoming,
    MessageId,
    Notification,
    Refusal,
    Request,
    is_message_id,
    read_envelope,
    refused,
)
from assent.lsp.faults import Disconnected, RpcFault, where_it_happened
from assent.lsp.handlers import IncompleteServer, call, check_complete
from assent.lsp.inflight import Inflight, internal_error
from assent.lsp.lifecycle import INITIALIZE, SHUTDOWN, Lifecycle, Phase
from assent.lsp.outbox import Channel
from assent.protocol.converter import to_wire
from assent.protocol.handshake import ServerHandshake
from assent.protocol.methods import ErrorCode

log = logging.getLogger(__name__)
# pygls writes whole messages to its log, one level below this.
logging.getLogger("pygls").setLevel(logging.WARNING)

UNWINDING = 1.0
"""Seconds that cancelled handlers have to end before `shutdown` is answered without them."""

BUILTIN = {
    lsp.INITIALIZE,
    lsp.INITIALIZED,
    lsp.SHUTDOWN,
    lsp.EXIT,
    lsp.SET_TRACE,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    lsp.WORKSPACE_EXECUTE_COMMAND,
    lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL,
}
"""What pygls may do for us. It would also keep the text of every document that it is told: only settings are needed."""


class AssentProtocol(LanguageServerProtocol):
    """One connection's dispatch: envelope, phase, conversion, handler, answer."""

    _server: "AssentServer"

    def __init__(self, server: "AssentServer", converter: Any) -> None:
        super().__init__(server, converter)
        self._codec = Codec(converter)
        self._inflight = Inflight(self._answer)
        self._asks = Asks()
        self._lifecycle = Lifecycle()
        self._held: list[Incoming] = []
        self._stopping: list[MessageId] = []
        self._on_exit: Callable[[], None] = lambda: None
        self.on_refused: Callable[[str, RpcFault], None] = lambda method, fault: None
        """Is told of every request that does not reach its handler."""
        self.channel: Channel | None = None

    def _register_builtin_features(self) -> None:
        for name in dir(type(self)):
            method = getattr(getattr(type(self), name), "method_name", None)
            if method in BUILTIN:
                self.fm.add_builtin_feature(method, getattr(self, name))

    @property
    def phase(self) -> Phase:
        """Where the connection stands."""
        return self._lifecycle.phase

    def connect(self, channel: Channel, on_exit: Callable[[], None]) -> None:
        """From now on there is a client. `on_exit` is called when it sends `exit`."""
        self.channel = channel
        self._on_exit = on_exit

    async def stopped(self, within: float) -> None:
        """Waits so long for the answer to `shutdown`, where `exit` came right behind it."""
        await self._inflight.settled(self._stopping, within)

    async def disconnect(self, within: float) -> None:
        """The client is gone: what was asked of it fails, what works for it is cancelled."""
        self._lifecycle.close()
        self._held.clear()
        self._asks.close()
        await self._inflight.cancel_all(within)
        self.channel = None

    def receive(self, body: bytes) -> None:
        """Takes one message as it came."""
        try:
            message = read_json(body)
        except NotJson as fault:
            self._send_fault(None, RpcFault(ErrorCode.PARSE_ERROR, f"the message is not JSON: {fault}"))
            return
        if says_each_thing_once(body):
            self.handle_message(message)
        else:
            # It means one thing to whoever looked at it and another to us.
            self._dispatch(refused(read_envelope(message), "a name stands twice in one object of the message"))

    def structure_message(self, data: Any) -> Any:
        """Nothing is guessed from keys inside of a message: it stays plain JSON until its method is known."""
        return data

    def handle_message(self, message: Any) -> None:
        """Takes one message as plain JSON."""
        self._dispatch(read_envelope(message))

    def _dispatch(self, incoming: Incoming | None) -> None:
        match incoming:
            case None:
                log.warning("ignored a message that says one thing twice")
            case _ if self.phase is Phase.CLOSED:
                log.debug("ignored a message after the end of the connection")
            case Refusal(message_id, fault):
                self._send_fault(message_id, fault)
            case Answer():
                self._asks.settle(incoming)
            case Notification(lsp.EXIT):
                self._on_exit()
            case Request() | Notification() if self.phase is Phase.STARTING:
                self._held.append(incoming)
            case Request():
                self._take_request(incoming)
            case Notification():
                self._take_notification(incoming)

    def _take_request(self, request: Request) -> None:
        try:
            self._lifecycle.check_request(request.method)
            self._inflight.check_new(request.id)
            handler = self._request_handler(request.method)
            params = self._codec.params_from_client(request.method, request.params)
        except RpcFault as fault:
            self.on_refused(request.method, fault)
            self._send_fault(request.id, fault)
            return
        self._lifecycle.accepted(request.method)
        if request.method == SHUTDOWN:
            self._stopping.append(request.id)
        work = self._initialize if request.method == INITIALIZE else self._run
        self._inflight.start_request(request.id, request.method, partial(work, request, handler, params))

    def _request_handler(self, method: str) -> Any:
        handler = self._registered(method)
        expected = is_request(method)
        if handler is None or expected is None:
            raise RpcFault(ErrorCode.METHOD_NOT_FOUND, "the server does not know this method")
        if not expected:
            raise RpcFault(ErrorCode.INVALID_REQUEST, f"{method} is a notification: it must be sent without an id")
        return handler

    def _registered(self, method: str) -> Any:
        return self.fm.builtin_features.get(method) or self.fm.features.get(method)

    async def _run(self, request: Request, handler: Any, params: Any) -> Any:
        self._ctx_msg_id.set(request.id)
        return self._codec.result_to_client(request.method, await call(handler, params))

    async def _initialize(self, request: Request, handler: Any, params: Any) -> Any:
        well = False
        try:
            result = await self._run(request, handler, params)
            well = True
        finally:
            self._lifecycle.started(well=well)
        return result

    def _take_notification(self, notification: Notification) -> None:
        method = notification.method
        if self.phase is not Phase.RUNNING:
            log.info("dropped a notification that came before initialize or after shutdown")
        elif method == lsp.CANCEL_REQUEST:
            self._cancel(notification.params)
        elif (handler := self._registered(method)) is None or is_request(method) is None:
            log.debug("ignored a notification that nobody knows")
        elif not may_lack_id(method):
            log.warning("ignored %s without an id: it is a request", method)
        else:
            self._start_notification(method, handler, notification.params)

    def _start_notification(self, method: str, handler: Any, given: Any) -> None:
        try:
            params = self._codec.params_from_client(method, given)
        except RpcFault as fault:
            log.warning("ignored %s: %s", method, fault.message)
            return
        self._inflight.start_notification(method, partial(call, handler, params))

    def _cancel(self, params: Any) -> None:
        request_id = params.get("id") if isinstance(params, dict) else None
        if not is_message_id(request_id) or not self._inflight.cancel(request_id):
            log.debug("ignored a cancellation of nothing that is being worked on")

    def _answer(self, request_id: MessageId, result: Any, fault: RpcFault | None) -> None:
        if fault is None:
            fault = self._try_to_send({"jsonrpc": "2.0", "id": request_id, "result": result})
        if fault is not None:
            self._send_fault(request_id, fault)
        while self._held and self.phase is not Phase.STARTING:
            self._dispatch(self._held.pop(0))

    def _send_fault(self, message_id: MessageId | None, fault: RpcFault) -> None:
        again = self._try_to_send({"jsonrpc": "2.0", "id": message_id, "error": fault.to_json()})
        if again is not None:
            self._send_data({"jsonrpc": "2.0", "id": message_id, "error": again.to_json()})

    def _try_to_send(self, answer: dict[str, Any]) -> RpcFault | None:
        try:
            self._send_data(answer)
        except (TypeError, ValueError, RecursionError) as fault:
            log.error("an answer cannot be written as JSON: %s", where_it_happened(fault))  # noqa: TRY400 it may quote
            return internal_error()
        return None

    def _send_data(self, data: Any) -> None:
        if self.channel is not None:
            self.channel.put(encode(data))

    def notify(self, method: str, params: Any | None = None) -> None:
        """Sends a notification; what pygls sends goes this way too."""
        self._send_data({"jsonrpc": "2.0", "method": method, "params": self._codec.params_to_client(method, params)})

    async def ask(self, method: str, params: Any, within: float | None) -> Any:
        """Sends a request and waits for its answer; tells the client when nobody waits any more."""
        if self.channel is None:
            raise Disconnected
        given = self._codec.params_to_client(method, params)
        ask_id, answer = self._asks.open()
        try:
            self._send_data({"jsonrpc": "2.0", "id": ask_id, "method": method, "params": given})
            async with asyncio.timeout(within):
                result = await answer
        except (TimeoutError, asyncio.CancelledError):
            self._send_data({"jsonrpc": "2.0", "method": lsp.CANCEL_REQUEST, "params": {"id": ask_id}})
            raise
        finally:
            self._asks.forget(ask_id)
        return self._codec.result_from_client(method, result)

    async def send_request_async(self, method: str, params: Any | None = None, msg_id: Any = None) -> Any:
        """What the typed methods of pygls await to ask the client."""
        return await self.ask(method, params, None)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: Any = None,
    ) -> Future[Any]:
        """The same for callers that do not await."""
        asked = self.ask(method, params, None)
        future = asyncio.run_coroutine_threadsafe(asked, asyncio.get_running_loop())
        if callback is not None:
            future.add_done_callback(lambda done: callback(done.result()))
        return future

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Adds what Assent says of itself to what pygls makes of the registered handlers."""
        if params.capabilities.general is not None:
            # Every client knows this one, and columns are counted in it here.
            params.capabilities.general.position_encodings = [lsp.PositionEncodingKind.Utf16]
        result: lsp.InitializeResult = yield from super().lsp_initialize(params)
        result.capabilities.experimental = {"assent": to_wire(self._server.handshake)}
        return result

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Lets the server's own handler go first, then ends everything that is still being worked on."""
        if (handler := self.fm.features.get(lsp.SHUTDOWN)) is not None:
            yield handler, args, None
        yield self._inflight.cancel_all, (UNWINDING,), None


class AssentServer(LanguageServer):
    """Where handlers are registered and the client is spoken to. One for each connection."""

    protocol: AssentProtocol

    def __init__(self, handshake: ServerHandshake) -> None:
        self.handshake = handshake
        super().__init__(
            name="assent",
            version=handshake.server_version,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=AssentProtocol,
            converter_factory=converters.get_converter,
        )

    @property
    def congested(self) -> bool:
        """Whether the client reads more slowly than we send: then whoever produces text should wait and merge."""
        return self.protocol.channel is not None and self.protocol.channel.congested

    async def drained(self) -> None:
        """Returns when the client has caught up, or is gone."""
        if self.protocol.channel is not None:
            await self.protocol.channel.drained()

    def tell(self, method: str, params: object) -> None:
        """Sends a notification. Never blocks; without a client it goes nowhere."""
        self.protocol.notify(method, params)

    async def ask(self, method: str, params: object, *, timeout: float | None) -> Any:  # noqa: ASYNC109 sends a cancellation
        """Asks the client. Raises TimeoutError after so many seconds, and RpcFault for an error or a lost client."""
        return await self.protocol.ask(method, params, timeout)

    def check_complete(self) -> None:
        """Holds the handlers against the table of methods. Called once at the start, before any client is there."""
        check_complete(self.protocol.fm.features)

    def thread(self) -> Any:
        """Refused: handlers in threads share a pool, and a few waiting ones would make the server deaf."""
        raise IncompleteServer("handlers must be async; work that blocks belongs into a thread of its own")

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Goes to the log only. The stock one shows the user texts of exceptions, with paths in them."""
        log.error("a fault outside of any request: %s", where_it_happened(error))
