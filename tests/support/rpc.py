"""A small JSON-RPC client over the pipes of a child: no library, nothing shared with the server under test.

    with RawClient(python("-m", "assent", "serve", "--stdio")) as client:
        client.initialize(capabilities=["cards"])
        chat = client.request("session/new", {})
        card = client.wait_for("tool/approvalRequest", lambda card: card["tool"] == "bash")
        client.request("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "allow_once"})

Every message is kept in `received`. `wait_for` takes each notification only once. When the child dies, the fault that a
test sees shows the child's last words.
"""

import contextlib
import itertools
import json
import os
import select
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.support.forked import Spawn, started
from tests.support.processes import ROOT, environment_with
from tests.support.scale import limit, wait_until

Json = Any
Where = Callable[[Json], object]


class RpcError(Exception):
    """The server answered with an error."""

    def __init__(self, error: dict[str, Json]) -> None:
        super().__init__(f"{error.get('code')}: {error.get('message')} {error.get('data', '')}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Json = error.get("data")


class ServerGone(Exception):
    """The child ended, or closed its output, while a test waited for it."""


class NotInTime(AssertionError):
    """Something that a test waited for did not come."""


class Pending:
    """A request on its way."""

    def __init__(self, client: "RawClient", request_id: Json, method: str) -> None:
        self._client = client
        self.id = request_id
        self.method = method

    @property
    def done(self) -> bool:
        """Whether the answer is there."""
        return self._client.answers_to(self.id) != []

    def answer(self, within: float = 10) -> dict[str, Json]:
        """The whole answer, result or error."""
        return self._client.wait_for_answer(self.id, within=within, what=self.method)

    def result(self, within: float = 10) -> Json:
        """The result; an error raises RpcError."""
        answer = self.answer(within)
        if "error" in answer:
            raise RpcError(answer["error"])
        return answer["result"]

    def error(self, within: float = 10) -> RpcError:
        """The error; a result is a failure of the test."""
        answer = self.answer(within)
        assert "error" in answer, f"{self.method} was answered with a result: {answer}"
        return RpcError(answer["error"])

    def cancel(self) -> None:
        """Takes the request back. It is still answered."""
        self._client.notify("$/cancelRequest", {"id": self.id})


class Asked:
    """A request of the server, for the test to answer."""

    def __init__(self, client: "RawClient", message: dict[str, Json]) -> None:
        self._client = client
        self.id = message["id"]
        self.method: str = message["method"]
        self.params: Json = message.get("params")

    def answer(self, result: Json) -> None:
        """Answers it."""
        self._client.send({"jsonrpc": "2.0", "id": self.id, "result": result})

    def fail(self, code: int, message: str) -> None:
        """Answers it with an error."""
        self._client.send({"jsonrpc": "2.0", "id": self.id, "error": {"code": code, "message": message}})


class RawClient:
    """A child process, and everything it says."""

    def __init__(
        self,
        command: list[str],
        *,
        env: dict[str, str | None] | None = None,
        cwd: Path | None = None,
        spawn: Spawn = started,
    ) -> None:
        """`env` is added to this process's environment; None there removes a variable."""
        self.received: list[dict[str, Json]] = []
        self.replies: dict[str, Callable[[Json], Json]] = {}
        """Functions that answer the server's requests, by method. Others wait for `wait_for_request`."""
        self._news = threading.Condition()
        self._taken: set[int] = set()
        self._answers: dict[tuple[type, Json], list[dict[str, Json]]] = {}
        self._ids = itertools.count(1)
        self._ended = False
        self._errors: list[bytes] = []
        self._paused = False
        self._deaf = False
        self._write_lock = threading.Lock()
        self.process = spawn(command, environment_with(env), cwd or ROOT)
        self._threads = [
            threading.Thread(target=self._read_messages, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Saying

    def initialize(
        self,
        *,
        root: Path | None = None,
        editor: dict[str, Json] | None = None,
        plain: bool = False,
        **assent: Json,
    ) -> Json:
        """`initialize` and `initialized`. The other keywords are the handshake's block; `plain` leaves it out."""
        params: dict[str, Json] = {"processId": os.getpid(), "rootUri": None, "capabilities": editor or {}}
        if root is not None:
            params["rootUri"] = root.as_uri()
            params["workspaceFolders"] = [{"uri": root.as_uri(), "name": root.name}]
        if not plain:
            params["initializationOptions"] = {"assent": {"protocol": 1, **assent}}
        result = self.request("initialize", params, within=30)
        self.notify("initialized", {})
        return result

    def request(self, method: str, params: Json = None, *, within: float = 10) -> Json:
        """Sends a request and waits for its result; an error raises RpcError."""
        return self.start(method, params).result(within)

    def start(self, method: str, params: Json = None, *, request_id: Json = None) -> Pending:
        """Sends a request without waiting."""
        given = next(self._ids) if request_id is None else request_id
        message = {"jsonrpc": "2.0", "id": given, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return Pending(self, given, method)

    def notify(self, method: str, params: Json = None) -> None:
        """Sends a notification."""
        message = {"jsonrpc": "2.0", "method": method}
        self.send(message if params is None else {**message, "params": params})

    def send(self, message: Json) -> None:
        """Sends any JSON value as a message."""
        self.send_body(json.dumps(message).encode())

    def send_body(self, body: bytes) -> None:
        """Sends any bytes as a message."""
        self.send_bytes(frame(body))

    def send_bytes(self, data: bytes) -> None:
        """Sends bytes as they are. A child that is gone raises ServerGone."""
        assert self.process.stdin is not None
        rest = memoryview(data)
        try:
            with self._write_lock:
                while rest:
                    rest = rest[self.process.stdin.write(rest) :]
        except (BrokenPipeError, ConnectionResetError, ValueError) as fault:
            raise ServerGone(self._last_words("the child does not read any more")) from fault

    # Hearing

    def wait_for(self, method: str, where: Where | None = None, *, within: float = 10) -> Json:
        """The params of the first such notification that was not taken before."""
        index = self._wait(self._finder(method, where, is_request=False), within, f"the notification {method}")
        return self.received[index].get("params")

    def wait_for_request(self, method: str, where: Where | None = None, *, within: float = 10) -> Asked:
        """The first such request of the server that was not taken before."""
        index = self._wait(self._finder(method, where, is_request=True), within, f"the request {method}")
        return Asked(self, self.received[index])

    def wait_for_answer(self, request_id: Json, *, within: float = 10, what: str = "a request") -> dict[str, Json]:
        """The first answer with this id, whole; None finds answers to messages whose id could not be read."""
        answers = self._wait(lambda: self.answers_to(request_id) or None, within, f"the answer to {what}")
        return answers[0]

    def notifications(self, method: str) -> list[Json]:
        """The params of all such notifications so far."""
        return [one.get("params") for one in list(self.received) if one.get("method") == method and "id" not in one]

    def answers_to(self, request_id: Json) -> list[dict[str, Json]]:
        """All answers with this id so far: there should never be two."""
        return list(self._answers.get((type(request_id), request_id), ()))

    @property
    def stderr(self) -> str:
        """What the child wrote to its log so far; all of it, where it has ended."""
        if self.process.poll() is not None:
            self._threads[1].join(limit(5))
        return b"".join(self._errors).decode(errors="replace")

    def logged(self, words: str) -> None:
        """Waits until the child's log has these words: a line of it may come later than an answer."""
        wait_until(lambda: words in self.stderr, what=f"{words!r} in the log")

    # Beginning and end

    @property
    def pid(self) -> int:
        """The child."""
        return self.process.pid

    def pause_reading(self) -> None:
        """From now on the child's output stays in the pipe."""
        self._paused = True

    def resume_reading(self) -> None:
        """Reads on."""
        self._paused = False

    def close_stdout(self) -> None:
        """Nobody will ever read the child's output again."""
        self._deaf = True
        self._threads[0].join(limit(5))

    def close_stdin(self) -> None:
        """The child sees the end of its input."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def shutdown(self, within: float = 10) -> int:
        """`shutdown` and `exit`, as a client should; the exit code."""
        self.request("shutdown", within=within)
        self.notify("exit")
        return self.wait_exit(within)

    def wait_exit(self, within: float = 10) -> int:
        """The exit code, when the child has ended."""
        try:
            code = self.process.wait(limit(within))
        except subprocess.TimeoutExpired as fault:
            raise NotInTime(self._last_words(f"the child still runs after {limit(within):.1f} s")) from fault
        self._paused = False
        for thread in self._threads:
            thread.join(limit(5))
        return code

    def close(self) -> None:
        """Ends the child, kindly first."""
        self._paused = False
        self.close_stdin()
        try:
            self.process.wait(limit(5))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(limit(5))
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def _wait(self, look: Callable[[], Any], within: float, what: str) -> Any:
        end = time.monotonic() + limit(within)
        with self._news:
            while (found := look()) is None:
                if self._ended:
                    raise ServerGone(self._last_words(f"the child ended before {what} came"))
                if not self._news.wait(end - time.monotonic()):
                    raise NotInTime(self._last_words(f"{what} did not come within {limit(within):.1f} s"))
        return found

    def _finder(self, method: str, where: Where | None, *, is_request: bool) -> Callable[[], int | None]:
        looked_at = 0

        def find() -> int | None:
            nonlocal looked_at
            for index in range(looked_at, len(self.received)):
                looked_at = index + 1
                message = self.received[index]
                fits = message.get("method") == method and ("id" in message) is is_request
                if fits and index not in self._taken and (where is None or _holds(where, message.get("params"))):
                    self._taken.add(index)
                    return index
            return None

        return find

    def _read_messages(self) -> None:
        try:
            while (message := self._read_message()) is not None:
                with self._news:
                    self.received.append(message)
                    if "method" not in message:
                        own_id = message.get("id")
                        self._answers.setdefault((type(own_id), own_id), []).append(message)
                    self._news.notify_all()
                self._reply(message)
        finally:
            with self._news:
                self._ended = True
                self._news.notify_all()

    def _reply(self, message: dict[str, Json]) -> None:
        reply = self.replies.get(message.get("method", ""))
        if reply is not None and "id" in message:
            with contextlib.suppress(ServerGone):
                Asked(self, message).answer(reply(message.get("params")))

    def _read_message(self) -> dict[str, Json] | None:
        length = None
        while (line := self._read_until_newline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        if line == b"":
            return None
        assert length is not None, "the child sent a message without its length"
        body = self._read_exactly(length)
        return None if body is None else json.loads(body, parse_constant=_not_json)

    def _read_until_newline(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            piece = self._read_some(1)
            if not piece:
                return b""
            line += piece
        return line

    def _read_exactly(self, length: int) -> bytes | None:
        pieces = []
        while length:
            piece = self._read_some(min(length, 65536))
            if not piece:
                return None
            pieces.append(piece)
            length -= len(piece)
        return b"".join(pieces)

    _buffer = b""

    def _read_some(self, at_most: int) -> bytes:
        if not self._buffer:
            self._buffer = self._read_when_allowed()
        piece, self._buffer = self._buffer[:at_most], self._buffer[at_most:]
        return piece

    def _read_when_allowed(self) -> bytes:
        assert self.process.stdout is not None
        while not self._deaf:
            if self._paused:
                time.sleep(0.01)
            elif select.select([self.process.stdout], [], [], 0.02)[0]:
                return os.read(self.process.stdout.fileno(), 65536)
        self.process.stdout.close()
        return b""

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while piece := os.read(self.process.stderr.fileno(), 65536):
                self._errors.append(piece)

    def _last_words(self, what: str) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        heard = [one.get("method") or f"answer {one.get('id')}" for one in self.received[-20:]]
        tail = self.stderr[-4000:] or "(nothing)"
        return f"{what}\nexit code: {self.process.poll()}\nlast messages: {heard}\nits log:\n{tail}"


def frame(body: bytes) -> bytes:
    """A body with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def _holds(where: Where, params: Json) -> bool:
    """A message without the fields that a test looks at is not the one that it looks for."""
    try:
        return bool(where(params))
    except (KeyError, TypeError, IndexError):
        return False


def _not_json(word: str) -> Json:
    raise ValueError(f"the child sent {word}, which is not JSON")
