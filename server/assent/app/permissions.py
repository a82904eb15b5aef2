"""What decides beside single grants, looked at in one place and changed there: by the user, in the same settings."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assent.agent.recorder import Recorder
from assent.app.allowed import NO_CALLER, Allowed, Revoked
from assent.app.trust import Trust
from assent.jsontext import canonical_json
from assent.lazy_dataclasses import dataclass
from assent.model.errors import InvalidRequest
from assent.model.grants import AgentBypass
from assent.model.ids import SessionId
from assent.model.modes import Mode
from assent.policy.options import bypass_of_agent
from assent.sandbox.sandbox import Sandbox
from assent.settings.effective import Effective, WriteTarget
from assent.settings.layers import Origin, Scope
from assent.settings.store import Change, change_for, mode_change

if TYPE_CHECKING:
    from assent.settings.kept_answers import KeptAnswer
    from assent.settings.language.overlaps import ToolKinds
    from assent.settings.language.rule_lines import RuleLine

_BYPASS_CHANGED = (
    "the agent is defined otherwise by now, or its bypass was switched meanwhile: look at it again, nothing was changed"
)
_MODE_CHANGED = "the mode of new chats is another one by now than it was shown: look again, nothing was changed"
_NO_ANSWER = "this answer is not kept any more, or is another one by now: look again, nothing was changed"
_NO_AGENT = "no agent of this name is defined"
_UNTRUSTED = "You do not trust this workspace: what its settings permit does not count, and nothing is stored in them."
_UNREADABLE = "Settings are missing or cannot be read: until they can, no chat acts in a looser mode than “{}”."
_TARGETS = {WriteTarget.USER: "your user settings", WriteTarget.WORKSPACE: "the workspace settings"}


@dataclass(frozen=True, slots=True)
class ModeNow:
    """The mode that new chats start in, and where another one would be stored."""

    mode: Mode
    origin: Origin | None
    target: WriteTarget
    locked: str

    @property
    def digest(self) -> str:
        return _digest(self.mode, _where(self.origin), self.target)


@dataclass(frozen=True, slots=True)
class BypassNow:
    """Whether an agent runs without asking, by the settings."""

    agent: str
    on: bool
    why: str
    warning: str
    digest: str
    origin: Origin | None = None
    locked: str = ""
    """Why it cannot be switched on."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Something that cannot be changed where the user looks, and why."""

    text: str
    setting: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it, as it counts at this moment."""

    mode: ModeNow
    rules: tuple[tuple[str, "RuleLine"], ...]
    """Each with the id of its grant."""
    bypasses: tuple[BypassNow, ...]
    answers: tuple["KeptAnswer", ...]
    locks: tuple[Lock, ...]


class Permissions:
    """Everything here reads the live settings, and writes by the way that all clicks take."""

    def __init__(
        self,
        trust: Trust,
        allowed: Allowed,
        sandbox: Sandbox,
        recorder: Recorder,
        *,
        kinds: Callable[[], "ToolKinds"],
        changed: Callable[[], None],
    ) -> None:
        self._trust, self._allowed, self._sandbox, self._recorder = trust, allowed, sandbox, recorder
        self._kinds, self._changed = kinds, changed
        self._rules: tuple[object, tuple[tuple[str, RuleLine], ...]] | None = None

    async def overview(self) -> Overview:
        """What counts now, with the places where it is said."""
        rules = await self._rule_lines()
        now = self._trust.now()
        bypasses = tuple(self._bypass(now, name) for name in now.agents_if_agreed)
        return Overview(self._mode(now), rules, bypasses, self._trust.kept_answers(), tuple(self._locks(now)))

    async def sandbox(self) -> tuple[str, Origin | None]:
        """What holds commands on this machine, and where the settings say what they want of it."""
        from assent.sandbox.telling import told

        found = await self._sandbox.tier()
        return told(found, self._trust.now().sandbox), self._trust.place_of("sandbox")

    async def switch_bypass_on(self, agent: str, digest: str | None) -> None:
        """The same as the answer on a card: written with the record of the agreement, for the agent that was shown."""
        now = self._trust.now()
        if agent not in now.agents_if_agreed:
            raise InvalidRequest(_NO_AGENT, "params.agent")
        standing = self._bypass(now, agent)
        if digest != standing.digest or standing.on:
            raise InvalidRequest(_BYPASS_CHANGED, "params.digest")
        change = change_for(AgentBypass(agent), now.agents)
        if standing.locked or change is None:
            raise InvalidRequest(standing.locked or _NO_AGENT, "params.agent")
        await self._put(replace(change, by_itself=True), standing.warning)

    async def switch_bypass_off(self, agent: str, session_id: SessionId | None) -> tuple[Revoked, ...]:
        """Wherever it is said, and what was clicked in chats; with a chat, also what that chat may by itself."""
        stored = [
            one
            for one in self._allowed.everything()
            if (one.kind == "bypass_agent" and one.agent_name == agent)
            or (one.kind == "bypass_session" and session_id is not None and one.session_id == session_id)
        ]
        if not stored:
            raise InvalidRequest(f"nothing lets “{agent}” run without asking: it is off already", "params.agent")
        return tuple([await self._allowed.revoke(one.grant_id) for one in stored])

    async def choose_mode(self, mode: Mode, digest: str) -> None:
        """New chats start in this mode from now on."""
        standing = self._mode(self._trust.now())
        if digest != standing.digest:
            raise InvalidRequest(_MODE_CHANGED, "params.digest")
        if standing.locked:
            raise InvalidRequest(standing.locked, "params.mode")
        if mode is not standing.mode:
            text = f"New chats start in the mode “{mode.label}”, by {_TARGETS[standing.target]}."
            await self._put(mode_change(mode, standing.target), text)

    async def forget_answer(self, answer_id: str) -> None:
        """What stands in the settings still is asked about again; until then it has no effect."""
        answer = next((one for one in self._trust.kept_answers() if one.answer_id == answer_id), None)
        if answer is None:
            raise InvalidRequest(_NO_ANSWER, "params.answerId")
        fault = await asyncio.to_thread(self._trust.to_forget(answer))
        self._changed()
        if fault is not None:
            raise InvalidRequest(f"it could not be forgotten: {fault}", "params.answerId")
        said = "agreed to" if answer.record.honoured else "ignored"
        self._recorder.taken_back(NO_CALLER, self._trust.now().mode_for_new_chats, f"You {said} this: {answer.words}")

    async def _put(self, change: Change, text: str) -> None:
        told = await self._trust.storing.put(change)
        self._changed()
        if told.written:
            self._recorder.given(NO_CALLER, self._trust.now().mode_for_new_chats, text)
        if told.error is not None or not told.written:
            raise InvalidRequest(told.error or "It could not be written.", "")

    # ---- what counts now

    async def _rule_lines(self) -> tuple[tuple[str, "RuleLine"], ...]:
        """They are compared with each other: only when something is another than before."""
        state = self._trust.state
        if self._rules is None or self._rules[0] != state:
            from assent.settings.language.rule_lines import rule_lines

            stored, around, kinds = self._trust.storing.stored_grants(), self._trust.around_drafts(), self._kinds()
            ids = {grant.key: self._allowed.id_of(grant) for grant in stored}
            roots = tuple(map(str, around.folders))
            lines = await asyncio.to_thread(rule_lines, stored, kinds, roots, str(Path.home()))
            self._rules = (state, tuple((ids[line.grant.key], line) for line in lines))
        return self._rules[1]

    def _mode(self, now: Effective) -> ModeNow:
        origin = self._trust.place_of_mode()
        of_user = origin is not None and origin.scope is Scope.USER
        homeless = origin is None and self._trust.storing.why_not(now, WriteTarget.WORKSPACE)
        target = WriteTarget.USER if of_user or homeless else WriteTarget.WORKSPACE
        return ModeNow(now.mode_for_new_chats, origin, target, self._trust.storing.why_not(now, target))

    def _bypass(self, now: Effective, name: str) -> BypassNow:
        verdict, agent = now.bypass(name), now.agents.get(name)
        locked = self._trust.storing.why_not(now, now.write_target)
        if now.no_bypass:
            locked = now.no_bypass
        elif agent is None:
            locked = "You have not agreed to the definition of this agent."
        text = bypass_of_agent(name, name, self._trust.storing.bypass_kept(now)).scope_text
        digest = _digest(name, agent.digest if agent else None, verdict.on, _where(verdict.origin), text)
        return BypassNow(name, verdict.on, verdict.text, text, digest, verdict.origin, locked)

    def _locks(self, now: Effective) -> Iterator[Lock]:
        def switched(key: str, text: str) -> Lock:
            return Lock(text, f"assent.{key}", self._trust.place_of(key))

        if not now.enabled:
            yield switched("enabled", "Assent is switched off: agents call no tools.")
        if self._trust.untrusted:
            yield Lock(_UNTRUSTED)
        if now.mode_ceiling is not None:
            yield Lock(_UNREADABLE.format(now.mode_ceiling.label))
        if not now.bypass_available and now.mode_ceiling is None:
            yield switched("bypassAvailable", "Every bypass is taken away. Only your user settings can change that.")
        if not now.session_grants:
            yield switched("sessionGrants", "Nothing can be allowed for a chat: cards do not offer it.")


def _where(origin: Origin | None) -> str | None:
    return origin.text if origin is not None else None


def _digest(*parts: str | bool | None) -> str:
    return hashlib.sha256(canonical_json(list(parts))).hexdigest()[:32]
