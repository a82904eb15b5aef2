"""An agent that misbehaves: `chaos_agent.py SEED [--record FILE]`. The seed says how; the standard library is enough.

It answers the handshake and opens sessions, mostly. For each prompt it does some of MISDEEDS, in an order of its own.
The record holds, one JSON object a line, what it has done (`did`), which requests it has sent (`asked`, as their id and
method), and all that it was told (`told`).
"""

import json
import os
import random
import select
import signal
import sys
from collections.abc import Callable
from typing import Any

DEADLY = ("dies", "is killed", "dies within a line", "closes its output")
"""After one of these it says nothing more."""
_SLOW = 32
"""Bytes of a message that is written in small pieces."""
_LINE = 50_000_000
_FLOOD = 2_000


class Chaos:
    """One agent, as its seed makes it."""

    def __init__(self, seed: int, record: str | None) -> None:
        self._random = random.Random(seed)
        self._plans = random.Random(seed)
        """For what it does: that depends on nothing that it is told."""
        self._record = open(record, "a", encoding="utf-8") if record is not None else None  # noqa: PTH123, SIM115
        self._number = 0
        self._session = "none"
        self._sessions = 0
        self._after_cancel = False
        self._buffer = b""
        self._deaf = self._random.random() < 0.3
        self._stays = self._random.random() < 0.2

    def serve(self) -> None:
        """Until its input ends, or for ever."""
        if self._deaf:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while (message := self._heard()) is not None:
            self._take(message)
        while self._stays:
            signal.pause()

    def misdeeds(self) -> list[str]:
        """What it does with the next prompt. Deadly things come last, and not often."""
        harmless = [name for name in MISDEEDS if name not in DEADLY]
        chosen = self._plans.sample(harmless, self._plans.randint(3, 7))
        return [*chosen, self._plans.choice(DEADLY)] if self._plans.random() < 0.25 else chosen

    def _heard(self, within: float | None = None) -> dict[str, Any] | None:
        while b"\n" not in self._buffer:
            if not select.select([0], [], [], within)[0]:
                return None
            data = os.read(0, 65_536)
            if not data:
                return None
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        message = json.loads(line)
        self._note({"told": message})
        return dict(message)

    def _note(self, what: dict[str, Any]) -> None:
        if self._record is not None:
            self._record.write(json.dumps(what) + "\n")
            self._record.flush()

    def _take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method == "initialize":
            wrong = self._random.random() < 0.1
            self._answer(message["id"], "what?" if wrong else {"protocolVersion": 1, "agentCapabilities": {}})
        elif method == "session/new":
            self._sessions += 1
            self._session = f"s{self._sessions}"
            self._answer(message["id"], {"sessionId": self._session})
        elif method == "session/prompt":
            self._play(message["id"])
        elif method == "session/cancel" and self._after_cancel:
            self.ask()
        elif method is not None and "id" in message:
            self.send({"id": message["id"], "error": {"code": -32601, "message": "no"}})

    def _play(self, prompt: Any) -> None:
        misdeeds = self.misdeeds()
        never_ends = "never ends the prompt" in misdeeds
        for name in misdeeds:
            self._note({"did": name})
            MISDEEDS[name](self)
            # It hears a little now and then, so that questions are answered in between.
            while self._buffer or select.select([0], [], [], 0.002)[0]:
                message = self._heard(0.002)
                if message is None:
                    break
                if message.get("method") == "session/cancel" and self._after_cancel:
                    self.ask()
        if not never_ends:
            self._answer(prompt, self._random.choice([{"stopReason": "end_turn"}, {"stopReason": "cancelled"}, {}, 17]))
        if "asks after the end of the turn" in misdeeds:
            self.ask()

    def _answer(self, request_id: Any, result: Any) -> None:
        self.send({"id": request_id, "result": result})

    def send(self, message: dict[str, Any]) -> None:
        """One message as it should be."""
        if "method" in message and "id" in message:
            self._note({"asked": [message["id"], message["method"]]})
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write(self, data: bytes) -> None:
        """Bytes as they are."""
        try:
            while data:
                data = data[os.write(1, data) :]
        except OSError:
            os._exit(0)

    def update(self, update: Any, session: str | None = None) -> None:
        """Tells of something in the session."""
        params = {"sessionId": session or self._session, "update": update}
        self.send({"method": "session/update", "params": params})

    def ask(self, request_id: Any = None, **other: Any) -> None:
        """A question like those of others, but for what is said here."""
        if request_id is None:
            self._number += 1
            request_id = self._random.choice([self._number, f"ask {self._number}"])
        params = {
            "sessionId": self._session,
            "toolCall": {"toolCallId": "c1", "title": "touch /tmp/x", "kind": "execute", "rawInput": {"command": "ls"}},
            "options": [
                {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
                {"optionId": "no", "name": "No", "kind": "reject_once"},
            ],
            **other,
        }
        self.send({"id": request_id, "method": "session/request_permission", "params": params})

    def prints_garbage(self) -> None:
        for _ in range(self._random.randint(1, 20)):
            self.write(self._random.randbytes(self._random.randint(0, 400)).replace(b"\n", b"") + b"\n")

    def prints_a_long_line(self) -> None:
        # Mostly a short one: many tests of many seeds should not take minutes.
        size = _LINE if self._random.random() < 0.1 else self._random.randint(1, 300_000)
        self.write(self._random.choice([b"x", b'{"a":"', b"["]) * size + b"\n")

    def uses_an_id_twice(self) -> None:
        self.ask("the same")
        self.ask("the same", toolCall={"toolCallId": "c2", "title": "rm -rf /"})

    def asks_with_odd_ids(self) -> None:
        for request_id in (0, -1, True, 1.5, [1], {"a": 1}, "", "x" * 5_000):
            self.ask(request_id)
        self.send({"id": None, "method": "session/request_permission", "params": {}})

    def speaks_of_unknown_sessions(self) -> None:
        self.update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}, "unknown")
        self.ask(sessionId="unknown")
        self.ask(sessionId=7)

    def asks_nonsense(self) -> None:
        self.ask(options=[])
        self.ask(options=[{"optionId": "a", "kind": "allow_forever", "name": "?"}, 5, None, {}])
        self.ask(options={"a": 1}, toolCall=None)
        self.ask(toolCall={"toolCallId": 5, "kind": ["x"], "content": {"type": "diff"}, "locations": "here"})
        self.ask(toolCall={"toolCallId": "d", "content": [{"type": "diff", "path": None, "newText": 5}, None, "x"]})
        self.send({"id": "no params", "method": "session/request_permission"})

    def tells_nonsense(self) -> None:
        kinds: tuple[Any, ...] = (5, None, "", "unknown", "plan", "available_commands_update", "config_option_update")
        for update in (None, [], "x", {}, *({"sessionUpdate": kind} for kind in kinds)):
            self.update(update)
        self.update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": ["no"]}})
        self.update({"sessionUpdate": "tool_call", "toolCallId": None, "title": 3})
        self.send({"method": "session/update", "params": [1, 2]})
        self.send({"method": "session/update"})

    def changes_what_it_asks_about(self) -> None:
        self.update({"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "ls", "rawInput": {"command": "ls"}})
        self.ask(toolCall={"toolCallId": "c1"})
        self.update({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "rawInput": {"command": "rm -rf ~"}})
        self.ask(toolCall={"toolCallId": "c1"})

    def asks_what_clients_do_not_know(self) -> None:
        self._number += 1
        self.send({"id": f"u{self._number}", "method": "craft/drainMidTurnQueue", "params": {}})
        self.send({"id": f"t{self._number}", "method": "terminal/create", "params": {"command": 5}})
        self.send({"id": f"f{self._number}", "method": "fs/write_text_file", "params": {"path": "../../x"}})
        self.send({"id": f"m{self._number}", "method": "", "params": None})
        self.send({"method": "unknown/notification", "params": {"a": [1]}})

    def answers_what_nobody_asked(self) -> None:
        for request_id in (99_999, "x", None, True, 1):
            self._answer(request_id, {"stopReason": "end_turn"})
        self.send({"id": 99_998, "error": "text"})

    def writes_other_json(self) -> None:
        for line in (b"[]", b'[{"jsonrpc":"2.0","method":"x"}]', b"5", b'"x"', b"null", b"{}", b'{"a":NaN}'):
            self.write(line + b"\n")
        self.write(b'{"method":"session/update","method":"x"}\n' + b"[" * 5_000 + b"]" * 5_000 + b"\n")

    def writes_in_small_pieces(self) -> None:
        line = json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": "ü🙂" * 20}, ensure_ascii=False)
        data = line.encode() + b"\n"
        for at in range(0, len(data), _SLOW):
            self.write(data[at : at + _SLOW])

    def withdraws_what_is_not_open(self) -> None:
        self.ask("for a moment")
        for request_id in ("for a moment", "for a moment", "never", 7.5, None):
            self.send({"method": "$/cancel_request", "params": {"requestId": request_id}})
        self.send({"method": "$/cancel_request"})

    def floods(self) -> None:
        for number in range(_FLOOD):
            self.update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": f"{number} "}})

    def floods_beside(self) -> None:
        for _ in range(20):
            sys.stderr.write("noise \x1b[31m" * 5_000 + "\n")

    def asks_after_a_cancel(self) -> None:
        self._after_cancel = True

    def nothing_yet(self) -> None:
        """It shows when the turn ends, or does not."""

    def dies(self) -> None:
        os._exit(self._random.randint(0, 255))

    def is_killed(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def dies_within_a_line(self) -> None:
        self.write(b'{"jsonrpc":"2.0","id":"half","method":"session/request_permission","params":{"sess')
        os._exit(0)

    def closes_its_output(self) -> None:
        os.close(1)


MISDEEDS: dict[str, Callable[[Chaos], None]] = {
    "prints garbage": Chaos.prints_garbage,
    "prints a long line": Chaos.prints_a_long_line,
    "uses an id twice": Chaos.uses_an_id_twice,
    "asks with odd ids": Chaos.asks_with_odd_ids,
    "speaks of unknown sessions": Chaos.speaks_of_unknown_sessions,
    "asks nonsense": Chaos.asks_nonsense,
    "tells nonsense": Chaos.tells_nonsense,
    "changes what it asks about": Chaos.changes_what_it_asks_about,
    "asks what clients do not know": Chaos.asks_what_clients_do_not_know,
    "answers what nobody asked": Chaos.answers_what_nobody_asked,
    "writes other JSON": Chaos.writes_other_json,
    "writes in small pieces": Chaos.writes_in_small_pieces,
    "withdraws what is not open": Chaos.withdraws_what_is_not_open,
    "floods": Chaos.floods,
    "floods beside": Chaos.floods_beside,
    "asks after a cancel": Chaos.asks_after_a_cancel,
    "never ends the prompt": Chaos.nothing_yet,
    "asks after the end of the turn": Chaos.nothing_yet,
    "dies": Chaos.dies,
    "is killed": Chaos.is_killed,
    "dies within a line": Chaos.dies_within_a_line,
    "closes its output": Chaos.closes_its_output,
}


if __name__ == "__main__":
    Chaos(int(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else None).serve()
