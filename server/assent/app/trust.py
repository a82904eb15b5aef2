"""What the user trusts at this moment: the settings as they count now, and what was clicked and is not stored yet."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assent.agent.chat import Agent
from assent.model.json import Json, JsonObject
from assent.model.modes import Mode
from assent.policy.options import Kept
from assent.policy.rules.book import RuleBook
from assent.settings.agents import AgentDefinition
from assent.settings.effective import Effective, WriteTarget
from assent.settings.faults import SettingsFault
from assent.settings.layers import Origin
from assent.settings.live import LiveSettings
from assent.settings.loosening import LooseningEntry
from assent.settings.rule_entries import restrictions_of
from assent.settings.store import (
    Change,
    ClientWrite,
    Stored,
    Surroundings,
    begin_store,
    bypass_change,
    finish_store,
    obstacle,
)

DEMO = "Demo"

Write = Callable[[ClientWrite], Awaitable[Stored]]
"""Asks the client to write an entry of a setting, and says what became of it."""


@dataclass(frozen=True, slots=True)
class Scopes:
    """Settings by scope, as a client tells them."""

    user: JsonObject | None = None
    workspace: JsonObject | None = None
    folder: JsonObject | None = None

    def over(self, earlier: "Scopes | None") -> "Scopes":
        """These scopes, and what was told earlier of those that they leave out: silence takes no restriction back."""
        if earlier is None:
            return self
        return Scopes(
            self.user if self.user is not None else earlier.user,
            self.workspace if self.workspace is not None else earlier.workspace,
            self.folder if self.folder is not None else earlier.folder,
        )

    def blocks(self) -> dict[str, Json]:
        """The scopes as the settings layer reads them."""
        return {"user": self.user, "workspace": self.workspace, "folder": self.folder}


@dataclass(frozen=True, slots=True)
class _Click:
    """A bypass that was clicked: for the agent as it was defined then, after what the settings said then."""

    digest: str | None
    origin: Origin | None


class Trust:
    """Answers from the live settings. A bypass counts from the click on, whether or not storing it works."""

    def __init__(self, state_directory: Path) -> None:
        self._state_directory = state_directory
        self._builtin: dict[str, JsonObject] = {DEMO: {"provider": "demo"}}
        self._clicked: dict[str, _Click] = {}
        self._write: Write | None = None
        self._scopes: Scopes | None = None
        self._in_doubt = False
        self._book = RuleBook()
        self._book_roots: tuple[str, ...] = ()
        self._live = self._made(None)

    def add_scripted_agent(self, name: str, script: Path) -> None:
        """An agent that whoever started the server named on the command line."""
        self._builtin[name] = {"provider": "scripted", "script": str(script)}

    def meet(self, folder: Path | None, scopes: Scopes | None, *, trusted: bool | None, write: Write | None) -> None:
        """A client is there: these are its folder, its settings, its word on the workspace, its way to write."""
        self._live = self._made(folder)
        self._live.trusted = trusted
        self._scopes = scopes
        self._live.client_settings(scopes.blocks() if scopes is not None else None)
        self._write = write

    def folder_changed(self, folder: Path | None) -> None:
        """The workspace's first folder is another one: its own file and its consents count from now on."""
        if folder != self._live.folder:
            self.meet(folder, self._scopes, trusted=self._live.trusted, write=self._write)

    def settings_changed(self, scopes: Scopes | None, *, trusted: bool | None = None) -> None:
        """The client told its settings anew; None where it only said that something changed."""
        if trusted is not None:
            self._live.trusted = trusted
        if scopes is not None:
            self._in_doubt = False
            self._scopes = scopes.over(self._scopes)
            self._live.client_settings(self._scopes.blocks())

    def settings_unreadable(self) -> None:
        """The client told settings that make no sense: the last ones restrict as before, and permit nothing."""
        self._in_doubt = True

    def mode_for_new_chats(self) -> Mode:
        """The mode that a chat starts in."""
        return self._now().mode_for_new_chats

    def modes_held(self) -> frozenset[Mode]:
        """Modes that hold beside each chat's own, because settings cannot be read or make no sense."""
        ceiling = self._now().mode_ceiling
        return frozenset({ceiling} if ceiling else ()) | ({Mode.ASK} if self._in_doubt else frozenset())

    def agent_for_new_chats(self) -> str:
        """The agent of a chat for which none is named."""
        return self._now().agent_for_new_chats or DEMO

    def agents(self) -> tuple[AgentDefinition, ...]:
        """The agents that the user's settings define, and the ones that come with the server."""
        return tuple(self._now().agents.values())

    def enabled(self) -> bool:
        """Whether any tool may run at all."""
        return self._now().enabled

    def bypass_available(self) -> bool:
        """Whether a bypass may be offered and may count."""
        return self._now().bypass_available and not self._in_doubt

    def confirm_outside_workspace(self) -> bool:
        """Whether changes outside the workspace are asked for whatever is allowed."""
        return self._now().confirm_outside_workspace or self._in_doubt

    def rule_book(self, roots: tuple[str, ...]) -> RuleBook:
        """The deny, ask and allow rules as they count now; built anew only when the settings or the folders changed."""
        rules = self._now().rules.rules
        if self._in_doubt:
            rules = restrictions_of(rules)
        if (rules, roots) != (self._book.rules, self._book_roots):
            self._book, self._book_roots = RuleBook(rules, roots, str(Path.home())), roots
        return self._book

    def always_allowed(self) -> frozenset[str]:
        """The tools that the user's settings allow whatever they touch."""
        return frozenset() if self._in_doubt else self._now().rules.always_allowed

    def is_current(self, agent_id: str, digest: str) -> bool:
        """Whether an agent is still defined as it was when it was taken from the settings."""
        return self._digest(agent_id) == digest

    def bypasses(self, agent_id: str) -> bool:
        """Whether this agent's calls run without asking."""
        said, click = self._now().bypass(agent_id), self._clicked.get(agent_id)
        if click is None:
            return said.on
        switched_off_since = said.origin is not None and said.origin != click.origin
        if said.on or switched_off_since or click.digest != self._digest(agent_id):
            # From now on the setting decides, so that switching it off there has its effect.
            del self._clicked[agent_id]
            return said.on
        return True

    def bypasses_agent(self, agent: Agent) -> bool:
        """The same for an agent as it was taken from the settings: trust in a later definition is not meant for it."""
        return self.bypasses(agent.agent_id) and self.is_current(agent.agent_id, agent.digest)

    def bypass_kept(self) -> Kept:
        """Where a bypass that is clicked now would be stored."""
        place = self._live.surroundings(client_writes=self._write is not None)
        if obstacle(place, place.target):
            return Kept.MEMORY
        return Kept.USER if place.target is WriteTarget.USER else Kept.WORKSPACE

    def diagnostics(self) -> tuple[str, ...]:
        """What the owner of the settings should know, a sentence each."""
        sentences = tuple(diagnostic.sentence for diagnostic in self._live.diagnostics())
        # What is wrong with a rule is wrong in every folder.
        return sentences + self.rule_book(self._book_roots).faults

    def awaiting(self) -> tuple[LooseningEntry, ...]:
        """What the settings would loosen, if the user agreed to it."""
        return self._live.awaiting()

    def workspace_name(self) -> str:
        """The folder whose settings these are, for people."""
        return str(self._live.folder or "")

    def keep_consents(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> str | None:
        """Records what the user agreed to and what not; says what went wrong, if anything."""
        try:
            self._live.record(agreed, refused)
        except SettingsFault as fault:
            return str(fault)
        return None

    def bypass_now(self, agent_id: str) -> None:
        """The user clicked Bypass for this agent: it counts at once."""
        self._clicked[agent_id] = _Click(self._digest(agent_id), self._now().bypass(agent_id).origin)

    async def store_bypass(self, agent_id: str) -> Stored:
        """Writes the setting, together with the record of the user's consent."""
        agent = self._now().agents.get(agent_id)
        if agent is None:
            return Stored(False, "", "The agent is no longer defined, so there is nothing to store it for.")
        change = bypass_change(agent, on=True)
        place = self._live.surroundings(client_writes=self._write is not None)
        begun = await asyncio.to_thread(begin_store, change, place, self._live.ledger)
        stored = begun if isinstance(begun, Stored) else await self._finish(change, place, begun)
        # Where the setting is on by now, the click has done its part, before anyone can switch the setting off again.
        self.bypasses(agent_id)
        return stored

    async def _finish(self, change: Change, place: Surroundings, wanted: ClientWrite) -> Stored:
        assert self._write is not None
        told = await self._write(wanted)
        return await asyncio.to_thread(
            finish_store,
            change,
            place,
            self._live.ledger,
            written=told.written,
            target=told.target,
            error=told.error,
        )

    def _digest(self, agent_id: str) -> str | None:
        agent = self._now().agents.get(agent_id)
        return agent.digest if agent is not None else None

    def _made(self, folder: Path | None) -> LiveSettings:
        return LiveSettings(
            folders=(folder,) if folder else (), state_dir=self._state_directory, builtin_agents=self._builtin
        )

    def _now(self) -> Effective:
        return self._live.now()
