"""The agents of others that chats are held with: which definition starts which process, and whose session is where."""

import asyncio
import os
from collections.abc import Callable
from functools import partial

from assent.acp.agent_process import Capabilities
from assent.acp.agent_terminals import Terminals
from assent.acp.client_side import ClientSide
from assent.acp.lodging import Lodging
from assent.acp.made_to_ask import made_to_ask
from assent.acp.promises import Promises
from assent.acp.session import Session
from assent.agent.chat import Chat
from assent.agent.ports import FormPort
from assent.agent.secrets_in_results import SecretsRule
from assent.agent.toolbelt import Toolbelt
from assent.app.launches import know_secrets, launch_of
from assent.model.events import AgentStateChanged, Event
from assent.model.ids import SessionId
from assent.runtime.clock import Clock
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from assent.runtime.tasks import TaskGroup
from assent.settings.agents import AgentDefinition
from assent.shells.book import Shells
from assent.tools.open_documents import OpenDocuments
from assent.tools.places import Roots


class Guests:
    """One process for each agent and folder; one session for each chat."""

    def __init__(
        self,
        processes: Processes,
        clock: Clock,
        roots: Callable[[SessionId], Roots],
        known: KnownSecrets,
        shells: Shells,
        tools: Callable[[SessionId], Toolbelt],
        tell: Callable[[SessionId, Event], None],
        known_as: Callable[[SessionId], str | None],
        why_not: Callable[[AgentDefinition], str | None],
        documents: OpenDocuments,
        forms: FormPort,
        secrets: SecretsRule,
    ) -> None:
        self._processes = processes
        self._shells = shells
        self._tools = tools
        self._tell = tell
        self._known_as = known_as
        """Under which id an agent knew a chat before this server was started."""
        self._why_not = why_not
        """Why an agent that is defined so may not be started now."""
        self._documents = documents
        self._forms = forms
        self._secrets = secrets
        self._clock = clock
        self._roots = roots
        self._known = known
        self._lodgings: dict[tuple[str, str, str], Lodging] = {}
        self._sessions: dict[SessionId, tuple[Lodging, Session]] = {}
        self._tasks = TaskGroup("guests")

    def of(self, definition: AgentDefinition) -> Callable[[SessionId], Session]:
        """The sessions of chats with the agent that is defined so."""
        return partial(self._session, definition)

    def session(self, session_id: SessionId) -> Session | None:
        """That of this chat, where an agent of others has begun to work in it."""
        found = self._sessions.get(session_id)
        return found[1] if found is not None else None

    async def close(self, session_id: SessionId) -> None:
        """The chat is closed."""
        found = self._sessions.pop(session_id, None)
        if found is not None:
            await _leave(*found)

    async def end(self) -> None:
        """The server ends: so do all agents, at once."""
        await asyncio.gather(*(lodging.end() for lodging in self._lodgings.values()))
        await self._tasks.cancel()

    def _session(self, definition: AgentDefinition, session_id: SessionId) -> Session:
        roots = self._roots(session_id)
        lodging = self._lodging(definition, roots())
        found = self._sessions.get(session_id)
        if found is not None and found[0] is lodging:
            return found[1]
        known_before = self._known_as(session_id) if found is None else None
        if found is not None:
            # It is defined otherwise by now, or the workspace is another one: nothing of the old session goes on.
            self._tasks.start(_leave(*found), "leave an agent")
        promises = Promises()
        terminals = Terminals(self._shells, session_id)
        client = ClientSide(self._tools(session_id), roots, terminals, promises, self._documents, self._secrets)
        tell = partial(self._tell, session_id)
        session = Session(lodging, roots, self._clock, client, promises, tell, self._tasks.start)
        session.before, session.was_talked_to = known_before, known_before is not None
        self._sessions[session_id] = (lodging, session)
        return session

    def _capabilities(self) -> Capabilities:
        """What agents that begin now may leave to Assent: it does exactly what was asked for, where an agent only says
        what it will do. Forms only where somebody could answer them."""
        return Capabilities(reads=True, writes=True, terminal=True, forms=self._forms.can_be_asked)

    def _lodging(self, definition: AgentDefinition, roots: tuple[str, ...]) -> Lodging:
        launch = made_to_ask(launch_of(definition.definition, roots), os.environ)
        key = (definition.name, definition.digest, launch.folder)
        lodging = self._lodgings.get(key)
        if lodging is None:
            know_secrets(launch, self._known)
            lodging = self._lodgings[key] = Lodging(
                definition.name,
                lambda: launch,
                self._processes,
                self._known,
                self._capabilities,
                partial(self._why_not, definition),
            )
        return lodging


async def _leave(lodging: Lodging, session: Session) -> None:
    await session.close()
    await lodging.leave(session)


def last_state(chat: Chat) -> AgentStateChanged | None:
    """What the agent of others in a chat told last of its session."""
    return next((one.event for one in reversed(chat.events.since(0)) if isinstance(one.event, AgentStateChanged)), None)


def without_its_agent(chat: Chat) -> None:
    """The agent ended with an earlier server: nothing of it can be chosen until it runs again."""
    state = last_state(chat)
    if state is not None and (state.settings or state.danger is not None):
        chat.events.add(AgentStateChanged((), None, state.session))
