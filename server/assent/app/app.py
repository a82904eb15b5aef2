"""The server behind the faces: every object built once and wired. The only place that knows all names."""

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.well_known import KnownAgent
from assent.agent.arguments import parse_arguments
from assent.agent.chat import Agent, Chat
from assent.agent.eventlog import NO_RUN, EventLog
from assent.agent.gate import Explanation, Gate
from assent.agent.history import History
from assent.agent.nowhere import NoKeeper
from assent.agent.ports import Keeper
from assent.agent.prompt import Briefing
from assent.agent.recorder import Recorder
from assent.agent.run import Surroundings
from assent.app.agents import agent_from, agent_to_think_of
from assent.app.allowed import Allowed
from assent.app.announcements import Announcements
from assent.app.answers import Accepted, Answers, Left
from assent.app.attendance import Attendance
from assent.app.attestation import Attested, attested_entries
from assent.app.browsers import Browsers
from assent.app.chat_files import ChatFiles
from assent.app.checkpoints import Checkpoints, InChats
from assent.app.collections import Collections
from assent.app.commands import Commands
from assent.app.consents import Consents
from assent.app.desk import Desk
from assent.app.editor import Editor
from assent.app.guests import Guests, last_state, without_its_agent
from assent.app.history import KeptHistory
from assent.app.hook_notices import HookNotices
from assent.app.hooks import CurrentHooks
from assent.app.hub import Hub, Watcher
from assent.app.instructions import instructions_of, machine
from assent.app.keys import KeyPlace, Keys
from assent.app.language import Language
from assent.app.media_makers import MediaMakers
from assent.app.model_servers import ModelServers
from assent.app.nodes import Nodes
from assent.app.records import NoRecords, Records
from assent.app.restoring import Restoring
from assent.app.searching import Searching
from assent.app.toolbelt import OF_CHATS, Subjects, tools_of_chats
from assent.app.trust import Trust
from assent.app.upkeep import Bypasses, Upkeep, warn
from assent.app.web import Web
from assent.approvals.broker import Broker
from assent.approvals.timekeeper import Timekeeper
from assent.checkpoints.book import Book
from assent.checkpoints.shelf import Shelf
from assent.jsontext import readable_json
from assent.model.approval import Answer, Resolution, ResolvedBy, Status
from assent.model.calls import ToolCall
from assent.model.conversation import UserText
from assent.model.errors import AssentError, InvalidRequest, ProviderFault
from assent.model.events import Event
from assent.model.ids import ApprovalId, CallId, RunId, SessionId, ViewId
from assent.model.modes import Mode, tightest
from assent.model.nodes import MCP_TOOL
from assent.policy.decide import Rules
from assent.policy.granting import with_grant
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id
from assent.runtime.processes import Processes
from assent.runtime.tasks import TaskGroup
from assent.sandbox.sandbox import Sandbox
from assent.settings.model_definitions import REMOTE
from assent.shells.written import Written
from assent.tools.bash import Runner
from assent.tools.run_subtask import RunSubtask


@dataclass(slots=True)
class Workspace:
    """The folders that the client has open, and those that the settings add to them."""

    further: Callable[[], tuple[str, ...]]
    folders: tuple[str, ...] = ()
    file: Path | None = None
    """The settings file of a workspace of several folders, where the editor has one open."""

    def roots(self) -> tuple[str, ...]:
        """All that counts as inside, first the folder that relative paths start from."""
        return (*self.folders, *self.further())


