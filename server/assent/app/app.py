"""The server behind the faces: every object built once and wired. The only place that knows all names."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.well_known import KnownAgent
from assent.agent.chat import Agent, Chat
from assent.agent.gate import Explanation, Gate
from assent.agent.ports import Keeper
from assent.agent.recorder import Recorder
from assent.agent.run import Surroundings
from assent.agent.secrets_in_results import SecretsRule
from assent.app.after_restart import AfterRestart
from assent.app.agents import agents_from
from assent.app.allowed import Allowed
from assent.app.announcements import Announcements
from assent.app.answers import Accepted, Answers, Left
from assent.app.attaching import Attaching
from assent.app.attendance import Attendance
from assent.app.attestation import SAVED, Attested, attest
from assent.app.chat_rules import Bypasses, ChatRules
from assent.app.checkpoints import Checkpoints, InChats
from assent.app.consents import Consents
from assent.app.desk import Desk
from assent.app.ending import Ending
from assent.app.explaining import Explaining
from assent.app.file_hooks import FileHooks
from assent.app.file_names import FileNames
from assent.app.forms import Forms
from assent.app.grounds import Grounds
from assent.app.guest_chats import GuestChats
from assent.app.guests import Guests
from assent.app.history import KeptHistory
from assent.app.hook_notices import HookNotices
from assent.app.hooks import CurrentHooks
from assent.app.hub import Hub, Watcher
from assent.app.instructions import briefing
from assent.app.key_places import key_places
from assent.app.keys import KeyPlace
from assent.app.language import Language
from assent.app.open_chats import OpenChats
from assent.app.permissions import Permissions
from assent.app.picture_takers import why_no_pictures
from assent.app.records import NoRecords, Records
from assent.app.restoring import Restoring
from assent.app.subjects import Subjects
from assent.app.toolbelt import OF_CHATS, tools_of_chats
from assent.app.upkeep import Upkeep, warn
from assent.app.written_files import WrittenFile, written_file
from assent.approvals.broker import Broker
from assent.approvals.timekeeper import Timekeeper
from assent.model.approval import Answer, Resolution
from assent.model.errors import AssentError
from assent.model.ids import ApprovalId, CallId, SessionId, ViewId
from assent.model.modes import Mode
from assent.model.nodes import MCP_TOOL
from assent.runtime.clock import Clock
from assent.runtime.tasks import TaskGroup
from assent.tools.run_subtask import RunSubtask


class App:
    """One server's state. It outlives a page that is reloaded; it ends with the process."""

    def __init__(
        self, clock: Clock, state_directory: Path, own_places: tuple[Path, ...], records: Records | None = None
    ) -> None:
        self.hub = Hub()
        self.broker = Broker(clock)
        self.timekeeper = Timekeeper(self.broker, clock)
        self.broker.watch(self.hub)
        kept = records or NoRecords()
        # The desk comes later.
        self._grounds = Grounds(clock, state_directory, own_places, kept, busy=lambda: self.desk.busy())  # noqa: PLW0108
        self.trust = self._grounds.trust
        self.workspace = self._grounds.workspace
        self.secrets = self._grounds.secrets
        self.keys = self._grounds.keys
        self.models = self._grounds.models
        self.editor = self._grounds.editor
        self._chats = OpenChats(lambda: self.desk)
        self._rules = ChatRules(self._grounds, self._chats)
        self.forms = Forms(self.hub, clock, self._chats.tell)
        self._subjects = Subjects(self._grounds, self._chats, self._rules, self.forms)
        self.commands = self._subjects.commands
        self.history = KeptHistory(state_directory, kept.settle)
        self._recorder = Recorder(kept.journal, clock, self.workspace.first)
        self._build_gate()
        self._build_desk()
        self._build_what_settings_decide()
        self._build_ends()

    def _build_gate(self) -> None:
        """What decides calls, with the tools and hooks that it decides about."""
        grounds, subjects, chats = self._grounds, self._subjects, self._chats
        clock, trust, folders = grounds.clock, grounds.trust, grounds.workspace.open_folders
        hooks = CurrentHooks(grounds.processes, grounds.secrets, lambda: trust.now().hooks, folders, grounds.home)
        self._subtask = RunSubtask(self.workspace.roots)
        self._toolbelt = tools_of_chats(subjects, self._subtask, chats.tell)
        trust.tools = (*self._toolbelt.names, MCP_TOOL)
        self._notices = HookNotices(hooks, clock, chats.find)
        self.broker.watch(self._notices)
        self.hub.also_told = self._notices.happened
        self._gate = Gate(self._toolbelt, self.broker, self._recorder, hooks)
        self.attaching = Attaching(
            folders,
            subjects.files.inside,
            self._rules.now,
            self.editor,
            FileHooks(hooks, chats.find),
            FileNames(clock),
            lambda session_id: why_no_pictures(self.desk.chat(session_id).agent, self.guests.session(session_id)),
        )

    def _build_desk(self) -> None:
        """Chats, with whom they can be held, and what comes and goes with them."""
        grounds, subjects, chats = self._grounds, self._subjects, self._chats
        self.guests = Guests(
            grounds.processes,
            grounds.clock,
            self.workspace.roots_of,
            self.secrets,
            self.commands.shells,
            self._toolbelt.in_chat,
            chats.tell,
            chats.known_as,
            self.trust.why_not_begun,
            self.editor,
            self.forms,
            self._secrets_rule(),
        )
        self.desk = Desk(
            self.agents,
            lambda: self.trust.now().mode_for_new_chats,
            self._surroundings(),
            self.hub,
            self._reconsider,
            self._keeper,
        )
        self._guest_chats = GuestChats(self.desk, self.guests, self.trust)
        self._explaining = Explaining(self._gate, self.desk, grounds, self._rules, self.hub)
        self._announcements = Announcements(self.desk.chats)
        self.attendance = Attendance(self.desk, self.timekeeper)
        in_chats = InChats(chats.why_busy, chats.rest, chats.tell, chats.tell_model, grounds.records.settle)
        rolling = TaskGroup("roll backs")
        self.checkpoints = Checkpoints(subjects.book, self.workspace.roots_of, self.editor, rolling, in_chats)

    def _secrets_rule(self) -> SecretsRule:
        return SecretsRule(lambda: self.trust.now().secrets_reading, lambda: self.secrets.values)

    def _surroundings(self) -> Surroundings:
        return Surroundings(
            gate=self._gate,
            toolbelt=self._toolbelt,
            clock=self._grounds.clock,
            limits=lambda: self.trust.now().limits,
            rules=self._rules.of,
            unattended=self.hub.unattended,
            ready=self.hub.drained,
            briefing=partial(briefing, self._grounds),
            secrets=self._secrets_rule(),
            forms=self.forms,
            streaming=lambda: self.trust.now().streaming,
            handing_on=self._subtask,
            of_chats=OF_CHATS,
        )

    def _build_what_settings_decide(self) -> None:
        """What has to know when settings, grants or folders are others, and what makes them so."""
        self._upkeep = Upkeep(
            gate=self._gate,
            broker=self.broker,
            desk=self.desk,
            hub=self.hub,
            trust=self.trust,
            recorder=self._recorder,
            clock=self._grounds.clock,
            timekeeper=self.timekeeper,
            bypasses=self.bypasses,
            settings_are=self._settings_are,
        )
        changed, recorder = self._upkeep.changed, self._recorder
        self._answers = Answers(self.broker, self.desk, self.trust, recorder, changed)
        self.allowed = Allowed(
            self.desk, self.trust, recorder, self._grounds.clock, bypasses=self.bypasses, changed=changed
        )
        self.language = Language(self.trust, self.allowed, self._toolbelt, lambda: self.workspace.file)
        self.permissions = Permissions(
            self.trust,
            self.allowed,
            self._subjects.sandbox,
            recorder,
            kinds=self.language.kinds,
            changed=changed,
        )

    def _build_ends(self) -> None:
        """How chats go on after the end of a server, and how this one ends."""
        self._restoring = self._restoring_of_chats()
        self._ending = Ending(
            grounds=self._grounds,
            desk=self.desk,
            guests=self.guests,
            attaching=self.attaching,
            subjects=self._subjects,
            notices=self._notices,
            answers=self._answers,
            timekeeper=self.timekeeper,
            upkeep=self._upkeep,
            checkpoints=self.checkpoints,
            restoring=self._restoring,
        )

    def _restoring_of_chats(self) -> Restoring | None:
        records = self._grounds.records
        if records.chats is None:
            return None
        return Restoring(
            records.chats,
            self.desk,
            self.agents,
            records.journal,
            self._grounds.clock,
            AfterRestart(self._subjects, self._rules, self.checkpoints).was_restored,
            self.hub.restored,
            self._announcements.say,
        )

    @property
    def consents(self) -> Consents:
        """The question about settings that would loosen something."""
        return self._upkeep.consents

    def agents(self) -> Mapping[str, Agent]:
        """The agents that chats can be opened with: the demo, and those of the user's settings that are known here."""
        definitions = self.trust.now().agents.values()
        return agents_from(definitions, self._grounds.clock, self.workspace.roots, self.models, self.guests)

    def suggested_agents(self) -> tuple[KnownAgent, ...]:
        """Well-known agents of others. None of them is installed or started by this."""
        return KNOWN_AGENTS

    def key_places(self) -> Iterator[KeyPlace]:
        """Where the keys of the user's own agents are looked for, and of what makes pictures and speech for them."""
        return key_places(self._grounds, self._subjects)

    def open_chat(self, agent_id: str | None, mode: Mode | None) -> Chat:
        """A new chat, with the agent and mode of the settings where none is named."""
        chat = self.desk.open(agent_id or self.trust.agent_for_new_chats(), mode)
        warn(chat, self.trust.diagnostics())
        if self.workspace.own_folder(chat.session_id) is not None and self.workspace.trouble is not None:
            chat.warn(self.workspace.trouble)
        self._announcements.tell()
        return chat

    async def close_chat(self, session_id: SessionId) -> None:
        """Stops and forgets a chat, with everything that runs of it."""
        await self._ending.close_chat(session_id)

    def attend(self, client: Watcher, *, restoring: bool = True) -> None:
        """A client is there and has said who it is: it is told what waits, and everything from now on."""
        self.keys.know(self.key_places())
        self.commands.begin(self._subjects.sandbox.sweep)
        self._upkeep.attend(client)
        self._grounds.records.notices(self._announcements.say)
        if self._restoring is not None and restoring:
            self._restoring.begin(self.workspace.first())

    async def restored(self, session_id: SessionId | None = None) -> None:
        """Returns when the chats of an earlier server are there, or this one; or when it takes too long."""
        if self._restoring is not None:
            await self._restoring.wait(session_id)

    def shown(self, session_id: SessionId, view_id: ViewId, owner: object) -> None:
        """A view of this connection shows a chat."""
        self.attendance.attached(session_id, view_id, owner)
        self.wake(session_id)

    def wake(self, session_id: SessionId) -> None:
        """Somebody looks at a chat: its agent gets ready for the first message."""
        self.desk.get_ready(session_id)
        self._guest_chats.wake(session_id)

    async def choose_for_agent(self, session_id: SessionId, setting_id: str, value: str, *, confirmed: bool) -> None:
        """The user chooses something that the agent of a chat offers. Raises InvalidRequest, or NotConfirmed."""
        await self._guest_chats.choose(session_id, setting_id, value, confirmed=confirmed)

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

    def nobody_answers(self) -> None:
        """A client turned out to be unable to ask: what waits is decided again, and may now be refused."""
        self._answers.nobody_can_be_asked()

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
        return await self._explaining.explain(tool, args, agent_id=agent_id, mode=mode, session_id=session_id)

    async def rehearse(self, session_id: SessionId) -> Resolution:
        """Shows a card that leads to nothing."""
        return await self.desk.rehearse(session_id, self.broker, self.workspace.first() or self._grounds.home)

    async def written_file(self, session_id: SessionId, call_id: CallId) -> WrittenFile:
        """What a call of this chat wrote into its file, and what its run had found there."""
        roots = self.workspace.roots_of(session_id)
        return await written_file(self.desk.chat(session_id), call_id, roots, self.checkpoints)

    def settings_changed(self) -> None:
        """The settings are others now."""
        self.keys.know(self.key_places())
        self._upkeep.changed()

    def folders_changed(self, folders: tuple[str, ...], unreachable: tuple[str, ...] = ()) -> None:
        """The workspace has other folders now."""
        self.workspace.folders, self.workspace.unreachable = folders, unreachable
        self.trust.folders_changed(tuple(map(Path, folders)))
        self._upkeep.changed()

    async def attest(self, file: Path, sha256: str, entries: Sequence[Attested]) -> int:
        """The user saved this file by hand: what changed in it counts as agreed to. Says how many entries that are."""
        agreed = await attest(self.trust, self.workspace.file, file, sha256, entries)
        self._upkeep.agreed(agreed, SAVED)
        self._upkeep.changed()
        return len(agreed)

    def bypasses(self, chat: Chat) -> Bypasses:
        """What of this chat runs without asking now: by the settings, or by a click in it."""
        return self._rules.bypasses(chat)

    async def shut_down(self) -> None:
        """Ends every run and everything that waits."""
        await self._ending.shut_down()

    def end_programs(self) -> None:
        """Kills what still runs, and lets nothing more start. Any thread may call."""
        self._grounds.processes.end_all()

    def _keeper(self, session_id: SessionId, agent: Agent, mode: Mode) -> Keeper:
        return self._grounds.records.keeper(session_id, agent, mode, self.workspace.first())

    def _settings_are(self) -> None:
        self._subjects.nodes.look()
        self.language.settings_are()

    def _reconsider(self) -> None:
        self._upkeep.reconsider()
