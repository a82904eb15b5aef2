"""Where the sessions of one agent in one folder live: its one process, which all its chats share."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from assent.acp.agent_process import AgentEnd, AgentProcess, Capabilities
from assent.acp.connection import INVALID_REQUEST, METHOD_NOT_FOUND, Connection
from assent.acp.faults import AgentFault, AgentGone
from assent.acp.launching import Launch
from assent.acp.questions import CANCELLED
from assent.acp.reading import opened_of, update_of
from assent.acp.session import Session
from assent.acp.words import Introduction, Opened, RequestId
from assent.model.json import Json
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes

logger = logging.getLogger(__name__)

_TO_BEGIN = 180.0
"""Seconds for the first words of an agent: some are fetched by a package manager when they are started."""
_TO_OPEN = 60.0
_PERMISSION = "session/request_permission"
_NOT_ITS_OWN = (
    "the agent gave this chat the id of another one that is open, so what it asks in the two could not be told apart. "
    "Close the other chat, then try again."
)


@dataclass(frozen=True, slots=True)
class Staying:
    """An agent that runs and has said who it is."""

    process: AgentProcess
    introduction: Introduction
    words: tuple[str, ...]

    @property
    def connection(self) -> Connection:
        return self.process.connection


class Lodging:
    """Owns the process. What it says goes to the session that it names, in its order."""

    def __init__(
        self,
        agent_name: str,
        launch: Callable[[], Launch],
        processes: Processes,
        known: KnownSecrets,
        capabilities: Capabilities,
    ) -> None:
        self._agent_name = agent_name
        self._launch = launch
        self._processes = processes
        self._known = known
        self._capabilities = capabilities
        self._staying: Staying | None = None
        self._beginning: AgentProcess | None = None
        self._entering = asyncio.Lock()
        self._coming = 0
        """Chats that are about to have a session in it."""
        self._sessions: dict[str, Session] = {}
        """By their ids in the agent that runs now."""
        self._lost: set[str] = set()
        """Sessions in which the agent that runs now has lost its way. The next one may find them again."""
        self._last_words = ""

    @property
    def agent_name(self) -> str:
        return self._agent_name

    @property
    def folder(self) -> str:
        return self._launch().folder

    @property
    def launch_words(self) -> tuple[str, ...]:
        return self._launch().argv

    @property
    def last_words(self) -> str:
        process = self._process
        return process.last_words if process is not None else self._last_words

    @property
    def introduction(self) -> Introduction | None:
        return self._staying.introduction if self._staying is not None else None

    @property
    def _process(self) -> AgentProcess | None:
        return self._beginning or (self._staying.process if self._staying is not None else None)

    @property
    def is_empty(self) -> bool:
        """Whether no chat has a session in it."""
        return not self._sessions

    @property
    def pid(self) -> int | None:
        """Of the agent that runs now."""
        return self._staying.process.pid if self._staying is not None else None

    async def enter(self, session: Session) -> Staying:
        """The running agent, with the session in it. Raises AgentFault."""
        self._coming += 1
        try:
            async with self._entering:
                staying = await self._running()
            if session.acp_id is None or self._sessions.get(session.acp_id) is not session:
                await self._open(staying, session)
            return staying
        finally:
            self._coming -= 1

    async def throw_out(self, why: str) -> None:
        """Ends the process, because it does not do what it is told."""
        logger.warning("the agent %s is ended: %s", self._agent_name, why)
        await self.end()

    def turn_away(self, session: Session) -> bool:
        """The session is none of its own any more. Whether no other chat is at work, so that the agent can be ended."""
        acp_id = session.acp_id
        if acp_id is None or self._sessions.pop(acp_id, None) is not session:
            return False
        self._lost.add(acp_id)
        session.gone()
        return not self._coming and all(other.host is None for other in self._sessions.values())

    async def leave(self, session: Session) -> None:
        """The chat is closed. With the last one the process ends."""
        if session.acp_id is not None:
            self._sessions.pop(session.acp_id, None)
            session.acp_id = None
        if self.is_empty and not self._coming:
            await self.end()

    async def end(self) -> None:
        """Ends the process with all that it started."""
        process = self._process
        if process is not None:
            await process.stop()

    def notified(self, method: str, params: Json) -> None:
        found = update_of(params) if method == "session/update" else None
        if found is None:
            return
        session = self._sessions.get(found[0])
        if session is not None:
            session.told(found[1])

    def asked(self, request_id: RequestId, method: str, params: Json) -> None:
        process = self._process
        if process is None:
            return
        named = params.get("sessionId") if isinstance(params, dict) else None
        found = self._sessions.get(named) if isinstance(named, str) else None
        session = found if found is not None and found.is_entered else None
        if method == _PERMISSION and session is not None:
            session.asked(request_id, params)
        elif session is not None:
            session.wants(request_id, method, params)
        elif method == _PERMISSION:
            # Of a chat that is closed, was never there, or only begins.
            process.connection.answer(request_id, CANCELLED)
        elif found is not None:
            process.connection.refuse(request_id, INVALID_REQUEST, "the chat only begins, so nothing is done in it yet")
        else:
            process.connection.refuse(request_id, METHOD_NOT_FOUND, f"there is no {method[:100]} here")

    def withdrawn(self, request_id: RequestId) -> None:
        for session in self._sessions.values():
            if session.has_asked(request_id):
                session.withdrawn(request_id)

    def noticed(self, notice: str) -> None:
        logger.info("the agent %s: a line of it is no message", self._agent_name)
        for session in self._sessions.values():
            session.noticed(notice)

    def ended(self, end: AgentEnd) -> None:
        self._last_words = end.last_words
        self._staying = self._beginning = None
        self._lost.clear()
        sessions, self._sessions = tuple(self._sessions.values()), {}
        for session in sessions:
            session.gone()

    async def _running(self) -> Staying:
        staying = self._staying
        if staying is not None and not staying.connection.is_open:
            # It is being ended: nothing can be said to it any more, and two of one agent are never there at once.
            await staying.process.ended()
        return self._staying or await self._begin()

    async def _begin(self) -> Staying:
        launch = self._launch()
        process = self._beginning = await AgentProcess.start(self._processes, launch, self, self, self._known)
        try:
            introduction = await process.introduce(self._capabilities, _TO_BEGIN)
        except BaseException:
            await process.stop()
            raise
        finally:
            self._beginning = None
        self._staying = Staying(process, introduction, launch.argv)
        return self._staying

    async def _open(self, staying: Staying, session: Session) -> None:
        if session.before is None:
            await self._open_new(staying, session)
            return
        before, session.before = session.before, None
        if not await self._find_again(staying, session, before):
            await self._open_new(staying, session)
            session.forgotten()

    async def _find_again(self, staying: Staying, session: Session, before: str) -> bool:
        """Whether the agent goes on with the session. Some keep none, or not this one."""
        said = staying.introduction
        if not (said.resumes_sessions or said.loads_sessions) or before in self._sessions or before in self._lost:
            return False
        method = "session/resume" if said.resumes_sessions else "session/load"
        params: Json = {"sessionId": before, "cwd": self._launch().folder, "mcpServers": []}
        # What is told again comes before the answer, and is of this session.
        self._sessions[before], session.acp_id, session.is_replayed = session, before, True
        found: list[Opened] = []

        def arrived(result: Json) -> None:
            session.is_replayed = False
            if (opened := opened_of(result, before)) is not None:
                found.append(opened)
                session.begun(opened)

        try:
            await staying.connection.request(method, params, _TO_OPEN, arrived=arrived)
        except AgentGone:
            raise
        except AgentFault as fault:
            logger.info("the agent %s does not find a chat again: %s", self._agent_name, fault.code)
        finally:
            session.is_replayed = False
            if not found and self._sessions.get(before) is session:
                del self._sessions[before]
                session.acp_id = None
        return bool(found)

    async def _open_new(self, staying: Staying, session: Session) -> None:
        def arrived(result: Json) -> None:
            # In its place between everything else that it says, and whoever waits for it by then: what follows may be
            # meant for this session already.
            opened = opened_of(result)
            if opened is None:
                raise AgentFault("the agent opened a chat without saying which")
            if opened.session_id in self._sessions:
                raise AgentFault(_NOT_ITS_OWN)
            session.acp_id = opened.session_id
            self._sessions[opened.session_id] = session
            session.begun(opened)

        params: Json = {"cwd": self._launch().folder, "mcpServers": []}
        await staying.connection.request("session/new", params, _TO_OPEN, arrived=arrived)
