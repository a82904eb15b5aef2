"""Stores what the user clicked, or no longer wants: in the settings, together with the user's consent.

The order makes a crash harmless. Switching on, the setting is written before the consent: alone it has no effect.
Switching off, the consent goes first.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.model.grants import AgentBypass, Grant, RootGrant, RuleGrant, ToolGrant
from assent.model.json import Json
from assent.model.modes import Mode
from assent.settings.agents import BYPASS_SETTING, AgentDefinition
from assent.settings.consent import Answer, Consent, ConsentLedger
from assent.settings.effective import WriteTarget
from assent.settings.faults import SettingsFault
from assent.settings.files import append_to_file, patch_file, take_from_file, unset_in_file, workspace_settings_file
from assent.settings.layers import Layer, Origin, Scope
from assent.settings.loosening import (
    ALLOW_RULES,
    ALLOWLIST,
    DIRECTORIES,
    MODE,
    At,
    consent_to_bypass,
    directory_consent,
    mode_entry,
    rule_consent,
    tool_consent,
)
from assent.settings.spelling import PREFIX

DENY_RULES = "alwaysDenyRules"
ONLY_HERE = "It holds for this chat only."
ONLY_THIS_CALL = "It was not added; only this call ran."
NOTHING_CHANGED = "Nothing was changed."


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the setting `assent.<key>`: set at this path (None: taken away), or an item of the list there."""

    key: str
    path: tuple[str, ...]
    value: Json
    append: bool = False
    """The value is added to the list."""
    remove: bool = False
    """The value is taken out of the list."""
    consent: Consent | None = None
    """What the user agrees to with it; None where it loosens nothing."""
    also: tuple[Consent, ...] = ()
    """Agreements that mean nothing without that one: they come and go with it."""
    on: bool = True
    """False where it takes a permission back: then the consent is forgotten."""
    scope: WriteTarget | None = None
    """The settings that hold it, where they are known."""
    folder: Path | None = None
    """The folder whose own file holds it, where that is not the one that the editor would write."""
    by_itself: bool = False
    """It was clicked beside no call: what is not stored holds nowhere."""

    @property
    def consents(self) -> tuple[Consent, ...]:
        """All that the user agrees to with it."""
        return () if self.consent is None else (self.consent, *self.also)

    def target(self, place: "Surroundings") -> WriteTarget:
        """Only of a bypass can the user say that it belongs to the user settings; what stands somewhere is there."""
        if self.scope is not None:
            return self.scope
        return place.target if self.key == BYPASS_SETTING else WriteTarget.WORKSPACE


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a setting could be written: what is open, whether it is trusted, and what the client can do."""

    folder: Path | None
    trusted: bool | None
    target: WriteTarget
    client_writes: bool
    workspace_file: Path | None = None
    """The settings file of a workspace of several folders, where one is open: it holds what is meant for all."""


@dataclass(frozen=True, slots=True)
class ClientWrite:
    """The write that the client is to be asked for: this entry of the setting `assent.<key>`."""

    key: str
    path: tuple[str, ...]
    value: Json
    target: WriteTarget
    append: bool = False
    remove: bool = False


@dataclass(frozen=True, slots=True)
class Stored:
    """What came of it. An error is a sentence for a person; the click itself counts in memory in any case."""

    written: bool
    target: str
    error: str | None = None
    overruled_by: Origin | None = None
    """The entry because of which what was written has no effect."""


def bypass_change(agent: str, consent: Consent | None, *, on: bool) -> Change:
    """The agent of this name asks no more, or asks again; the consent is to its definition."""
    return Change(BYPASS_SETTING, (agent,), on, consent=consent, on=on)


def mode_change(mode: Mode, scope: WriteTarget) -> Change:
    """New chats start in this mode. What is looser than the user's own settings counts with the agreement only."""
    entry = mode_entry(At(Layer(Scope.WORKSPACE), MODE), mode, Mode.ASK)
    return Change(MODE, (), mode.value, consent=entry.consent, scope=scope, by_itself=True)


def change_for(grant: Grant, agents: Mapping[str, AgentDefinition]) -> Change | None:
    """What a grant stores. None for one that holds for a chat only, or for an agent that is not defined any more."""
    match grant:
        case AgentBypass(name):
            return bypass_change(name, consent_to_bypass(agents[name]), on=True) if name in agents else None
        case RuleGrant(tool, pattern, True):
            return Change(ALLOW_RULES, (tool,), pattern, append=True, consent=rule_consent(tool, pattern))
        case RuleGrant(tool, pattern, False):
            return Change(DENY_RULES, (tool,), pattern, append=True)
        case ToolGrant(tool):
            return Change(ALLOWLIST, (), tool, append=True, consent=tool_consent(tool))
        case RootGrant(directory):
            return Change(DIRECTORIES, (), directory, append=True, consent=directory_consent(directory))
        case _:
            return None


