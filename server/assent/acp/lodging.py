"""Where the sessions of one agent in one folder live: its one process, which all its chats share."""

import asyncio
import logging
from collections.abc import Callable

from assent.acp.agent_process import AgentEnd, AgentProcess, Capabilities
from assent.acp.connection import INVALID_REQUEST, METHOD_NOT_FOUND, Connection
from assent.acp.faults import AgentFault, AgentGone
from assent.acp.launch_hints import hint, is_help, why_silent
from assent.acp.questions import CANCELLED
from assent.acp.reading import opened_of, update_of
from assent.acp.session import Session
from assent.acp.words import Introduction, Opened, RequestId
from assent.model.json import Json
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes

logger = logging.getLogger(__name__)

_TO_BEGIN = 180.0
"""Seconds for the first words of an agent: some are fetched by a package manager when they are started."""
_TO_OPEN = 60.0
_MOST_PRINTED = 10_000
_PERMISSION = "session/request_permission"
_NOT_ITS_OWN = (
    "the agent gave this chat the id of another one that is open, so what it asks in the two could not be told apart. "
    "Close the other chat, then try again."
)


class Residence:
    """One process of the agent, from its start to its end, and the sessions in it. What it says goes to them.

    When it ends, those of the process that comes after it are none of its business.
    """

    def __init__(
        self,
        agent_name: str,
        words: tuple[str, ...],
        ended: Callable[["Residence", AgentEnd], None],
        puzzled: Callable[[str], None],
    ) -> None:
        self._agent_name = agent_name
        self._ended = ended
        self._puzzled = puzzled
        """Told when it prints something else than an answer to the first question."""
        self.puzzle = ""
        """What it printed first in place of an answer, and what to do about it; empty once it has said who it is."""
        self._printed = ""
        self.words = words
        """Those that started it."""
        self.sessions: dict[str, Session] = {}
        """By their ids in it."""
        self.lost: set[str] = set()
        """Sessions in which the agent has lost its way. Another process may find them again."""
        self.process: AgentProcess | None = None
        self.said: Introduction | None = None

    @property
    def connection(self) -> Connection:
        if self.process is None:
            raise AgentGone("the agent has not begun")
        return self.process.connection

    @property
    def introduction(self) -> Introduction:
        if self.said is None:
            raise AgentGone("the agent has not said who it is")
        return self.said

    @property
    def is_open(self) -> bool:
        """Whether it has begun, and something can be said to it."""
        return self.said is not None and self.connection.is_open

    def notified(self, method: str, params: Json) -> None:
        found = update_of(params) if method == "session/update" else None
        if found is None:
            return
        session = self.sessions.get(found[0])
        if session is not None:
            session.told(found[1])

    def asked(self, request_id: RequestId, method: str, params: Json) -> None:
        named = params.get("sessionId") if isinstance(params, dict) else None
        found = self.sessions.get(named) if isinstance(named, str) else None
        session = found if found is not None and found.is_entered else None
        if method == _PERMISSION and session is not None:
            session.asked(request_id, params)
        elif session is not None:
            session.wants(request_id, method, params)
        elif method == _PERMISSION:
            # Of a chat that is closed, was never there, or only begins.
            self.connection.answer(request_id, CANCELLED)
        elif found is not None:
            self.connection.refuse(request_id, INVALID_REQUEST, "the chat only begins, so nothing is done in it yet")
        else:
            self.connection.refuse(request_id, METHOD_NOT_FOUND, f"there is no {method[:100]} here")

    def withdrawn(self, request_id: RequestId) -> None:
        for session in self.sessions.values():
            if session.has_asked(request_id):
                session.withdrawn(request_id)

    def noticed(self, notice: str) -> None:
        logger.info("the agent %s: a line of it is no message", self._agent_name)
        if self.said is None:
            if not self.puzzle:
                self.puzzle = f"{notice} {hint(self.words, notice)}".rstrip()
                self._puzzled(self.puzzle)
            self._printed = f"{self._printed}\n{notice}"[:_MOST_PRINTED]
        for session in self.sessions.values():
            session.noticed(notice)

    def advice(self, last_words: str) -> str:
        """What else to say of it where it did not begin: what it printed in place of an answer, and what that means."""
        explains = last_words if is_help(last_words) else ""
        first = self._printed.strip().partition("\n")[0]
        told = (first, hint(self.words, f"{self._printed}\n{explains}".strip()))
        return "".join(f". {words.rstrip('.')}" for words in told if words)

    def ended(self, end: AgentEnd) -> None:
        sessions, self.sessions = tuple(self.sessions.values()), {}
        self._ended(self, end)
        for session in sessions:
            session.gone()


