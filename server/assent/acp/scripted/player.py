"""Plays the steps of one turn, each as soon as the one before is done."""

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from assent.acp.scripted.wire import Body, Wire

_OPTIONS = [
    {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
    {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
]
_KILLED = 9


class Session:
    """What the agent knows of one session."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.turns: list[Turn] = []
        """Those that may not be answered yet, in their order."""


class _Over(Exception):
    """The turn ends here."""


def fault(code: int, message: str) -> Body:
    """An error as it travels."""
    return {"code": code, "message": message}


class Turn:
    """One prompt, or what is played without one."""

    def __init__(self, wire: Wire, session: Session, request_id: Any, cancelled: threading.Event | None = None) -> None:
        self.cancelled = cancelled or threading.Event()
        self.answered = threading.Event()
        self._wire = wire
        self._session = session
        self._request_id = request_id
        self._result: Any = None
        self._after_cancel = False
        self._steps = self._kinds()

    def play_to_the_end(self, steps: list[Body]) -> None:
        """Plays them, and answers the prompt."""
        reason = "end_turn"
        try:
            self.play(steps)
        except _Over:
            reason = "cancelled"
        self._stop(reason)

    def play(self, steps: list[Body]) -> None:
        """Plays them one after the other."""
        for step in steps:
            if self.cancelled.is_set() and not self._after_cancel:
                raise _Over
            kind = next(name for name in step if name in self._steps)
            self._steps[kind](step[kind], step)

    def fail(self, error: Body) -> None:
        """Answers the prompt with an error."""
        self._answer({"error": error})

    def _stop(self, reason: str) -> None:
        self._answer({"result": {"stopReason": reason}})

    def _answer(self, answer: Body) -> None:
        if self._request_id is not None:
            request_id, self._request_id = self._request_id, None
            self.answered.set()
            self._wire.send({"id": request_id, **answer})

    def _kinds(self) -> dict[str, Callable[[Any, Body], None]]:
        return {
            "say": lambda text, _: self._chunk("agent_message_chunk", text),
            "think": lambda text, _: self._chunk("agent_thought_chunk", text),
            "plan": lambda entries, _: self._update("plan", {"entries": entries}),
            "tool_call": lambda call, _: self._update("tool_call", call),
            "update": lambda call, _: self._update("tool_call_update", call),
            "commands": lambda all_of_them, _: self._update(
                "available_commands_update", {"availableCommands": all_of_them}
            ),
            "mode": lambda mode, _: self._update("current_mode_update", {"currentModeId": mode}),
            "usage": lambda usage, _: self._update("usage_update", usage),
            "session_update": lambda update, _: self._tell_update(update),
            "ask": self._ask,
            "options": lambda options, _: self._update("config_option_update", {"configOptions": options}),
            "withdraw": lambda request_id, _: self._wire.notify("$/cancel_request", {"requestId": request_id}),
            "read": self._read,
            "write": self._write,
            "terminal": self._terminal,
            "call": lambda method, step: self._called(method, step.get("params", {}), step),
            "put": self._put,
            "run": self._run,
            "together": lambda branches, _: self._together(branches),
            "again": self._again,
            "wait": lambda seconds, _: self._wait(seconds),
            "until_cancelled": lambda steps, _: self._until_cancelled(steps),
            "hang": lambda *_: _hang(),
            "stop": lambda reason, _: self._stop(reason),
            "error": lambda error, _: self.fail(error),
            "raw": lambda text, _: self._wire.write(text.encode() + b"\n"),
            "half": lambda text, _: self._wire.write(text.encode()),
            "long": lambda size, _: self._wire.write(b"x" * size + b"\n"),
            "stderr": self._stderr,
            "exit": lambda code, _: os._exit(code),
            "kill": lambda *_: os.kill(os.getpid(), _KILLED),
            "close": lambda *_: self._wire.close_output(),
        }

    def _chunk(self, kind: str, text: str) -> None:
        self._update(kind, {"content": {"type": "text", "text": self._filled(text)}})

    def _update(self, kind: str, members: Body) -> None:
        self._tell_update({"sessionUpdate": kind, **members})

    def _tell_update(self, update: Body) -> None:
        self._wire.notify("session/update", {"sessionId": self._session.session_id, "update": update})

    def _ask(self, call: Body, step: Body) -> None:
        answer = self._wire.request(
            "session/request_permission",
            {
                "sessionId": step.get("session", self._session.session_id),
                "toolCall": call,
                "options": step.get("options", _OPTIONS),
            },
            step.get("id"),
            step.get("patience"),
        )
        word = _answered(answer)
        branches = step.get("on", {})
        if word == "cancelled" and word not in branches:
            raise _Over
        self._branch(branches, word)

    def _branch(self, branches: Body, word: str) -> None:
        steps: list[Body] = branches[word] if word in branches else branches.get("else", [])
        before, self._after_cancel = self._after_cancel, self._after_cancel or word == "cancelled"
        self.play(steps)
        self._after_cancel = before

    def _called(self, method: str, params: Body, step: Body) -> None:
        self._branch(step.get("on", {}), "ok" if self._request(method, params) else "error")

    def _request(self, method: str, params: Body) -> bool:
        """Whether it succeeded. Its result, or its error, is kept."""
        answer = self._wire.request(method, {"sessionId": self._session.session_id, **params}) or {}
        self._result = answer.get("error", answer.get("result"))
        return "error" not in answer

    def _read(self, path: str, step: Body) -> None:
        params: Body = {name: step[name] for name in ("line", "limit") if name in step}
        succeeded = self._request("fs/read_text_file", {"path": path, **params})
        if succeeded and isinstance(self._result, dict):
            self._result = self._result.get("content")
        self._branch(step.get("on", {}), "ok" if succeeded else "error")

    def _write(self, path: str, step: Body) -> None:
        self._called("fs/write_text_file", {"path": path, "content": self._filled(step["content"])}, step)

    def _terminal(self, members: Body, step: Body) -> None:
        succeeded = self._request("terminal/create", members)
        if succeeded:
            terminal = {"terminalId": self._result["terminalId"]}
            if "of" in step:
                self._update(
                    "tool_call_update", {"toolCallId": step["of"], "content": [{"type": "terminal", **terminal}]}
                )
            if "kill" in step:
                self.cancelled.wait(step["kill"])
                self._request("terminal/kill", terminal)
            self._request("terminal/wait_for_exit", terminal)
            succeeded = self._request("terminal/output", terminal)
            output = self._result
            self._request("terminal/release", terminal)
            self._result = output.get("output") if isinstance(output, dict) else output
        self._branch(step.get("on", {}), "ok" if succeeded else "error")

    def _put(self, path: str, step: Body) -> None:
        with open(path, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123
            file.write(self._filled(step["content"]))

    def _run(self, words: list[str], step: Body) -> None:
        import subprocess

        done = subprocess.run(  # noqa: S603 - the script is the program here
            [self._filled(word) for word in words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self._result = done.stdout
        self._branch(step.get("on", {}), "error" if done.returncode else "ok")

    def _together(self, branches: list[list[Body]]) -> None:
        over: list[bool] = []

        def play(steps: list[Body]) -> None:
            # Each has its own last result; all have the one answer to the prompt.
            try:
                Turn(self._wire, self._session, None, self.cancelled).play(steps)
            except _Over:
                over.append(True)

        threads = [threading.Thread(target=play, args=(steps,), daemon=True) for steps in branches]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if over:
            raise _Over

    def _again(self, steps: list[Body], step: Body) -> None:
        for _ in range(step["times"]):
            self.play(steps)

    def _wait(self, seconds: float) -> None:
        self.cancelled.wait(seconds)

    def _until_cancelled(self, steps: list[Body]) -> None:
        self.cancelled.wait()
        before, self._after_cancel = self._after_cancel, True
        self.play(steps)
        self._after_cancel = before

    def _stderr(self, text: str, step: Body) -> None:
        for _ in range(step.get("times", 1)):
            sys.stderr.write(text)
        sys.stderr.flush()

    def _filled(self, text: str) -> str:
        result = self._result if isinstance(self._result, str) else json.dumps(self._result)
        return text.replace("$SESSION", self._session.session_id).replace("$RESULT", result)


def _hang() -> None:
    threading.Event().wait()


def _answered(answer: Body | None) -> str:
    """The option that was picked, or in a word what came instead."""
    if answer is None:
        return "silence"
    if "error" in answer:
        return "error"
    outcome = answer["result"]["outcome"]
    return str(outcome["optionId"]) if outcome["outcome"] == "selected" else str(outcome["outcome"])
