"""Whether an agent's bypass is on: which scope says so, and whether it may."""

from collections.abc import Mapping

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.settings.agents import BYPASS_SETTING, AgentDefinition
from assent.settings.definitions import Agents
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers, Origin
from assent.settings.likeness import closest, meant, shown
from assent.settings.loosening import AGENTS, At, LooseningEntry, bypass_entry
from assent.settings.scales import Scales, Standing


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
    layer: Layer
    setting: str
    path: tuple[str, ...]

    @property
    def origin(self) -> Origin:
        return self.layer.origin(self.setting, *self.path)

    def entry(self, agent: AgentDefinition, before: bool | None = None) -> LooseningEntry:
        return bypass_entry(At(self.layer, self.setting, self.path), agent, before)


def bypass_verdicts(layers: Layers, agents: Agents, scales: Scales, *, none: str) -> dict[str, BypassVerdict]:
    """For every agent, whether it runs without asking. What could not count anyhow is not asked about. `none`: why no
    bypass counts; empty where one may."""
    verdicts: dict[str, BypassVerdict] = {}
    for name, likely in agents.if_agreed.items():
        verdict = _verdict(layers, agents.now.get(name), likely, agents, scales, none)
        if name in agents.now:
            verdicts[name] = verdict
    return verdicts


def _verdict(
    layers: Layers,
    agent: AgentDefinition | None,
    likely: AgentDefinition,
    agents: Agents,
    scales: Scales,
    none: str,
) -> BypassVerdict:
    """The most specific scope that says something and may say it decides."""
    users = _users(layers.user, agent, agents, scales)
    users_on = users is not None and users.on
    ignored: Origin | None = None
    for layer in layers.of_workspace:
        said = _said(layer, likely.name)
        if said is None:
            continue
        if not said.on:
            return BypassVerdict(False, f"Switched off in {said.origin.text}.", said.origin, ignored)
        asks = not none and not users_on
        standing = _standing(said, agent, likely, scales, asks=asks, before=False if users else None)
        if standing is Standing.COUNTS:
            return _if_available(said.origin, none)
        if standing is Standing.WAITS:
            ignored = ignored or said.origin
    if users is not None and users_on:
        return _if_available(users.origin, none)
    why = "You have not agreed on this machine that it is on." if ignored else "It is not switched on."
    return BypassVerdict(False, why, users.origin if users else None, ignored)


def _users(user: Layer, agent: AgentDefinition | None, agents: Agents, scales: Scales) -> _Said | None:
    """What the user's settings say of this agent. Of another one that has its name they say nothing."""
    if agent is None or not agents.is_own(agent.name):
        return None
    said = _said(user, agent.name)
    if said is not None and said.on and scales.standing(user, said.entry(agent)) is not Standing.COUNTS:
        return None
    return said


def _standing(
    said: _Said,
    agent: AgentDefinition | None,
    likely: AgentDefinition,
    scales: Scales,
    *,
    asks: bool,
    before: bool | None,
) -> Standing:
    """Agreement is to the agent that counts now; what is asked about is the one that would count."""
    if agent is not None and agent != likely:
        standing = scales.standing(said.layer, said.entry(agent, before), asks=False)
        if standing is Standing.COUNTS:
            return standing
    standing = scales.standing(said.layer, said.entry(likely, before), asks=asks)
    return Standing.IGNORED if standing is Standing.COUNTS and agent != likely else standing


def _if_available(origin: Origin, none: str) -> BypassVerdict:
    if none:
        return BypassVerdict(False, none, origin)
    return BypassVerdict(True, f"Switched on in {origin.text}.", origin)


def _said(layer: Layer, name: str) -> _Said | None:
    """The flat map wins over the entry beside the agent's definition."""
    flat = layer.get(BYPASS_SETTING)
    if flat is not None and not isinstance(flat, Mapping):
        return _Said(False, layer, BYPASS_SETTING, ())
    if isinstance(flat, Mapping) and flat.get(name) is not None:
        return _Said(flat[name] is True, layer, BYPASS_SETTING, (name,))
    value = _beside_definition(layer.get(AGENTS), name)
    return None if value is None else _Said(value is True, layer, AGENTS, (name, BYPASS_SETTING))


def place_of_bypass(layer: Layer, name: str) -> Origin | None:
    """Where one layer says that this agent runs without asking; None where it does not."""
    said = _said(layer, name)
    if said is None or not said.on:
        return None
    return layer.origin_of_name(said.setting, *said.path)


def place_against_bypass(layer: Layer, name: str) -> Origin | None:
    """Where one layer says that this agent asks; None where it does not."""
    said = _said(layer, name)
    return None if said is None or said.on else said.origin


def bypasses_in(layer: Layer, agents: Mapping[str, AgentDefinition]) -> list[LooseningEntry]:
    """The bypasses that one layer switches on, of agents that there are."""
    said = [(agent, _said(layer, name)) for name, agent in agents.items()]
    return [one.entry(agent) for agent, one in said if one is not None and one.on]


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
            like = closest(name, agents)
            origin = layer.origin_of_name(BYPASS_SETTING, name)
            text = f'There is no agent "{shown(name)}" to bypass.{meant(like)}'
            found.add_at(text, origin, Kind.UNKNOWN_AGENT, instead=like)