class Lodging:
    """Sees to it that there is one process when it is needed, never two at once, and none when no chat is in it."""

    def __init__(
        self,
        agent_name: str,
        launch: Callable[[], Launch],
        processes: Processes,
        known: KnownSecrets,
        capabilities: Callable[[], Capabilities],
        why_not: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._agent_name = agent_name
        self._launch = launch
        self._processes = processes
        self._known = known
        self._capabilities = capabilities
        self._why_not = why_not
        """Why it may not be started, as a half sentence. Asked right before."""
        self._residence: Residence | None = None
        """Of the process that runs, begins, or did not quite end yet."""
        self._entering = asyncio.Lock()
        self._coming: list[Session] = []
        """Those that are about to be in it, each as often as it enters."""
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
        residence, process = self._residence, self._process
        if residence is None or process is None:
            return self._last_words
        return "\n".join(filter(None, (residence.puzzle, process.last_words)))

    @property
    def waits_for(self) -> str | None:
        process = self._process
        return process.connection.waits_for if process is not None else None

    @property
    def introduction(self) -> Introduction | None:
        return self._residence.said if self._residence is not None else None

    @property
    def _process(self) -> AgentProcess | None:
        return self._residence.process if self._residence is not None else None

    @property
    def is_empty(self) -> bool:
        """Whether no chat has a session in it."""
        return self._residence is None or not self._residence.sessions

    @property
    def pid(self) -> int | None:
        """Of the agent that runs now."""
        return self._process.pid if self._process is not None else None

    async def enter(self, session: Session) -> Residence:
        """The running agent, with the session in it. Raises AgentFault."""
        self._coming.append(session)
        try:
            async with self._entering:
                residence = await self._running()
            if session.acp_id is None or residence.sessions.get(session.acp_id) is not session:
                await self._open(residence, session)
            return residence
        finally:
            self._coming.remove(session)

    async def throw_out(self, why: str) -> None:
        """Ends the process, because it does not do what it is told."""
        logger.warning("the agent %s is ended: %s", self._agent_name, why)
        await self.end()

    def turn_away(self, session: Session) -> bool:
        """The session is none of its own any more. Whether no other chat is at work, so that the agent can be ended."""
        residence, acp_id = self._residence, session.acp_id
        if residence is None or acp_id is None or residence.sessions.get(acp_id) is not session:
            return False
        del residence.sessions[acp_id]
        residence.lost.add(acp_id)
        session.gone()
        return not self._coming and all(other.host is None for other in residence.sessions.values())

    async def leave(self, session: Session) -> None:
        """The chat is closed. With the last one the process ends."""
        residence, acp_id = self._residence, session.acp_id
        if residence is not None and acp_id is not None and residence.sessions.get(acp_id) is session:
            del residence.sessions[acp_id]
        session.acp_id = None
        if self.is_empty and not self._coming:
            await self.end()

    async def end(self) -> None:
        """Ends the process with all that it started."""
        process = self._process
        if process is not None:
            await process.stop()

    async def _running(self) -> Residence:
        while (residence := self._residence) is not None and not residence.is_open:
            if residence.process is None:
                raise AssertionError("whoever begins holds the lock until there is a process, or none")
            # It is being ended, or never said who it is: two of one agent are never there at once.
            await residence.process.stop()
        return residence or await self._begin()

    async def _begin(self) -> Residence:
        launch = self._launch()
        why = self._why_not() or why_silent(launch.argv)
        if why is not None:
            raise AgentFault(f"it was not started: {why}")
        residence = self._residence = Residence(self._agent_name, launch.argv, self._ended, self._puzzled)
        try:
            residence.process = await AgentProcess.start(self._processes, launch, residence, residence, self._known)
        except BaseException:
            self._residence = None
            raise
        try:
            residence.said = await residence.process.introduce(self._capabilities(), _TO_BEGIN)
            residence.puzzle = ""
        except AgentFault as fault:
            await residence.process.stop()
            fault.message = f"{fault.message}{residence.advice(self._last_words)}"
            raise
        except BaseException:
            # Whoever comes next waits for its end, also where this wait for it is cut off.
            await residence.process.stop()
            raise
        return residence

    def _puzzled(self, notice: str) -> None:
        for session in dict.fromkeys(self._coming):
            session.noticed(notice)

    def _ended(self, residence: Residence, end: AgentEnd) -> None:
        self._last_words = end.last_words
        if self._residence is residence:
            self._residence = None

    async def _open(self, residence: Residence, session: Session) -> None:
        before = session.before
        if before is None:
            await self._open_new(residence, session)
            return
        # Kept until there is an answer: a chat that is stopped meanwhile is looked for again.
        if await self._find_again(residence, session, before):
            session.before = None
            return
        await self._open_new(residence, session)
        session.before = None
        session.forgotten()

    async def _find_again(self, residence: Residence, session: Session, before: str) -> bool:
        """Whether the agent goes on with the session. Some keep none, or not this one."""
        said = residence.introduction
        known = {*residence.sessions, *residence.lost}
        if not (said.resumes_sessions or said.loads_sessions) or before in known:
            return False
        method = "session/resume" if said.resumes_sessions else "session/load"
        params: Json = {"sessionId": before, "cwd": self._launch().folder, "mcpServers": []}
        # What is told again comes before the answer, and is of this session.
        residence.sessions[before], session.acp_id, session.is_replayed = session, before, True
        found: list[Opened] = []

        def arrived(result: Json) -> None:
            session.is_replayed = False
            if (opened := opened_of(result, before)) is not None:
                found.append(opened)
                session.begun(opened)

        try:
            await residence.connection.request(method, params, _TO_OPEN, arrived=arrived)
        except AgentGone:
            raise
        except AgentFault as fault:
            logger.info("the agent %s does not find a chat again: %s", self._agent_name, fault.code)
        finally:
            session.is_replayed = False
            if not found and residence.sessions.get(before) is session:
                del residence.sessions[before]
                session.acp_id = None
        return bool(found)

    async def _open_new(self, residence: Residence, session: Session) -> None:
        def arrived(result: Json) -> None:
            # In its place between everything else that it says, and whoever waits for it by then: what follows may be
            # meant for this session already.
            opened = opened_of(result)
            if opened is None:
                raise AgentFault("the agent opened a chat without saying which")
            if opened.session_id in residence.sessions:
                raise AgentFault(_NOT_ITS_OWN)
            session.acp_id = opened.session_id
            residence.sessions[opened.session_id] = session
            session.begun(opened)

        params: Json = {"cwd": self._launch().folder, "mcpServers": []}
        await residence.connection.request("session/new", params, _TO_OPEN, arrived=arrived)