def begin_store(change: Change, place: Surroundings, ledger: ConsentLedger) -> ClientWrite | Stored:
    """Stores the change, or says which write the client has to do before `finish_store`. May take three seconds."""
    if not change.on:
        # Tried again at the end, and told of there.
        _forget(change, place, ledger)
    target = change.target(place)
    problem = obstacle(place, target)
    if problem:
        return finish_store(change, place, ledger, written=False, target=target, error=problem)
    if place.client_writes:
        return ClientWrite(change.key, change.path, change.value, target, change.append, change.remove)
    assert place.folder is not None
    return _write_file(change, place, place.folder, ledger)


def finish_store(
    change: Change,
    place: Surroundings,
    ledger: ConsentLedger,
    *,
    written: bool,
    target: str,
    error: str | None = None,
) -> Stored:
    """Completes the change after the client wrote, or failed to."""
    if written and change.on:
        return Stored(True, target, _agree(change, place, ledger) or None)
    if written:
        return Stored(True, target, _forget(change, place, ledger) or None)
    told = error or "The editor did not store the setting."
    return Stored(False, target, _joined(told, _not_written(change, place, ledger)))


def obstacle(place: Surroundings, target: WriteTarget) -> str:
    """Why nothing can be written there, or nothing where it can."""
    if place.trusted is False:
        return "This workspace is not trusted, so nothing was stored."
    if target is WriteTarget.USER:
        return "" if place.client_writes else "Only the editor can write user settings, and this one does not offer to."
    return "" if place.folder is not None else "No folder is open, so there are no settings to store it in."


def _write_file(change: Change, place: Surroundings, folder: Path, ledger: ConsentLedger) -> Stored:
    file = place.workspace_file or workspace_settings_file(folder)
    path = (f"{PREFIX}.{change.key}", *change.path)
    try:
        file = _patched(change, file, path, ledger.state_dir)
    except SettingsFault as fault:
        return finish_store(change, place, ledger, written=False, target=str(file), error=_sentence(fault))
    return finish_store(change, place, ledger, written=True, target=str(file))


def _patched(change: Change, file: Path, path: tuple[str, ...], state_dir: Path) -> Path:
    if change.append:
        return append_to_file(file, path, change.value, state_dir=state_dir)
    if change.remove:
        return take_from_file(file, path, change.value, state_dir=state_dir)
    if change.value is None:
        return unset_in_file(file, path, state_dir=state_dir)
    return patch_file(file, path, change.value, state_dir=state_dir)


def _agree(change: Change, place: Surroundings, ledger: ConsentLedger) -> str:
    """Records the consent that an entry of a workspace needs; what to tell the user where that fails."""
    if change.consent is None or change.target(place) is WriteTarget.USER or place.folder is None:
        return ""
    try:
        for consent in change.consents:
            ledger.grant(place.folder, consent)
    except SettingsFault as fault:
        told = "The setting is stored, but not that you agreed to it: Assent asks again after a restart."
        return _joined(told, _sentence(fault))
    return ""


def _not_written(change: Change, place: Surroundings, ledger: ConsentLedger) -> str:
    """What becomes of a change that no settings hold: an old consent must not wait for a setting to come."""
    if change.on:
        return _joined(_forget(change, place, ledger), _what_holds(change))
    if change.consent is None or change.target(place) is WriteTarget.USER or place.folder is None:
        return "It still stands in the settings."
    try:
        ledger.record([Answer(place.folder, consent, honoured=False) for consent in change.consents])
    except SettingsFault as fault:
        return _joined("It still stands in the settings.", _sentence(fault))
    return "It still stands in the settings, but it has no effect any more."


def overruled_by(stored: Stored, change: Change, by: Origin, text: str) -> Stored:
    """It stands there, and something else counts."""
    holds = "" if change.by_itself else _what_holds(change)
    return replace(stored, error=_joined(stored.error or "", text, holds), overruled_by=by)


def _what_holds(change: Change) -> str:
    if change.by_itself:
        return NOTHING_CHANGED
    return ONLY_THIS_CALL if change.key == DIRECTORIES else ONLY_HERE


def _forget(change: Change, place: Surroundings, ledger: ConsentLedger) -> str:
    """Forgets the consent; what to tell the user where that fails."""
    if change.consent is None or place.folder is None:
        return ""
    try:
        for consent in change.consents:
            ledger.revoke(place.folder, consent.setting, consent.entry)
    except SettingsFault as fault:
        return f"That you once agreed to it could not be forgotten. {_sentence(fault)}"
    return ""


def _sentence(fault: SettingsFault) -> str:
    return str(fault).rstrip(".") + "."


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
