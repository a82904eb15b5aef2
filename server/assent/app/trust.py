"""What the user trusts at this moment: the settings as they count now, and what of them waits for a word."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from assent.agent.chat import Agent
from assent.agent.grants import Held
from assent.app.newcomers import Newcomers
from assent.app.scopes import Scopes
from assent.app.storing import Storing, Write
from assent.model.grants import AgentBypass, Grant, RuleGrant, ToolGrant
from assent.model.json import Json, JsonObject
from assent.model.modes import Mode
from assent.model.secrets_reading import SecretsReading
from assent.policy.granting import rule_of
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Rule
from assent.settings.agents import AgentDefinition
from assent.settings.effective import UNKNOWN_RESTRICTIONS, Effective
from assent.settings.faults import SettingsFault
from assent.settings.hook_names import unheard_of
from assent.settings.hooks import without_permissions
from assent.settings.kept_answers import KeptAnswer
from assent.settings.language.drafts import Around
from assent.settings.layers import Diagnostic, Origin, Scope
from assent.settings.limits import no_larger_than_usual
from assent.settings.live import LiveSettings
from assent.settings.loosening import LooseningEntry
from assent.settings.rule_entries import RuleSettings, restrictions_of
from assent.settings.sandbox import no_looser_sandbox_than_usual
from assent.settings.shell_limits import no_more_than_usual
from assent.settings.store import (
    Stored,
)
from assent.settings.timeouts import no_looser_than_usual

DEMO = "Demo"
_ELSEWHERE: "JsonObject" = {"provider": "another program"}


class Trust:
    """Answers from the live settings. What was clicked counts in its chat until the settings that store it decide."""

    def __init__(self, state_directory: Path, busy: Callable[[], bool] = lambda: False) -> None:
        self._state_directory = state_directory
        self._busy = busy
        self._builtin: dict[str, JsonObject] = {DEMO: {"provider": "demo"}}
        self._scopes: Scopes | None = None
        self._in_doubt = False
        self._restricted: tuple[Effective, Effective] | None = None
        self._frozen: Effective | None = None
        self._book = RuleBook()
        self._book_roots: tuple[str, ...] = ()
        self._newcomers = Newcomers()
        self.storing = Storing(lambda: self._live, self.now, self._newcomers)
        self.tools: tuple[str, ...] = ()
        """The names of all tools, for those who write rules."""
        self._workspace_file: Path | None = None
        self._live = LiveSettings(folders=(), state_dir=state_directory, builtin_agents=self._builtin)

    def add_scripted_agent(self, name: str, script: Path) -> None:
        """An agent that whoever started the server named on the command line."""
        self._builtin[name] = {"provider": "scripted", "script": str(script)}

    def think_of_agent(self, name: str) -> None:
        """An agent that another program may bring: known by its name only, from the next meeting on."""
        self._builtin.setdefault(name, _ELSEWHERE)

    def think_of_agents_no_more(self) -> None:
        """Forgets those, from the next meeting on."""
        self._builtin = {name: definition for name, definition in self._builtin.items() if definition is not _ELSEWHERE}

    def meet(
        self,
        folders: tuple[Path, ...],
        scopes: Scopes | None,
        *,
        trusted: bool | None,
        write: Write | None,
        workspace_file: Path | None = None,
    ) -> None:
        """A client is there: these are its folders, its settings, its word on the workspace, its way to write."""
        self._in_doubt = False
        self._workspace_file = workspace_file
        self._meet(folders, scopes, trusted=trusted, write=write)

    def _meet(
        self, folders: tuple[Path, ...], scopes: Scopes | None, *, trusted: bool | None, write: Write | None
    ) -> None:
        self._live = self._made(folders)
        self._live.trusted = trusted
        self._live.withheld = self._newcomers.withheld
        self._scopes = scopes
        self._live.client_settings(scopes.blocks() if scopes is not None else None)
        self.storing.write = write

    def folders_changed(self, folders: tuple[Path, ...]) -> None:
        """The workspace has other folders: their own files and consents count from now on."""
        if folders != self._live.folders:
            self._meet(folders, self._scopes, trusted=self._live.trusted, write=self.storing.write)

    def settings_changed(self, scopes: Scopes | None, *, trusted: bool | None = None) -> None:
        """The client told its settings anew; None where it only said that something changed."""
        if trusted is not None:
            self._live.trusted = trusted
        if scopes is None:
            return
        before = self._scopes.user if self._scopes is not None else None
        if scopes.user is not None:
            # What made no sense may have been the user's: only when that is told again, it is known.
            self._in_doubt = False
        self._scopes = scopes.over(self._scopes)
        if self._scopes.user != before:
            self._weigh_newcomers(before, self._scopes.user)
        self._live.client_settings(self._scopes.blocks())

    def settings_unreadable(self) -> None:
        """The client told settings that make no sense: the last ones restrict as before, and permit nothing."""
        self._in_doubt = True

    @contextmanager
    def still(self) -> Iterator[None]:
        """For as long as nobody else gets a turn, the settings are read once."""
        outer, self._frozen = self._frozen, self.now()
        try:
            yield
        finally:
            self._frozen = outer

    def now(self) -> Effective:
        """The settings as they count now."""
        if self._frozen is not None:
            return self._frozen
        known = self._live.now()
        if not self._in_doubt:
            return known
        if self._restricted is None or self._restricted[0] is not known:
            self._restricted = (known, _permitting_nothing(known))
        return self._restricted[1]

    def additional_directories(self) -> tuple[str, ...]:
        """Further folders that count as inside now."""
        if self._frozen is not None or self._in_doubt:
            return self.now().additional_directories
        return self._live.additional_directories()

    @property
    def state(self) -> object:
        """Equal as long as nothing changed that the settings depend on."""
        return self._live.state

    @property
    def untrusted(self) -> bool:
        """Whether the editor says that its user does not trust this workspace."""
        return self._live.trusted is False

    @property
    def folders(self) -> tuple[Path, ...]:
        """The workspace's folders, the first of them being the one whose settings are the workspace's."""
        return self._live.folders

    def agent_for_new_chats(self) -> str:
        """The agent of a chat for which none is named."""
        return self.now().agent_for_new_chats or DEMO

    def rule_book(self, now: Effective, roots: tuple[str, ...]) -> RuleBook:
        """The deny, ask and allow rules of these settings; built anew only when they or the folders changed."""
        rules = now.rules.rules
        if (rules, roots) != (self._book.rules, self._book_roots):
            self._book, self._book_roots = RuleBook(rules, roots, str(Path.home())), roots
        return self._book

    def is_current(self, now: Effective, agent: Agent) -> bool:
        """Whether an agent is still defined as it was when it was taken from the settings."""
        known = now.agents.get(agent.agent_id)
        return known is not None and known.digest == agent.digest

    def why_not_begun(self, definition: AgentDefinition) -> str | None:
        """Why an agent of others may not be started at this moment, though a chat is held with it; None: it may."""
        now = self.now()
        if not now.enabled:
            return "Assent is switched off"
        known = now.agents.get(definition.name)
        if known is None or known.digest != definition.digest:
            return "its definition has changed since, or does not count any more"
        return None

    def bypasses(self, now: Effective, agent: Agent) -> bool:
        """Whether the settings let this agent's calls run. Trust in a later definition is not meant for it."""
        return now.bypass(agent.agent_id).on and self.is_current(now, agent)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the owner of the settings should know."""
        # What is wrong with a rule is wrong in every folder.
        now = self.now()
        faults = self.rule_book(now, self._book_roots).faults
        unheard = unheard_of(now.hooks, self.tools) if self.tools else ()
        return (*self._live.diagnostics(), *map(Diagnostic, (*faults, *unheard)))

    def remarks(self) -> tuple[Diagnostic, ...]:
        """What is worth a line beside the settings themselves."""
        return self._live.remarks(self.tools)

    def around_drafts(self) -> Around:
        """What settings files that are being edited are looked at with."""
        return self._live.around()

    # ---- what was clicked

    def hold(self, grant: ToolGrant | RuleGrant | AgentBypass) -> Held:
        """A lasting grant as it counts in its chat from the click on."""
        since = self.now().bypass(grant.agent).origin if isinstance(grant, AgentBypass) else None
        return Held(grant, since)

    def still_held(self, now: Effective, held: Held, agent: Agent) -> bool:
        """Whether a click still counts by itself. Where the settings say the same, they decide from now on."""
        match held.grant:
            case AgentBypass(name):
                said = now.bypass(name)
                switched_off_since = said.origin is not None and said.origin != held.since
                return not (said.on or switched_off_since) and self.is_current(now, agent)
            case ToolGrant(tool):
                return tool not in now.rules.always_allowed
            case RuleGrant():
                wanted = rule_of(held.grant)
                return not any(_same_rule(rule, wanted) for rule in now.rules.rules)

    async def store(self, grant: Grant) -> Stored:
        """Writes what was clicked into the settings, together with the record of the user's consent."""
        return await self.storing.store(grant)

    # ---- what waits for the user's word

    def awaiting(self) -> tuple[LooseningEntry, ...]:
        """What the settings would loosen, if the user agreed to it."""
        return self.storing.settled((*self._live.awaiting(), *self._newcomers.waiting))

    def workspace_name(self) -> str:
        """The folders whose settings these are, for people."""
        return ", ".join(map(str, self._live.folders))

    def to_keep(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> Callable[[], str | None]:
        """What records what the user agreed to and what not, for the folders of this moment. To be run in a thread."""
        answers = self._live.answers(*([one for one in part if not _is_of_user(one)] for part in (agreed, refused)))
        ledger = self._live.ledger

        def keep() -> str | None:
            try:
                ledger.record(answers)
            except SettingsFault as fault:
                return str(fault)
            return None

        return keep

    def was_kept(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> None:
        """What of the user's own settings waited for a word has it now."""
        self._newcomers.answered(filter(_is_of_user, agreed), filter(_is_of_user, refused))
        self._live.withheld = self._newcomers.withheld

    def attested(self, key: str, before: Json, after: Json, folder: Path | None) -> tuple[LooseningEntry, ...]:
        """What a change of one setting of the workspace by the user's own hand would loosen."""
        return self._live.attested(key, before, after, str(folder) if folder is not None else None)

    # ---- what is looked at

    def place_of(self, key: str) -> Origin | None:
        """Where a setting is said, the most specific place; None where nobody says it."""
        return self._live.place_of(key)

    def place_of_mode(self) -> Origin | None:
        """Where the mode is said that new chats start in."""
        return self._live.place_of_mode()

    def kept_answers(self) -> tuple[KeptAnswer, ...]:
        """What the user answered about the settings of these folders, until now."""
        return self._live.kept_answers()

    def to_forget(self, answer: KeptAnswer) -> Callable[[], str | None]:
        """What forgets such an answer, and says what went wrong. To be run in a thread."""
        ledger = self._live.ledger

        def forget() -> str | None:
            try:
                ledger.revoke(answer.folder, answer.record.consent.setting, answer.record.consent.entry)
            except SettingsFault as fault:
                return str(fault)
            return None

        return forget

    def _weigh_newcomers(self, before: JsonObject | None, after: JsonObject | None) -> None:
        """A permission that appears in the user's settings while an agent works may be the agent's doing."""
        # Beside the strictest mode, every other one is an entry.
        there = {entry.consent for entry in self._live.appeared_in_user({"mode": Mode.PLAN.value}, after)}
        appeared = self._live.appeared_in_user(before, after) if self._busy() else ()
        self._newcomers.weigh(appeared, there)
        self._live.withheld = self._newcomers.withheld

    def _made(self, folders: tuple[Path, ...]) -> LiveSettings:
        return LiveSettings(
            folders=folders,
            workspace_file=self._workspace_file,
            state_dir=self._state_directory,
            builtin_agents=self._builtin,
            earlier=self._live,
        )


def _is_of_user(entry: LooseningEntry) -> bool:
    return entry.origin.scope is Scope.USER


def _same_rule(rule: Rule, wanted: Rule) -> bool:
    return (rule.effect, rule.tool, rule.pattern, rule.agents) == (
        wanted.effect,
        wanted.tool,
        wanted.pattern,
        wanted.agents,
    )


def _permitting_nothing(known: Effective) -> Effective:
    """What counts of these settings while nobody can tell what they should say."""
    return replace(
        known,
        mode_ceiling=Mode.ASK if known.mode_ceiling is None else known.mode_ceiling,
        no_bypass=UNKNOWN_RESTRICTIONS,
        confirm_outside_workspace=True,
        session_grants=False,
        additional_directories=(),
        collections=(),
        matrix_overrides={},
        rules=RuleSettings(restrictions_of(known.rules.rules), in_doubt=True),
        allowance=no_looser_than_usual(known.allowance),
        limits=no_larger_than_usual(known.limits),
        # The usual one is the strictest.
        secrets_reading=SecretsReading.MASK,
        shell=no_more_than_usual(known.shell),
        sandbox=no_looser_sandbox_than_usual(known.sandbox),
        hooks=without_permissions(known.hooks),
        awaiting=(),
    )