class App:
    """One server's state. It outlives a page that is reloaded; it ends with the process."""

    def __init__(
        self, clock: Clock, state_directory: Path, own_places: tuple[Path, ...], records: Records | None = None
    ) -> None:
        self.hub = Hub()
        self.broker = Broker(clock)
        self.timekeeper = Timekeeper(self.broker, clock)
        self.broker.watch(self.hub)
        self.trust = Trust(state_directory, busy=lambda: self.desk.busy())  # noqa: PLW0108 - the desk comes later
        self.workspace = Workspace(lambda: self.trust.now().additional_directories)
        self.editor_ripgrep: str | None = None
        """Where the editor says that it has a program for searching."""
        self._clock = clock
        # The process too: its environment and its open files are nobody's business.
        own = (state_directory, *own_places, Path("/proc/self"))
        self._own_places = tuple(str(place.resolve()) for place in own)
        self._home = str(Path.home())
        self._processes = Processes()
        self._records: Records = records or NoRecords()
        self.secrets = self._records.secrets
        self.keys = Keys(os.environ, self.secrets)
        self.models = ModelServers(self.keys, clock)
        self.editor = Editor()
        self._writes = TaskGroup("writes")
        roots = self.workspace.roots
        book = Book(Shelf(state_directory / "checkpoints", self.secrets), clock, self._writing_as)
        in_chats = InChats(self._why_busy, self._rest, self._tell, self._tell_model, self._records.settle)
        self.checkpoints = Checkpoints(book, roots, self.editor, TaskGroup("roll backs"), in_chats)
        self.commands = Commands(self._processes, clock, lambda: self.trust.now().shell, self._chat_of)
        hidden = (str(state_directory),)
        self.sandbox = Sandbox(self._processes, home=self._home, hidden=hidden, read_only=())
        runner = Runner(
            self.commands.shells,
            self.sandbox,
            Written(),
            limits=lambda: self.trust.now().shell,
            choice=lambda: self.trust.now().sandbox,
        )
        subtask = RunSubtask(roots)
        self._media = MediaMakers(self.keys, self._processes, self.trust.now)
        self._web = Web(
            self.keys,
            self.trust.now,
            lambda visitor: Browsers(self._processes, visitor, roots, self.commands, self._rules_of),
        )
        searching = Searching(self._processes, self._rules_of, os.environ, lambda: self.editor_ripgrep)
        self.collections = Collections(
            state_directory,
            lambda: self.workspace.folders,
            lambda: self.trust.now().collections,
            lambda: self.secrets.values,
            self._rules_of,
        )
        self.nodes = Nodes(
            self._processes, clock, roots, self.secrets, lambda: self.trust.now().mcp_servers, self.editor.nodes
        )
        files = ChatFiles(roots, self.commands, self.editor, book, runner.written, self._writes)
        subjects = Subjects(
            files=files,
            runner=runner,
            commands=self.commands,
            editor=self.editor,
            web=self._web,
            media=self._media,
            searching=searching,
            collections=self.collections,
            nodes=self.nodes,
            workflows=self._records.workflows,
        )
        toolbelt = tools_of_chats(subjects, subtask, self._tell)
        self.guests = Guests(
            self._processes,
            clock,
            roots,
            self.secrets,
            self.commands.shells,
            toolbelt.in_chat,
            self._tell,
            self._known_as,
            self.trust.why_not_begun,
            self.editor,
        )
        self.trust.tools = (*toolbelt.names, MCP_TOOL)
        self.history = KeptHistory(state_directory, self._records.settle)
        recorder = Recorder(self._records.journal, clock, self._folder)
        hooks = CurrentHooks(
            self._processes, self.secrets, lambda: self.trust.now().hooks, lambda: self.workspace.folders, self._home
        )
        self._notices = HookNotices(hooks, clock, self._chat_of)
        self.broker.watch(self._notices)
        self.hub.also_told = self._notices.happened
        self._gate = Gate(toolbelt, self.broker, recorder, hooks)
        surroundings = Surroundings(
            gate=self._gate,
            toolbelt=toolbelt,
            clock=clock,
            limits=lambda: self.trust.now().limits,
            rules=self._rules,
            unattended=self.hub.unattended,
            ready=self.hub.drained,
            briefing=self._briefing,
            streaming=lambda: self.trust.now().streaming,
            handing_on=subtask,
            of_chats=OF_CHATS,
        )
        self.desk = Desk(
            self.agents,
            lambda: self.trust.now().mode_for_new_chats,
            surroundings,
            self.hub,
            self._reconsider,
            self._keeper,
        )
        self._upkeep = Upkeep(
            gate=self._gate,
            broker=self.broker,
            desk=self.desk,
            hub=self.hub,
            trust=self.trust,
            clock=clock,
            timekeeper=self.timekeeper,
            bypasses=self.bypasses,
            settings_are=self._settings_are,
        )
        self.attendance = Attendance(self.desk, self.timekeeper)
        self._answers = Answers(self.broker, self.desk, self.trust, recorder, self._upkeep.changed)
        self.allowed = Allowed(
            self.desk, self.trust, recorder, clock, bypasses=self.bypasses, changed=self._upkeep.changed
        )
        self.language = Language(self.trust, self.allowed, toolbelt, lambda: self.workspace.file)
        self._announcements = Announcements(self.desk.chats)
        chats, journal = self._records.chats, self._records.journal
        self._restoring = (
            Restoring(
                chats,
                self.desk,
                self.agents,
                journal,
                clock,
                self._was_restored,
                self.hub.restored,
                self._announcements.say,
            )
            if chats is not None
            else None
        )

    @property
    def consents(self) -> Consents:
        """The question about settings that would loosen something."""
        return self._upkeep.consents

    def agents(self) -> Mapping[str, Agent]:
        """The agents that chats can be opened with: the demo, and those of the user's settings that are known here."""
        agents = (
            agent_from(definition, self._clock, self.workspace.roots, self.models, self.guests)
            for definition in self.trust.now().agents.values()
        )
        return {agent.agent_id: agent for agent in agents if agent is not None}

    def suggested_agents(self) -> tuple[KnownAgent, ...]:
        """Well-known agents of others. None of them is installed or started by this."""
        return KNOWN_AGENTS

    def key_places(self) -> Iterator[KeyPlace]:
        """Where the keys of the user's own agents are looked for, and of what makes pictures and speech for them."""
        for definition in self.trust.now().agents.values():
            if definition.of_user and definition.definition.get("provider") in REMOTE:
                with suppress(ProviderFault):
                    yield self.models.key_place(definition)
        yield from self._media.key_places()
        yield from self._web.key_places()

    def open_chat(self, agent_id: str | None, mode: Mode | None) -> Chat:
        """A new chat, with the agent and mode of the settings where none is named."""
        chat = self.desk.open(agent_id or self.trust.agent_for_new_chats(), mode)
        warn(chat, self.trust.diagnostics())
        self._announcements.tell()
        return chat

    def attend(self, client: Watcher, *, restoring: bool = True) -> None:
        """A client is there and has said who it is: it is told what waits, and everything from now on."""
        self.keys.know(self.key_places())
        self.commands.begin(self.sandbox.sweep)
        self._upkeep.attend(client)
        self._records.notices(self._announcements.say)
        if self._restoring is not None and restoring:
            self._restoring.begin(self._folder())

    async def restored(self, session_id: SessionId | None = None) -> None:
        """Returns when the chats of an earlier server are there, or this one; or when it takes too long."""
        if self._restoring is not None:
            await self._restoring.wait(session_id)

    async def answer(
        self, approval_id: ApprovalId, answer: Answer, session_id: SessionId | None, view_id: ViewId | None
    ) -> Accepted:
        """Lets a user's answer count, and carries out what else it says."""
        return await self._answers.take(approval_id, answer, session_id, view_id)

    async def answer_together(
        self, answers: Sequence[tuple[ApprovalId, Answer]], view_id: ViewId | None
    ) -> tuple[Accepted | Left | AssentError, ...]:
        """Lets one answer to several calls count for each, as far as it does."""
        return await self._answers.take_together(answers, view_id)

    async def explain(
        self,
        tool: str,
        args: object,
        *,
        agent_id: str | None,
        mode: Mode | None,
        session_id: SessionId | None,
    ) -> Explanation:
        """What would be decided about this call in this chat, or in a new one, and why."""
        chat = self._thought_of(agent_id) if session_id is None else self.desk.chat(session_id)
        call_args, fault = parse_arguments("" if args is None else readable_json(args))
        call = ToolCall(CallId(new_id()), tool, call_args)
        return await self._gate.explain(call, self._rules(chat, frozenset({mode or chat.mode})), fault, session_id)

    async def rehearse(self, session_id: SessionId) -> Resolution:
        """Shows a card that leads to nothing."""
        return await self.desk.rehearse(session_id, self.broker, next(iter(self.workspace.folders), self._home))

    def settings_changed(self) -> None:
        """The settings are others now."""
        self.keys.know(self.key_places())
        self._upkeep.changed()

    def folders_changed(self, folders: tuple[str, ...]) -> None:
        """The workspace has other folders now."""
        self.workspace.folders = folders
        self.trust.folders_changed(tuple(map(Path, folders)))
        self._upkeep.changed()

    async def attest(self, file: Path, sha256: str, entries: Sequence[Attested]) -> int:
        """The user saved this file by hand: what changed in it counts as agreed to. Says how many entries that are."""
        if self.trust.untrusted:
            raise InvalidRequest("this workspace is not trusted, so nothing in it can be agreed to")
        agreed = attested_entries(self.trust, self.workspace.file, file, sha256, entries)
        error = await asyncio.to_thread(self.trust.to_keep(agreed, ())) if agreed else None
        if error is not None:
            raise InvalidRequest(error, "params.file")
        self._upkeep.changed()
        return len(agreed)

    def bypasses(self, chat: Chat) -> Bypasses:
        """What of this chat runs without asking now: by the settings, or by a click in it."""
        rules = self._rules(chat, frozenset({chat.mode}))
        return Bypasses(
            agent=rules.bypass_agent and rules.bypass_available,
            chat=(rules.bypass_session or chat.grants.bypass) and rules.bypass_available,
        )

    def nobody_answers(self) -> None:
        """A client turned out to be unable to ask: what waits is decided again, and may now be refused."""
        for question in self.broker.waiting():
            self.broker.end(question.approval_id, Status.REJECTED, ResolvedBy.POLICY, "Nobody can be asked.")

    async def shut_down(self) -> None:
        """Ends every run and everything that waits."""
        if self._restoring is not None:
            await self._restoring.end()
        await self.desk.shut_down()
        await self._notices.end()
        await self.guests.end()
        await self._writes.cancel()
        await self.collections.end()
        await self.nodes.end()
        await self._web.browsers.end()
        await self.commands.end()
        self.end_programs()
        await self.models.end()
        await self._answers.end()
        await self.timekeeper.end()
        await self._upkeep.end()
        self.checkpoints.server_ends()
        await self._records.end()
        # The last, because it may take all the time that is left.
        await self.checkpoints.end()

    def end_programs(self) -> None:
        """Kills what still runs, and lets nothing more start. Any thread may call."""
        self._processes.end_all()

    async def close_chat(self, session_id: SessionId) -> None:
        """Stops and forgets a chat, with everything that runs of it."""
        await self.desk.close(session_id)
        await self.guests.close(session_id)
        await self._web.browsers.close(session_id)
        await self.commands.close(session_id)

    def _rules_of(self, session_id: SessionId) -> Rules | None:
        chat = self._chat_of(session_id)
        return self._rules(chat, frozenset({chat.mode})) if chat is not None else None

    def _chat_of(self, session_id: SessionId) -> Chat | None:
        return self.desk.chat(session_id) if self.desk.has(session_id) else None

    def _why_busy(self, session_id: SessionId) -> str | None:
        return self.desk.why_busy(session_id)

    def _rest(self, session_id: SessionId) -> AbstractAsyncContextManager[None]:
        return self.desk.rest(session_id) if self.desk.has(session_id) else nullcontext()

    def _tell_model(self, session_id: SessionId, text: str) -> None:
        chat = self._chat_of(session_id)
        if chat is not None:
            chat.history.append(UserText(text, by_user=False))

    def _writing_as(self, session_id: SessionId) -> str:
        """As part of what a chat writes now: a run, or the calls that were asked for anew after a restart."""
        return self.desk.run_of(session_id) or f"{session_id} again"

    def _tell(self, session_id: SessionId, event: Event, run_id: RunId = NO_RUN) -> None:
        """Something happened in a chat that may be closed by now."""
        chat = self._chat_of(session_id)
        if chat is not None:
            chat.events.add(event, run_id)

    def shown(self, session_id: SessionId, view_id: ViewId, owner: object) -> None:
        """A view of this connection shows a chat."""
        self.attendance.attached(session_id, view_id, owner)
        self.wake(session_id)

    def wake(self, session_id: SessionId) -> None:
        """Somebody looks at a chat: what an agent of others offers can be seen before it is talked to."""
        chat, now = self.desk.chat(session_id), self.trust.now()
        if chat.agent.guest is not None and not chat.history and now.enabled and self.trust.is_current(now, chat.agent):
            chat.agent.guest(session_id).wake(chat.mode)

    async def choose_for_agent(self, session_id: SessionId, setting_id: str, value: str, *, confirmed: bool) -> None:
        """The user chooses something that the agent of a chat offers. Raises InvalidRequest, or NotConfirmed."""
        chat = self.desk.chat(session_id)
        guest = self.guests.session(session_id)
        if guest is None:
            name = chat.agent.name
            words = f"{name} has not begun to work in this chat: send it a message first, then it can be set otherwise"
            raise InvalidRequest(words, "params.sessionId")
        await guest.choose(setting_id, value, confirmed=confirmed)

    def _known_as(self, session_id: SessionId) -> str | None:
        """The id by which an agent of others knew this chat last. One in which nothing was said is not looked for."""
        chat = self._chat_of(session_id)
        state = last_state(chat) if chat is not None and chat.history else None
        return state.session if state is not None else None

    def _folder(self) -> str:
        """The folder that relative paths start from: chats and the history name it."""
        return next(iter(self.workspace.folders), "")

    async def _briefing(self) -> Briefing:
        """What a model is told of where it works. A workspace that is not trusted tells it nothing."""
        folders = () if self.trust.untrusted else self.workspace.folders
        return Briefing(self.workspace.roots(), machine(), await asyncio.to_thread(instructions_of, folders))

    def _keeper(self, session_id: SessionId, agent: Agent, mode: Mode) -> Keeper:
        return self._records.keeper(session_id, agent, mode, self._folder())

    def _was_restored(self, chat: Chat) -> None:
        # Its server may have been killed with a browser's profile, or a command's files, left behind.
        self.commands.tidy()
        # The machine may be another one than when the chat was left, or another configuration of it.
        self.sandbox.forget()
        on = self.bypasses(chat)
        chat.tell_grants(bypass_agent=on.agent, bypass_chat=on.chat)
        without_its_agent(chat)
        self.checkpoints.go_on(chat.session_id)

    def _settings_are(self) -> None:
        self.nodes.look()
        self.language.settings_are()

    def _reconsider(self) -> None:
        self._upkeep.reconsider()

    def _thought_of(self, agent_id: str | None) -> Chat:
        """A chat as a new one would be, that nobody sees."""
        name = agent_id or self.trust.agent_for_new_chats()
        definition = self.trust.now().agents.get(name)
        if definition is None:
            raise InvalidRequest(f"there is no agent named {name!r}", "params.agent")
        agent = agent_to_think_of(name, definition.digest)
        session_id = SessionId(new_id())
        mode, keeper = self.trust.now().mode_for_new_chats, NoKeeper()
        return Chat(
            session_id, agent, mode, EventLog(session_id, self.hub, self._clock, keeper), History(keeper), keeper
        )

    def _rules(self, chat: Chat, modes: frozenset[Mode]) -> Rules:
        now, trust = self.trust.now(), self.trust
        held = modes | {now.mode_ceiling} if now.mode_ceiling else modes
        # An agent that is defined otherwise by now is not what a click on a card of this chat would be about.
        current = trust.is_current(now, chat.agent)
        base = Rules(
            mode=tightest(held),
            beside=held,
            matrix_overrides=now.matrix_overrides,
            enabled=now.enabled,
            bypass_available=now.bypass_available and current,
            bypass_agent=trust.bypasses(now, chat.agent),
            bypass_kept=trust.storing.bypass_kept(now),
            rules_kept=trust.storing.kept(now),
            session_grants_offered=now.session_grants,
            book=trust.rule_book(now, self.workspace.folders),
            always_allowed=now.rules.always_allowed,
            sandbox_auto=now.sandbox.auto_allow,
            confirm_outside_workspace=now.confirm_outside_workspace,
            own_places=self._own_places,
            secrets=self.secrets.values,
            home=self._home,
            named_by_commands=now.named_files,
            roots=(*self.workspace.folders, *now.additional_directories),
            agent_name=chat.agent.name,
        )
        if chat.grants.held:
            chat.grants.held = [one for one in chat.grants.held if trust.still_held(now, one, chat.agent)]
        return reduce(with_grant, chat.grants.all, base)
