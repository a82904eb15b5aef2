"""A server on this machine that paints and speaks in the formats of the real ones, and fails in their ways.

with MediaServer() as server:
    server.paints(png())                 # by any of its endpoints
    server.fails(500, b'{"error": …}')   # the next answers
"""

import base64
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: Any = None


@dataclass
class MediaServer:
    """Listens until its block ends."""

    asked: list[Asked] = field(default_factory=list)
    reached: threading.Event = field(default_factory=threading.Event)
    """Somebody has asked."""
    let_go: threading.Event = field(default_factory=threading.Event)
    """What `waits` waits for."""
    gone: threading.Event = field(default_factory=threading.Event)
    """Whoever was made to wait went away."""

    def __enter__(self) -> Self:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = json.loads(self.rfile.read(length))
                server._take(self, Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body))

            def do_GET(self) -> None:
                server._take(self, Asked(self.path, {k.lower(): v for k, v in self.headers.items()}))

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        self._answer: Callable[[BaseHTTPRequestHandler, Asked], None] = lambda handler, asked: send(handler, 500, b"")
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def _take(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        self.asked.append(asked)
        self.reached.set()
        try:
            self._answer(handler, asked)
        except OSError:
            self.gone.set()
            handler.close_connection = True

    # What it does from now on

    def makes(self, data: bytes, *, mime: str = "application/octet-stream") -> None:
        """Paints and speaks this, by base64 where its format has that."""
        text = base64.b64encode(data).decode()

        def answer(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
            match asked.path:
                case "/v1/images/generations":
                    send_json(handler, {"created": 1, "data": [{"b64_json": text, "revised_prompt": "x"}]})
                case "/sdapi/v1/txt2img":
                    send_json(handler, {"images": [text], "parameters": {}, "info": "{}"})
                case "/v1/audio/speech":
                    send(handler, 200, data, mime)
                case _:
                    send(handler, 404, b'{"error": {"message": "no such path"}}')

        self._answer = answer

    def keeps(self, data: bytes, address: str) -> None:
        """Paints this and says where it keeps it; at its own addresses it really does."""

        def answer(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
            if asked.path == "/v1/images/generations":
                send_json(handler, {"data": [{"url": address}]})
            else:
                send(handler, 200, data, "image/png")

        self._answer = answer

    def says(self, answer: object) -> None:
        """Answers with this JSON."""
        self._answer = lambda handler, asked: send_json(handler, answer)

    def fails(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Answers so."""
        self._answer = lambda handler, asked: send(handler, status, body, **headers)

    def breaks_off(self, data: bytes) -> None:
        """Announces more than it sends, and goes."""

        def answer(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
            handler.send_response(200)
            handler.send_header("content-length", str(len(data) + 1000))
            handler.end_headers()
            handler.wfile.write(data)
            handler.wfile.flush()
            handler.close_connection = True
            handler.connection.shutdown(2)

        self._answer = answer

    def goes_on(self) -> None:
        """Sends without an end, until whoever asked goes away."""

        def answer(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
            handler.send_response(200)
            handler.send_header("content-type", "application/json")
            handler.end_headers()
            while not self.let_go.is_set():
                handler.wfile.write(b" " * 65_536)

        self._answer = answer

    def waits(self) -> None:
        """Says nothing, and notices when whoever asked goes away."""

        def answer(handler: BaseHTTPRequestHandler, asked: Asked) -> None:
            handler.connection.settimeout(0.05)
            while not self.let_go.is_set():
                try:
                    if handler.connection.recv(1) == b"":
                        self.gone.set()
                        break
                except TimeoutError:
                    continue
            handler.close_connection = True

        self._answer = answer


def send(
    handler: BaseHTTPRequestHandler, status: int, body: bytes, mime: str = "application/json", **headers: str
) -> None:
    """A whole answer."""
    handler.send_response(status)
    handler.send_header("content-type", mime)
    handler.send_header("content-length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def send_json(handler: BaseHTTPRequestHandler, answer: object) -> None:
    """The same, as JSON."""
    send(handler, 200, json.dumps(answer).encode())
