"""What the scripted agent is asked, and which steps it plays for it."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

from assent.acp.scripted.player import Session, Turn, fault
from assent.acp.scripted.wire import Body, Wire

_NOT_FOUND, _INVALID = -32601, -32602


class ScriptedAgent:
    """One script, with as many sessions as the client wants."""

    def __init__(self, script: Body, wire: Wire) -> None:
        self._script = script
        self._wire = wire
        self._sessions: dict[str, Session] = {}
        self._prompts: Iterator[list[Body]] = _in_turn(script.get("prompts") or [[]])
        self._methods: dict[str, Callable[[Any, Body], None]] = {
            "initialize": self._initialize,
            "authenticate": lambda request_id, _: self._answer(request_id, {}),
            "session/new": self._new,
            "session/load": self._load,
            "session/prompt": self._prompt,
            "session/set_mode": self._set_mode,
            "session/set_model": lambda request_id, _: self._answer(request_id, {}),
            "session/set_config_option": self._set_option,
        }

    def serve(self) -> int:
        """Until the input ends."""
        told = {name: os.environ.get(name) for name in self._script.get("tell", ())}
        self._wire.note({"begun": {"pid": os.getpid(), "folder": os.getcwd(), "environment": told}})  # noqa: PTH109
        stays = self._script.get("stays", False)
        if stays:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for message in self._wire.heard():
            self._take(message)
        self._wire.note({"end": "of input"})
        if stays:
            threading.Event().wait()
        # Threads may still wait for answers that do not come any more.
        os._exit(0)

    def _take(self, message: Body) -> None:
        method, params = message["method"], message.get("params") or {}
        if "id" not in message:
            self._notified(method, params)
        elif method in self._script.get("answers", {}):
            self._answer_as_told(message["id"], self._script["answers"][method])
        elif method in self._methods:
            self._methods[method](message["id"], params)
        else:
            self._wire.send({"id": message["id"], "error": fault(_NOT_FOUND, f"no such method: {method}")})

    def _notified(self, method: str, params: Body) -> None:
        session = self._sessions.get(params.get("sessionId", ""))
        if method == "session/cancel" and session is not None and not self._script.get("deaf"):
            for turn in session.turns:
                turn.cancelled.set()

    def _answer(self, request_id: Any, result: Any) -> None:
        self._wire.send({"id": request_id, "result": result})

    def _answer_as_told(self, request_id: Any, told: Any) -> None:
        in_turn = told.get("in_turn") if isinstance(told, dict) else None
        answer = told if in_turn is None else in_turn.pop(0) if len(in_turn) > 1 else in_turn[0]
        if isinstance(answer, dict) and "error" in answer:
            self._wire.send({"id": request_id, "error": answer["error"]})
        elif not (isinstance(answer, dict) and answer.get("hang")):
            self._answer(request_id, answer)

    def _initialize(self, request_id: Any, _: Body) -> None:
        name = self._script.get("name", "scripted")
        self._answer(
            request_id,
            {
                "protocolVersion": self._script.get("protocol", 1),
                "agentInfo": {"name": name, "title": name, "version": self._script.get("version", "1.0")},
                "agentCapabilities": {
                    "loadSession": bool(self._script.get("loads")),
                    "promptCapabilities": dict.fromkeys(self._script.get("takes", []), True),
                },
                "authMethods": self._script.get("logins", []),
            },
        )

    def _offered(self) -> Body:
        return {name: self._script[name] for name in ("modes", "models", "configOptions") if name in self._script}

    def _new(self, request_id: Any, _: Body) -> None:
        session_id = f"session-{len(self._sessions) + 1}"
        session = self._sessions[session_id] = Session(session_id)
        self._answer(request_id, {"sessionId": session_id, **self._offered()})
        self._play(session, self._script.get("begin", []))

    def _load(self, request_id: Any, params: Body) -> None:
        session_id = str(params.get("sessionId"))
        session = self._sessions[session_id] = Session(session_id)
        self._play(session, self._script.get("load", []))
        self._answer(request_id, self._offered())

    def _play(self, session: Session, steps: list[Body]) -> None:
        Turn(self._wire, session, None).play(steps)

    def _prompt(self, request_id: Any, params: Body) -> None:
        session = self._sessions.get(params.get("sessionId", ""))
        if session is None:
            self._wire.send({"id": request_id, "error": fault(_INVALID, "no such session")})
            return
        turn = Turn(self._wire, session, request_id)
        before = [one for one in session.turns if not one.answered.is_set()]
        busy = self._script.get("busy", "queue")
        if before and busy != "queue":
            if busy == "refuse":
                turn.fail(fault(-32600, "a prompt is being worked on"))
            return
        session.turns = [*before, turn]
        steps = self._steps_for(params)
        threading.Thread(target=_play_after, args=(before, turn, steps), daemon=True).start()

    def _steps_for(self, params: Body) -> list[Body]:
        text = " ".join(str(block.get("text", "")) for block in params.get("prompt", []))
        for word, steps in self._script.get("named", {}).items():
            if word in text:
                return list(steps)
        return next(self._prompts)

    def _set_mode(self, request_id: Any, params: Body) -> None:
        self._answer(request_id, {})
        self._update(params, {"sessionUpdate": "current_mode_update", "currentModeId": params.get("modeId")})

    def _set_option(self, request_id: Any, params: Body) -> None:
        options = self._script.get("configOptions", [])
        for option in options:
            if option.get("id") == params.get("configId"):
                option["currentValue"] = params.get("value")
        self._answer(request_id, {"configOptions": options})

    def _update(self, params: Body, update: Body) -> None:
        self._wire.notify("session/update", {"sessionId": params.get("sessionId"), "update": update})


def _play_after(others: list[Turn], turn: Turn, steps: list[Body]) -> None:
    for other in others:
        other.answered.wait()
    turn.play_to_the_end(steps)


def _in_turn(prompts: list[list[Body]]) -> Iterator[list[Body]]:
    return chain(prompts, repeat(prompts[-1]))
