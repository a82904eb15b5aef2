"""A client that costs as little as possible: one thread, blocking reads, each message looked at once."""

import json
import os
import subprocess
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.support.processes import ROOT

Json = Any


def as_installed() -> dict[str, str]:
    """The environment of a server that was started before on this machine, so that Python has its compiled files."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**env, "PYTHONPYCACHEPREFIX": str(ROOT / ".cache" / "bench" / "bytecode")}


class Exchange:
    """A child and the pipes to it."""

    def __init__(self, command: list[str], state: Path, cwd: Path) -> None:
        env = {**as_installed(), "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), str(ROOT)])}
        env["ASSENT_STATE_DIR"] = str(state)
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, cwd=cwd
        )
        self._number = 0
        self._answers: dict[int, Json] = {}
        self.told: deque[Json] = deque()

    def __enter__(self) -> Self:
        return self

    def hang_up(self, within: float) -> None:
        """Closes the child's input and waits for it to end by itself."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(within)

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()

    def start(self, method: str, params: Json) -> int:
        """Sends a request and gives its number."""
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def notify(self, method: str, params: Json) -> None:
        """Sends a notification."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Json) -> Json:
        """Sends a request and waits for its result."""
        return self.result(self.start(method, params))

    def result(self, number: int) -> Json:
        """The result of an earlier request; what is told meanwhile stays in `told`."""
        while number not in self._answers:
            self.read()
        answer = self._answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"the server answered with an error: {answer['error']}")
        return answer["result"]

    def next(self, method: str, event: str | None = None) -> Json:
        """The params of the next notification of this kind; others before it are dropped."""
        while True:
            while self.told:
                message = self.told.popleft()
                if message["method"] == method and (event is None or message["params"]["event"] == event):
                    return message["params"]
            self.read()

    def peak_memory(self) -> float:
        """The most memory that the child held, in MB."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("this system does not tell the peak of a process")

    def processor_seconds(self) -> float:
        """The time that processors worked for the child so far; other programs hardly change it."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _write(self, message: Json) -> None:
        assert self._process.stdin is not None
        body = json.dumps(message).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def read(self) -> Json:
        """Waits for the next message, whatever it is, keeps it where it belongs, and gives it."""
        assert self._process.stdout is not None
        length = 0
        while (line := self._process.stdout.readline().strip()) != b"":
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
        if length == 0:
            raise RuntimeError("the child ended")
        message = json.loads(self._process.stdout.read(length))
        if "method" in message:
            self.told.append(message)
        else:
            self._answers[message["id"]] = message
        return message

    def answered(self, number: int) -> bool:
        """Whether the result of an earlier request is there."""
        return number in self._answers
