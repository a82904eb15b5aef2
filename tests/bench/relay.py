"""`python -m tests.bench.relay`: passes on what an agent asks and what the client answers, and nothing else.

It decides, checks and writes down nothing. What the same exchange takes through it is what pipes, processes and the
agent itself cost, whoever stands between.
"""

import json
import os
import subprocess
import sys
import threading
from typing import Any
from urllib.parse import unquote, urlsplit

Json = Any


class Relay:
    """One client, one agent, one chat. A thread reads from each of them."""

    def __init__(self) -> None:
        self._saying = threading.Lock()
        self._folder = ""
        self._defined: Json = {}
        self._agent: subprocess.Popen[bytes] | None = None
        self._session = ""
        self._number = 0
        self._answers: dict[int, Json] = {}
        self._answered = threading.Condition()
        self._asked: dict[str, tuple[Json, Json]] = {}

    def serve(self) -> None:
        """Until the client says no more."""
        while (message := _framed()) is not None:
            if "id" in message:
                self._take(message["id"], message["method"], message["params"])
        if self._agent is not None and self._agent.stdin is not None:
            # It ends by itself, and whoever listens in between has heard its last line.
            self._agent.stdin.close()
            try:
                self._agent.wait(20)
            except subprocess.TimeoutExpired:
                self._agent.kill()

    def _take(self, number: int, method: str, params: Json) -> None:
        match method:
            case "initialize":
                self._folder = unquote(urlsplit(params["rootUri"]).path)
                (self._defined,) = params["initializationOptions"]["assent"]["settings"]["user"]["agents"].values()
                self._answer(number, {"capabilities": {}})
            case "session/new":
                self._start()
                self._answer(number, {"sessionId": "chat"})
            case "chat/send":
                prompt = {"sessionId": self._session, "prompt": [{"type": "text", "text": params["text"]}]}
                turn = self._request("session/prompt", prompt)
                threading.Thread(target=lambda: self._answer(number, self._result(turn)), daemon=True).start()
            case "tool/approvalResponse":
                request_id, allow = self._asked.pop(params["approvalId"])
                selected = {"outcome": {"outcome": "selected", "optionId": allow["optionId"]}}
                self._to_agent({"jsonrpc": "2.0", "id": request_id, "result": selected})
                self._answer(number, {"status": "accepted"})

    def _start(self) -> None:
        env = {**os.environ, **self._defined["env"]}
        command = [self._defined["command"], *self._defined["args"]]
        self._agent = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=self._folder
        )
        threading.Thread(target=self._listen, args=(self._agent,), daemon=True).start()
        self._result(self._request("initialize", {"protocolVersion": 1, "clientCapabilities": {}}))
        made = self._result(self._request("session/new", {"cwd": self._folder, "mcpServers": []}))
        self._session = made["sessionId"]

    def _listen(self, agent: "subprocess.Popen[bytes]") -> None:
        assert agent.stdout is not None
        for line in agent.stdout:
            said = json.loads(line)
            if said.get("method") == "session/request_permission":
                approval_id = f"approval-{said['id']}"
                allow = next(one for one in said["params"]["options"] if one["kind"] == "allow_once")
                self._asked[approval_id] = said["id"], allow
                card = {"approvalId": approval_id, "asked": said["params"]}
                self._say({"jsonrpc": "2.0", "method": "tool/approvalRequest", "params": card})
            elif "method" not in said:
                with self._answered:
                    self._answers[said["id"]] = said["result"]
                    self._answered.notify_all()

    def _request(self, method: str, params: Json) -> int:
        self._number += 1
        self._to_agent({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def _result(self, number: int) -> Json:
        with self._answered:
            self._answered.wait_for(lambda: number in self._answers)
            return self._answers.pop(number)

    def _to_agent(self, message: Json) -> None:
        assert self._agent is not None and self._agent.stdin is not None
        self._agent.stdin.write(json.dumps(message).encode() + b"\n")
        self._agent.stdin.flush()

    def _answer(self, number: int, result: Json) -> None:
        self._say({"jsonrpc": "2.0", "id": number, "result": result})

    def _say(self, message: Json) -> None:
        body = json.dumps(message).encode()
        with self._saying:
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            sys.stdout.buffer.flush()


def _framed() -> Json | None:
    length = 0
    while line := sys.stdin.buffer.readline():
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        if line.lower().startswith(b"content-length:"):
            length = int(line[15:])
    return None


if __name__ == "__main__":
    Relay().serve()
