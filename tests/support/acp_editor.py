"""An editor that speaks the Agent Client Protocol, in front of `assent acp`: no more than its wire."""

import json
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.support.forked import ASSENT, forked
from tests.support.processes import environment_with
from tests.support.scale import limit

Json = Any


class AcpEditor:
    """Starts it in a folder, and hears everything that it says."""

    def __init__(self, root: Path, *turns: list[Json], user: dict[str, Json] | None = None, agent: str = "S") -> None:
        self.workspace = root / "workspace"
        self.workspace.mkdir(parents=True, exist_ok=True)
        script, settings = root / "turns.json", root / "settings.json"
        script.write_text(json.dumps({"turns": turns}))
        agents = {"S": {"provider": "scripted", "script": str(script)}}
        settings.write_text(json.dumps({"assent.agents": agents, **(user or {})}))
        command = [*ASSENT, "acp", "--agent", agent, "--user-settings", str(settings)]
        environment = environment_with({"ASSENT_STATE_DIR": str(root / "state")})
        self.process = forked()(command, environment, Path("/"))
        self.errors: list[bytes] = []
        self.notes: list[Json] = []
        """Notifications, and requests that nobody waited for, in their order."""
        self._said: queue.Queue[Json] = queue.Queue()
        self._number = 0
        self._readers = [threading.Thread(target=one, daemon=True) for one in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> int:
        """Closes the pipes, and waits for the end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(limit(20))
        for reader in self._readers:
            reader.join(limit(5))
        assert self.process.stdout is not None and self.process.stderr is not None
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def send(self, **message: Json) -> None:
        """One message as it stands."""
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def raw(self, line: bytes) -> None:
        """One line as it stands."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def begin(self, method: str, **params: Json) -> int:
        """A request; its number."""
        self._number += 1
        self.send(id=self._number, method=method, params=params)
        return self._number

    def answer_to(self, number: int) -> Json:
        """The whole answer to this request; what else is said meanwhile is kept."""
        return self._next(lambda said: said.get("id") == number and "method" not in said)

    def request(self, method: str, **params: Json) -> Json:
        """The result of a request."""
        answer = self.answer_to(self.begin(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    def session(self) -> str:
        """A new session after the handshake."""
        assert self.request("initialize", protocolVersion=1, clientCapabilities={})["protocolVersion"] == 1
        session_id: str = self.request("session/new", cwd=str(self.workspace), mcpServers=[])["sessionId"]
        return session_id

    def prompt(self, session_id: str, text: str = "go") -> int:
        """Says this in the session; the number of the request."""
        return self.begin("session/prompt", sessionId=session_id, prompt=[{"type": "text", "text": text}])

    def question(self) -> Json:
        """The next permission request."""
        return self._next(lambda said: said.get("method") == "session/request_permission")

    def choose(self, question: Json, kind: str) -> None:
        """Answers with the first option of this kind."""
        options = question["params"]["options"]
        option = next(one["optionId"] for one in options if one["kind"] == kind)
        self.send(id=question["id"], result={"outcome": {"outcome": "selected", "optionId": option}})

    def updates(self, word: str) -> list[Json]:
        """What was told so far by updates of this kind."""
        told = [one["params"]["update"] for one in self.notes if one.get("method") == "session/update"]
        return [one for one in told if one["sessionUpdate"] == word]

    def noted(self, method: str) -> Json:
        """The next message of this method, or one that came before."""
        found = next((one for one in self.notes if one.get("method") == method), None)
        return found or self._next(lambda said: said.get("method") == method)

    def _next(self, fits: Callable[[Json], bool]) -> Json:
        while True:
            said = self._said.get(timeout=limit(30))
            if said is None:
                raise AssertionError(f"it ended: {b''.join(self.errors).decode()[-2_000:]}")
            if fits(said):
                return said
            self.notes.append(said)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(json.loads(line))
        self._said.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)
