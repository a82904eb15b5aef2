"""Assent as an agent of an editor: its chats are the sessions there, its questions the permission requests."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from assent import __version__
from assent.acp.connection import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, Connection
from assent.acp.words import RequestId
from assent.app.app import App
from assent.editors.pipes import Pipes
from assent.editors.telling import Telling
from assent.editors.translation import modes_of, parts_of_prompt
from assent.model.errors import AssentError
from assent.model.events import DoneReason
from assent.model.ids import SessionId
from assent.model.json import Json, JsonObject
from assent.model.modes import Mode, parse_mode
from assent.runtime.json_lines import Garbage, Lines, Message
from assent.runtime.tasks import TaskGroup

logger = logging.getLogger(__name__)

PROTOCOL = 1
_STOP_REASONS = {DoneReason.STOP: "end_turn", DoneReason.CANCELLED: "cancelled", DoneReason.LIMIT: "max_turn_requests"}


class Face:
    """Serves one editor over its two pipes. What it does not know is refused; who does not answer has said no."""

    def __init__(self, app: App, agent: str | None, pipes: Pipes, settle: Callable[[str], None]) -> None:
        self._app = app
        self._agent = agent
        self._pipes = pipes
        self._settle = settle
        """Makes this folder the workspace. Called once, before anything else happens in the app."""
        self._folder: str | None = None
        self._lines = Lines()
        self._connection = Connection(pipes.write, self, self._garbage)
        self._telling = Telling(app, self._connection, pipes)
        self._tasks = TaskGroup("editor")

    def read(self, data: bytes) -> None:
        """The next bytes of the editor."""
        for said in self._lines.take(data):
            if isinstance(said, Message):
                self._connection.receive(said.content)
            else:
                self._garbage(said)

    async def end(self) -> None:
        """The editor is gone: nobody answers any more."""
        self._connection.close("the editor is gone")
        await self._telling.end()
        await self._tasks.cancel()

    def notified(self, method: str, params: Json) -> None:
        session_id = self._session(params)
        if method == "session/cancel" and session_id is not None:
            self._tasks.start(self._stop(session_id), "stop")

    def asked(self, request_id: RequestId, method: str, params: Json) -> None:
        self._tasks.start(self._answer(request_id, method, params), method[:100])

    def withdrawn(self, request_id: RequestId) -> None:
        """An editor stops a turn with session/cancel; every request of its own is answered."""

    async def _answer(self, request_id: RequestId, method: str, params: Json) -> None:
        try:
            result = await self._done(method, params if isinstance(params, dict) else {})
        except _Refused as refused:
            self._connection.refuse(request_id, refused.code, str(refused))
        except AssentError as fault:
            self._connection.refuse(request_id, INVALID_PARAMS, str(fault))
        except Exception:
            logger.exception("%s of an editor failed", method[:100])
            self._connection.refuse(request_id, INTERNAL_ERROR, "Assent met an internal fault; details are in its log")
        else:
            self._connection.answer(request_id, result)
            if method == "session/new" and isinstance(result, dict):
                # Not before: an editor is told nothing of a session that it does not know.
                self._telling.begin(SessionId(str(result["sessionId"])))

    async def _done(self, method: str, params: JsonObject) -> Json:
        match method:
            case "initialize":
                return self._introduction()
            case "session/new":
                return self._open(params)
            case "session/prompt":
                return await self._prompt(params)
            case "session/set_mode":
                return self._set_mode(params)
        raise _Refused(METHOD_NOT_FOUND, f"Assent knows no {method[:100]}")

    def _introduction(self) -> JsonObject:
        return {
            "protocolVersion": PROTOCOL,
            "agentInfo": {"name": "assent", "title": "Assent", "version": __version__},
            "agentCapabilities": {
                "loadSession": False,
                "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
            },
            "authMethods": [],
        }

    def _open(self, params: JsonObject) -> JsonObject:
        cwd = params.get("cwd")
        if not isinstance(cwd, str) or not Path(cwd).is_absolute() or not Path(cwd).is_dir():
            raise _Refused(INVALID_PARAMS, "cwd has to be the absolute path of a folder")
        self._enter(str(Path(cwd).resolve()))
        chat = self._app.open_chat(self._agent, None)
        return {"sessionId": chat.session_id, "modes": modes_of(chat.mode)}

    def _enter(self, folder: str) -> None:
        """One process works in one folder: what is allowed there is not allowed elsewhere."""
        if self._folder is None:
            self._folder = folder
            self._settle(folder)
            self._app.attend(self._telling, restoring=False)
        elif folder != self._folder:
            raise _Refused(
                INVALID_PARAMS, f"this Assent works in {self._folder}; start another one for a session in {folder}"
            )

    async def _prompt(self, params: JsonObject) -> JsonObject:
        session_id = self._known(params)
        parts = parts_of_prompt(params.get("prompt"))
        sent = await asyncio.shield(self._app.desk.send(session_id, parts, None))
        if sent.end.reason is None:
            raise _Refused(INTERNAL_ERROR, sent.end.message or "the agent failed")
        return {"stopReason": _STOP_REASONS[sent.end.reason]}

    def _set_mode(self, params: JsonObject) -> JsonObject:
        session_id = self._known(params)
        mode = parse_mode(params.get("modeId"))
        if mode is None:
            raise _Refused(INVALID_PARAMS, f"there is no such mode; there are {', '.join(one.value for one in Mode)}")
        self._app.desk.set_mode(session_id, mode, apply_now=False)
        return {}

    async def _stop(self, session_id: SessionId) -> None:
        await self._app.desk.stop(session_id)

    def _session(self, params: Json) -> SessionId | None:
        named = params.get("sessionId") if isinstance(params, dict) else None
        return SessionId(named) if isinstance(named, str) and named in self._telling.sessions else None

    def _known(self, params: JsonObject) -> SessionId:
        session_id = self._session(params)
        if session_id is None:
            raise _Refused(INVALID_PARAMS, "there is no such session here")
        return session_id

    def _garbage(self, garbage: Garbage) -> None:
        logger.warning("the editor sent what is no message: %s", garbage.reason)


class _Refused(Exception):
    """Why a request of the editor comes to nothing."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
