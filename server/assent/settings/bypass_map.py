"""Whether an agent's bypass is on: which scope says so, and whether it may."""

from collections.abc import Mapping
from dataclasses import dataclass

from assent.model.json import Json
from assent.settings.agents import BYPASS_SETTING, AgentDefinition, bypass_consent
from assent.settings.consent import ConsentLookup
from assent.settings.definitions import KEY as AGENTS
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers, Origin


@dataclass(frozen=True, slots=True)
class BypassVerdict:
    """Whether an agent runs without asking. `origin` is the entry that decided."""

    on: bool
    text: str
    origin: Origin | None = None
    without_consent: Origin | None = None
    """The workspace's entry that would switch it on, if the user agreed to it. None where more stands in its way."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What one scope says of an agent. Something else than true or false says no."""

    on: bool
    origin: Origin


def bypass_verdict(
    layers: Layers, agent: AgentDefinition, consent: ConsentLookup, *, available: bool, trusted: bool
) -> BypassVerdict:
    """The most specific scope that says something and may say it decides."""
    readable = all(layer.fault is None for layer in layers.of_workspace)
    ignored: Origin | None = None
    why = ""
    for layer in layers.of_workspace:
        said = _said(layer, agent.name)
        if said is None or (said.on and layer is layers.disk):
            continue
        if not said.on:
            return BypassVerdict(False, f"Switched off in {said.origin.text}.", said.origin, ignored)
        why = _objection(agent, consent, readable=readable, trusted=trusted)
        if not why:
            return _if_available(said.origin, available)
        if readable and trusted:
            ignored = ignored or said.origin
    user = _said(layers.user, agent.name)
    if user is not None and user.on:
        return _if_available(user.origin, available)
    return BypassVerdict(False, why or "It is not switched on.", user.origin if user else None, ignored)


def _if_available(origin: Origin, available: bool) -> BypassVerdict:
    if not available:
        return BypassVerdict(False, "assent.bypassAvailable takes every bypass away.", origin)
    return BypassVerdict(True, f"Switched on in {origin.text}.", origin)


def _objection(agent: AgentDefinition, consent: ConsentLookup, *, readable: bool, trusted: bool) -> str:
    """Why a workspace's own entry does not count, or nothing where it does."""
    if not readable:
        return "The workspace's settings file cannot be read as a whole."
    if not trusted:
        return "The workspace is not trusted."
    if not consent(bypass_consent(agent.name, agent.digest)):
        return "A workspace's files cannot switch it on by themselves, and you have not agreed to it on this machine."
    return ""


def _said(layer: Layer, name: str) -> _Said | None:
    """The flat map wins over the entry beside the agent's definition."""
    flat = layer.get(BYPASS_SETTING)
    if flat is not None and not isinstance(flat, Mapping):
        return _Said(False, layer.origin(BYPASS_SETTING))
    if isinstance(flat, Mapping) and flat.get(name) is not None:
        return _Said(flat[name] is True, layer.origin(BYPASS_SETTING, name))
    value = _beside_definition(layer.get(AGENTS), name)
    return None if value is None else _Said(value is True, layer.origin(AGENTS, name, BYPASS_SETTING))


def _beside_definition(agents: Json, name: str) -> Json:
    agent = agents.get(name) if isinstance(agents, Mapping) else None
    return agent.get(BYPASS_SETTING) if isinstance(agent, Mapping) else None


def check_bypass_maps(layers: Layers, agents: Mapping[str, AgentDefinition], found: Findings) -> None:
    """Reports entries that are neither true nor false, and entries for agents that do not exist."""
    for layer in layers.all:
        _check_flat(layer, agents, found)
        for name in agents:
            value = _beside_definition(layer.get(AGENTS), name)
            if value is not None and not isinstance(value, bool):
                found.wrong(layer, _EXPECTED, AGENTS, name, BYPASS_SETTING)


_EXPECTED = "true or false; until it is, the bypass is off"


def _check_flat(layer: Layer, agents: Mapping[str, AgentDefinition], found: Findings) -> None:
    flat = layer.get(BYPASS_SETTING)
    if flat is None:
        return
    if not isinstance(flat, Mapping):
        found.wrong(
            layer, "an object of agents' names with true or false; until it is, no bypass is on", BYPASS_SETTING
        )
        return
    for name, value in flat.items():
        if value is not None and not isinstance(value, bool):
            found.wrong(layer, _EXPECTED, BYPASS_SETTING, name)
        elif name not in agents:
            found.add(f'There is no agent "{name}" to bypass.', layer, BYPASS_SETTING, name)
