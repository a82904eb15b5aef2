"""Stores that an agent runs without asking, or no longer: in the settings, together with the user's consent.

The order makes a crash harmless. Switching on, the setting is written before the consent: alone it has no effect.
Switching off, the consent goes first.
"""

from dataclasses import dataclass
from pathlib import Path

from assent.settings.agents import BYPASS_SETTING, AgentDefinition, bypass_consent
from assent.settings.consent import ConsentLedger
from assent.settings.effective import WriteTarget
from assent.settings.faults import SettingsFault
from assent.settings.files import patch_file, workspace_settings_file
from assent.settings.spelling import PREFIX

IN_MEMORY = "It holds until Assent ends."


@dataclass(frozen=True, slots=True)
class BypassChange:
    """What the user clicked: this agent, as it is defined now, asks no more, or asks again."""

    agent: AgentDefinition
    on: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a setting could be written: what is open, whether it is trusted, and what the client can do."""

    folder: Path | None
    trusted: bool | None
    target: WriteTarget
    client_writes: bool


@dataclass(frozen=True, slots=True)
class ClientWrite:
    """The write that the client is to be asked for: this entry of the setting `assent.<key>`."""

    key: str
    path: tuple[str, ...]
    value: bool
    target: WriteTarget


@dataclass(frozen=True, slots=True)
class Stored:
    """What came of it. An error is a sentence for a person; the click itself counts in memory in any case."""

    written: bool
    target: str
    error: str | None = None


def begin_bypass(change: BypassChange, place: Surroundings, ledger: ConsentLedger) -> ClientWrite | Stored:
    """Stores the change, or says which write the client has to do before `finish_bypass`. May take three seconds."""
    if not change.on:
        # Tried again at the end, and told of there.
        _forget(change, place, ledger)
    problem = obstacle(place)
    if problem:
        return finish_bypass(change, place, ledger, written=False, target=place.target, error=problem)
    if place.client_writes:
        return ClientWrite(BYPASS_SETTING, (change.agent.name,), change.on, place.target)
    assert place.folder is not None
    return _write_file(change, place, place.folder, ledger)


def finish_bypass(
    change: BypassChange,
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
    kept = _forget(change, place, ledger)
    if written:
        return Stored(True, target, kept or None)
    return Stored(False, target, _joined(error or "The editor did not store the setting.", kept, IN_MEMORY))


def obstacle(place: Surroundings) -> str:
    """Why nothing can be written, or nothing where it can."""
    if place.trusted is False:
        return "This workspace is not trusted, so nothing was stored."
    if place.target is WriteTarget.USER:
        return "" if place.client_writes else "Only the editor can write user settings, and this one does not offer to."
    return "" if place.folder is not None else "No folder is open, so there are no settings to store it in."


def _write_file(change: BypassChange, place: Surroundings, folder: Path, ledger: ConsentLedger) -> Stored:
    file = workspace_settings_file(folder)
    path = (f"{PREFIX}.{BYPASS_SETTING}", change.agent.name)
    try:
        file = patch_file(file, path, change.on, state_dir=ledger.state_dir)
    except SettingsFault as fault:
        return finish_bypass(change, place, ledger, written=False, target=str(file), error=_sentence(fault))
    return finish_bypass(change, place, ledger, written=True, target=str(file))


def _agree(change: BypassChange, place: Surroundings, ledger: ConsentLedger) -> str:
    """Records the consent that an entry of a workspace needs; what to tell the user where that fails."""
    if place.target is WriteTarget.USER or place.folder is None:
        return ""
    try:
        ledger.grant(place.folder, bypass_consent(change.agent.name, change.agent.digest))
    except SettingsFault as fault:
        told = "The setting is stored, but not that you agreed to it: Assent asks again after a restart."
        return _joined(told, _sentence(fault))
    return ""


def _forget(change: BypassChange, place: Surroundings, ledger: ConsentLedger) -> str:
    """Forgets the consent; what to tell the user where that fails."""
    if place.folder is None:
        return ""
    try:
        ledger.revoke(place.folder, BYPASS_SETTING, change.agent.name)
    except SettingsFault as fault:
        return f"That you once agreed to it could not be forgotten. {_sentence(fault)}"
    return ""


def _sentence(fault: SettingsFault) -> str:
    return str(fault).rstrip(".") + "."


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
