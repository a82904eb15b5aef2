"""The server behind the faces: every object built once and wired. The only place that knows all names."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assent.agent.arguments import parse_arguments
from assent.agent.chat import Agent, Chat
from assent.agent.eventlog import EventLog
from assent.agent.gate import Explanation, Gate
from assent.agent.run import Limits, Surroundings
from assent.agent.toolbelt import Toolbelt
from assent.app.agents import agent_from, agent_to_think_of
from assent.app.answers import Accepted, Answers
from assent.app.consents import Consents
from assent.app.desk import Desk
from assent.app.hub import Hub
from assent.app.trust import Trust
from assent.approvals.broker import Broker
from assent.jsontext import readable_json
from assent.model.approval import Answer, Resolution, ResolvedBy, Status
from assent.model.calls import ToolCall
from assent.model.errors import InvalidRequest
from assent.model.ids import ApprovalId, CallId, SessionId, ViewId
from assent.model.modes import Mode, tightest
from assent.policy.decide import Rules
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id
from assent.tools.list_files import ListFiles
from assent.tools.read_file import ReadFile
from assent.tools.write_file import WriteFile


@dataclass(slots=True)
class Workspace:
    """The folders that the client has open."""

    folders: tuple[str, ...] = ()

    def roots(self) -> tuple[str, ...]:
        """The folders, first the one that relative paths start from."""
        return self.folders


class App:
    """One server's state. It outlives a page that is reloaded; it ends with the process."""

    def __init__(self, clock: Clock, state_directory: Path, own_places: tuple[Path, ...]) -> None:
        self.workspace = Workspace()
        self.hub = Hub()
        self.broker = Broker(clock)
        self.broker.watch(self.hub)
        self.trust = Trust(state_directory)
        self._clock = clock
        # The process too: its environment and its open files are nobody's business.
        own = (state_directory, *own_places, Path("/proc/self"))
        self._own_places = tuple(str(place.resolve()) for place in own)
        toolbelt = Toolbelt(
            [ReadFile(self.workspace.roots), WriteFile(self.workspace.roots), ListFiles(self.workspace.roots)]
        )
        self._gate = Gate(toolbelt, self.broker)
        surroundings = Surroundings(
            gate=self._gate,
            toolbelt=toolbelt,
            clock=clock,
            limits=Limits(),
            roots=self.workspace.roots,
            rules=self._rules,
            unattended=self.hub.unattended,
            ready=self.hub.drained,
        )
        self.desk = Desk(self.agents, self.trust.mode_for_new_chats, surroundings, self.hub, self._gate.reconsider)
        self.consents = Consents(self.trust, self.hub, self.settings_changed)
        self._answers = Answers(self.broker, self.desk, self.trust, self._gate.reconsider)

    def agents(self) -> Mapping[str, Agent]:
        """The agents that chats can be opened with: the demo, and those of the user's settings that are known here."""
        agents = (agent_from(definition, self._clock, self.workspace.roots) for definition in self.trust.agents())
        return {agent.agent_id: agent for agent in agents if agent is not None}

    def open_chat(self, agent_id: str | None, mode: Mode | None) -> Chat:
        """A new chat, with the agent and mode of the settings where none is named."""
        chat = self.desk.open(agent_id or self.trust.agent_for_new_chats(), mode)
        for sentence in self.trust.diagnostics():
            chat.warn(sentence)
        return chat

    async def answer(
        self, approval_id: ApprovalId, answer: Answer, session_id: SessionId | None, view_id: ViewId | None
    ) -> Accepted:
        """Lets a user's answer count, and carries out what else it says."""
        return await self._answers.take(approval_id, answer, session_id, view_id)

    async def explain(
        self,
        tool: str,
        args: object,
        *,
        agent_id: str | None,
        mode: Mode | None,
        session_id: SessionId | None,
        any_agent: bool = False,
    ) -> Explanation:
        """What would be decided about this call in this chat, or in a new one, and why.

        With `any_agent` it may be an agent that nothing defines; then nothing counts that is bound to a definition.
        """
        chat = self._thought_of(agent_id, any_agent) if session_id is None else self.desk.chat(session_id)
        call_args, fault = parse_arguments("" if args is None else readable_json(args))
        call = ToolCall(CallId(new_id()), tool, call_args)
        return await self._gate.explain(call, self._rules(chat, frozenset({mode or chat.mode})), fault)

    async def rehearse(self, session_id: SessionId) -> Resolution:
        """Shows a card that leads to nothing."""
        return await self.desk.rehearse(session_id, self.broker, next(iter(self.workspace.folders), str(Path.home())))

    def settings_changed(self) -> None:
        """The rules are others now: what waits goes down the ladder again, chats are told what is bypassed."""
        self._gate.reconsider()
        for chat in self.desk.chats():
            chat.tell_grants(bypass_agent=self.trust.bypasses_agent(chat.agent))

    async def folders_changed(self, folders: tuple[str, ...]) -> None:
        """The workspace has other folders now: what waits is looked at again, because paths may lead elsewhere."""
        self.workspace.folders = folders
        self.trust.folder_changed(next(map(Path, folders), None))
        for question in self.broker.waiting():
            await self.broker.refresh(question.approval_id)
        self.settings_changed()

    def nobody_answers(self) -> None:
        """A client turned out to be unable to ask: what waits is decided again, and may now be refused."""
        for question in self.broker.waiting():
            self.broker.end(question.approval_id, Status.REJECTED, ResolvedBy.POLICY, "Nobody can be asked.")

    async def shut_down(self) -> None:
        """Ends every run and everything that waits."""
        await self.desk.shut_down()
        await self._answers.end()

    def _thought_of(self, agent_id: str | None, any_agent: bool) -> Chat:
        """A chat as a new one would be, that nobody sees."""
        name = agent_id or self.trust.agent_for_new_chats()
        digests = {definition.name: definition.digest for definition in self.trust.agents()}
        if name not in digests and not any_agent:
            raise InvalidRequest(f"there is no agent named {name!r}", "params.agent")
        agent = agent_to_think_of(name, digests.get(name, ""))
        session_id = SessionId(new_id())
        return Chat(session_id, agent, self.trust.mode_for_new_chats(), EventLog(session_id, self.hub, self._clock))

    def _rules(self, chat: Chat, modes: frozenset[Mode]) -> Rules:
        held = modes | self.trust.modes_held()
        return Rules(
            mode=tightest(held),
            beside=held,
            enabled=self.trust.enabled(),
            # An agent that is defined otherwise by now is not what a click on a card of this chat would be about.
            bypass_available=self.trust.bypass_available()
            and self.trust.is_current(chat.agent.agent_id, chat.agent.digest),
            bypass_agent=self.trust.bypasses_agent(chat.agent),
            bypass_kept=self.trust.bypass_kept(),
            bypass_session=chat.grants.bypass,
            session_grants=frozenset(chat.grants.tools),
            book=self.trust.rule_book(self.workspace.folders),
            always_allowed=self.trust.always_allowed(),
            confirm_outside_workspace=self.trust.confirm_outside_workspace(),
            own_places=self._own_places,
            home=str(Path.home()),
            roots=self.workspace.folders,
            agent_name=chat.agent.name,
        )
