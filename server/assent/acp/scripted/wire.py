"""Lines of JSON-RPC on standard input and output, by many threads, with a record of all that was heard."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

Body = dict[str, Any]


class Wire:
    """The only way of the agent to the outside."""

    def __init__(self, record: str | None) -> None:
        self._record = open(record, "a", encoding="utf-8") if record is not None else None  # noqa: PTH123, SIM115
        self._writing = threading.Lock()
        self._waiting: dict[Any, SimpleQueue[Body | None]] = {}
        self._last = -1
        self._closed = False

    def note(self, what: Body) -> None:
        """Writes it into the record, if there is one."""
        if self._record is not None:
            self._record.write(json.dumps(what) + "\n")
            self._record.flush()

    def heard(self) -> Iterator[Body]:
        """What the client says but answers, which go to whoever waits for them. Ends with the input."""
        for line in sys.stdin.buffer:
            if not line.strip():
                continue
            message = json.loads(line)
            self.note(message)
            if "method" in message:
                yield message
            elif (waiting := self._waiting.pop(message.get("id"), None)) is not None:
                waiting.put(message)

    def request(self, method: str, params: Body, request_id: Any = None, patience: float | None = None) -> Body | None:
        """The whole answer. None: it did not come within the patience, in seconds."""
        answers: SimpleQueue[Body | None] = SimpleQueue()
        with self._writing:
            if request_id is None:
                self._last += 1
                request_id = self._last
            self._waiting[request_id] = answers
        timer = threading.Timer(patience, lambda: answers.put(None)) if patience is not None else None
        self.send({"id": request_id, "method": method, "params": params})
        if timer is not None:
            timer.daemon = True
            timer.start()
        return answers.get()

    def notify(self, method: str, params: Body) -> None:
        """Tells the client something."""
        self.send({"method": method, "params": params})

    def send(self, message: Body) -> None:
        """Writes one message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Writes bytes as they are, in one piece."""
        with self._writing:
            try:
                while data and not self._closed:
                    data = data[os.write(1, data) :]
            except OSError:
                # Nobody reads any more: the end of the input comes as well.
                self._closed = True

    def close_output(self) -> None:
        """Says nothing any more."""
        with self._writing:
            self._closed = True
            os.close(1)


def read_script(path: str) -> Body:
    """The script in a file."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        script = json.load(file)
    if not isinstance(script, dict):
        raise TypeError(f"{path} holds no script: it must be one JSON object")
    return script
