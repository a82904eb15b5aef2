"""Which agents there are: the user's own definitions, those that come with the product, and what a workspace adds."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.settings.agents import AgentDefinition, define_agent, launch_part
from assent.settings.facts import Facts
from assent.settings.faults import SettingsFault
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers, Scope
from assent.settings.likeness import closest
from assent.settings.loosening import AGENTS as KEY
from assent.settings.loosening import At, LooseningEntry, definition_entry, few
from assent.settings.model_definitions import PROVIDERS, check_model, check_provider
from assent.settings.scales import Scales, Standing

Definitions = Mapping[str, AgentDefinition]


@dataclass(frozen=True, slots=True)
class Agents:
    """Agents by name: as they count, and as they would if the user agreed to whatever waits."""

    own: Definitions
    """What the user's settings and the product define. Trust that the user's settings give holds for these."""
    now: Definitions
    if_agreed: Definitions

    def is_own(self, name: str) -> bool:
        """Whether the agent of this name is the one that the user knows under it."""
        return self.own.get(name) == self.now.get(name)


def agents_of(
    layers: Layers, builtin: Mapping[str, JsonObject], facts: Facts, scales: Scales, found: Findings
) -> Agents:
    """The agents of all scopes. Of a workspace's definitions, those count to which the user agreed."""
    own = {name: define_agent(name, definition) for name, definition in builtin.items()}
    for agent in definitions_in(layers.user, found):
        entry = definition_entry(At(layers.user, KEY, (agent.name,)), agent, ())
        if scales.standing(layers.user, entry) is Standing.COUNTS:
            own[agent.name] = agent
    now, if_agreed = dict(own), dict(own)
    for layer in reversed(layers.of_workspace):
        for agent in definitions_in(layer, found):
            standing = _standing(layer, agent, own.get(agent.name), facts, scales, found)
            if standing is Standing.COUNTS and agent != own.get(agent.name):
                now[agent.name] = agent
            if standing is not Standing.IGNORED:
                if_agreed[agent.name] = agent
    return Agents(own, now, if_agreed)


def definitions_in(layer: Layer, found: Findings) -> Iterator[AgentDefinition]:
    """The agents that one layer defines, well enough to be started."""
    entries = layer.get(KEY)
    if entries is None:
        return
    if not isinstance(entries, Mapping):
        found.wrong(layer, "an object that maps a name to an agent", KEY)
        return
    for name, value in few(layer, entries.items(), found, KEY):
        if layer.scope is not Scope.USER and isinstance(value, Mapping) and not launch_part(value):
            # Only a permission stands beside the name; the definition stands elsewhere.
            continue
        try:
            agent = define_agent(name, value, of_user=layer.scope is Scope.USER)
            check_provider(agent.definition)
        except SettingsFault as fault:
            path, like = _misspelt(value)
            found.misnamed(f'The agent "{name}" is left out: {fault}.', layer, KEY, name, *path, like=like)
            continue
        try:
            check_model(agent.definition)
        except SettingsFault as fault:
            found.add(f'The agent "{name}" cannot answer: {fault}.', layer, KEY, name, kind=Kind.WRONG_VALUE)
        yield agent


def _misspelt(value: Json) -> tuple[tuple[str, ...], str | None]:
    """Where the provider stands that there is not, and the one that was probably meant."""
    provider = value.get("provider") if isinstance(value, Mapping) else None
    like = closest(provider, PROVIDERS) if isinstance(provider, str) and provider not in PROVIDERS else None
    return (("provider",) if like else ()), like


def _standing(
    layer: Layer, agent: AgentDefinition, own: AgentDefinition | None, facts: Facts, scales: Scales, found: Findings
) -> Standing:
    if agent == own:
        return Standing.COUNTS
    entry = definition_entry_of(layer, agent, facts, own)
    if entry is None:
        if not layer.only_restricts:
            found.add(f'Too much belongs to the agent "{agent.name}": it does not count.', layer, KEY, agent.name)
        return Standing.IGNORED
    return scales.standing(layer, entry)


def definition_entry_of(
    layer: Layer, agent: AgentDefinition, facts: Facts, own: AgentDefinition | None = None
) -> LooseningEntry | None:
    """What a user would agree to; None where it cannot be told what belongs to it."""
    files = facts.files.get((layer.folder, agent.digest))
    return None if files is None else definition_entry(At(layer, KEY, (agent.name,)), agent, files, own)


def files_named_by(digests: Collection[str], facts: Facts) -> tuple[str, ...]:
    """The files that definitions with these digests name and a workspace can change: as named, and where they are."""
    named = (
        place
        for (folder, digest), files in facts.files.items()
        if digest in digests
        for file in files
        for place in (_place(folder or (facts.roots[0] if facts.roots else ""), file.name), file.real)
        if place
    )
    return tuple(dict.fromkeys(named))


def _place(folder: str, name: str) -> str:
    return name if PurePath(name).is_absolute() else f"{folder}/{name}"
