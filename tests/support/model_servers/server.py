"""A model server on loopback: HTTP/1.1 as it is, a script of turns and faults, and what it saw.

It has threads of its own, so that a test that blocks, one with a loop and a program in another process can use it.
"""

import json
import select
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from tests.support.model_servers.plays import Play, Then, Turn, as_play, raw, refuse
from tests.support.model_servers.wire import Seen, Wire


@dataclass(frozen=True, slots=True)
class Got:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Log:
    """What a server saw. Lists only grow; read them when what is looked for has happened."""

    got: list[Got] = field(default_factory=list)
    """Every request."""
    seen: list[Seen] = field(default_factory=list)
    """Every request for a turn that the format allows."""
    rejected: list[str] = field(default_factory=list)
    """Why a request was none."""
    connections: int = 0
    open: int = 0
    left: int = 0
    """How often the client went away in the middle of an answer."""
    sent: int = 0
    """Bytes of bodies."""


class Playing(Protocol):
    """Whatever plays for those who ask over HTTP."""

    log: Log
    lock: threading.Lock
    stopping: threading.Event

    def play(self, got: Got) -> Play: ...


class ModelServer:
    """What it plays, one turn a request, and what it saw. Use it through `model_server`."""

    def __init__(self, wire: Wire, turns: Sequence[Turn], *, key: str | None, models: Sequence[str]) -> None:
        self.wire = wire
        self.log = Log()
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.base_url = ""
        self._turns = list(turns)
        self._key = key
        self._models = list(models)
        self.refuses_list: int | None = None
        """The status with which it refuses to list its models, whoever asks."""

    def add(self, *turns: Turn) -> None:
        """Turns that are played after those that are left."""
        with self.lock:
            self._turns += turns

    def play(self, got: Got) -> Play:
        """What is done with this request."""
        with self.lock:
            self.log.got.append(got)
            streaming, turn = self._turn(got)
        return as_play(turn, self.wire, streaming=streaming)

    def _aside(self, got: Got) -> bytes | None:
        """What some kinds of server are asked beside turns and models."""
        aside = getattr(self.wire, "aside", None)
        answer: bytes | None = aside(got.path) if aside is not None and got.method == "POST" else None
        return answer

    def _turn(self, got: Got) -> tuple[bool, Turn]:
        if self._key is not None and self.wire.key(got.headers) != self._key:
            return False, refuse(401, "the key is not valid")
        if got.method == "GET" and self.refuses_list is not None:
            return False, refuse(self.refuses_list, "this key may not list models")
        if got.method == "GET" and self.wire.models_path(got.path):
            return False, raw(self.wire.models(self._models))
        if (told := self._aside(got)) is not None:
            return False, raw(told)
        if got.method != "POST" or not self.wire.turn_path(got.path):
            return False, refuse(404, f"there is nothing at {got.path}")
        try:
            seen = self.wire.seen(got.path, json.loads(got.body))
        except (ValueError, KeyError, TypeError) as fault:
            self.log.rejected.append(f"{type(fault).__name__}: {fault}")
            return False, refuse(400, str(fault))
        if self._models and seen.model and seen.model not in self._models:
            return False, refuse(404, f"there is no model {seen.model}")
        self.log.seen.append(seen)
        return seen.streaming, self._turns.pop(0) if self._turns else refuse(418, "the script has no more turns")


@contextmanager
def model_server(
    wire: Wire, *turns: Turn, base_path: str = "", key: str | None = None, models: Sequence[str] = ()
) -> Iterator[ModelServer]:
    """A server that plays these turns. With `key`, it wants it; with `models`, it has no others."""
    server = ModelServer(wire, turns, key=key, models=models)
    with served(server) as address:
        server.base_url = f"{address}{base_path}"
        yield server


@contextmanager
def served(plays: Playing) -> Iterator[str]:
    """The address at which it plays."""
    http = _HttpServer(plays)
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), name="model server", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}"
    finally:
        plays.stopping.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, plays: Playing) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.plays = plays

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _HttpServer

    def handle(self) -> None:
        log, lock = self.server.plays.log, self.server.plays.lock
        with lock:
            log.connections += 1
            log.open += 1
        try:
            super().handle()
        except ConnectionError:
            with lock:
                log.left += 1
        finally:
            with lock:
                log.open -= 1

    def do_GET(self) -> None:
        self._do()

    def do_POST(self) -> None:
        self._do()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what is of interest stands in the log of the server."""

    def _do(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        play = self.server.plays.play(Got(self.command, self.path, headers, body))
        if play.begins:
            self._begin(play)
            for piece in play.pieces:
                self._send(piece)
        self._finish(play.then)

    def _begin(self, play: Play) -> None:
        self.send_response(play.status)
        sent = {"Content-Type": play.content_type, "Transfer-Encoding": "chunked"} | play.headers
        for name, value in sent.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, piece: bytes | threading.Event) -> None:
        if isinstance(piece, threading.Event):
            while not piece.wait(0.005) and not self._is_left():
                pass
        elif piece:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.server.plays.log.sent += len(piece)

    def _finish(self, then: Then) -> None:
        if then is Then.END:
            self.wfile.write(b"0\r\n\r\n")
            return
        self.close_connection = True
        if then is Then.HANG:
            while not self._is_left():
                pass
        elif then is Then.RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()

    def _is_left(self) -> bool:
        """Whether the client went away. Waits for that for a moment."""
        if self.server.plays.stopping.is_set():
            return True
        readable, _, _ = select.select([self.connection], [], [], 0.02)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise ConnectionResetError
        return False
