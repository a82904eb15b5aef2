"""Which agents there are: the user's own definitions, beside those that come with the product."""

from collections.abc import Mapping

from assent.model.json import JsonObject
from assent.settings.agents import AgentDefinition, define_agent, launch_digest, launch_part
from assent.settings.faults import SettingsFault
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers

KEY = "agents"


def defined_agents(layers: Layers, builtin: Mapping[str, JsonObject], found: Findings) -> Mapping[str, AgentDefinition]:
    """The agents by name. A workspace defines none: its commands and addresses would run and receive."""
    agents = {name: define_agent(name, definition) for name, definition in builtin.items()}
    agents |= _of_user(layers.user, found)
    for layer in layers.of_workspace:
        _report_foreign(layer, agents, found)
    return agents


def _of_user(user: Layer, found: Findings) -> dict[str, AgentDefinition]:
    entries = user.get(KEY)
    if entries is None:
        return {}
    if not isinstance(entries, Mapping):
        found.wrong(user, "an object that maps a name to an agent", KEY)
        return {}
    agents: dict[str, AgentDefinition] = {}
    for name, value in entries.items():
        try:
            agents[name] = define_agent(name, value)
        except SettingsFault as fault:
            found.add(f'The agent "{name}" is left out: {fault}.', user, KEY, name)
    return agents


def _report_foreign(layer: Layer, agents: Mapping[str, AgentDefinition], found: Findings) -> None:
    entries = layer.get(KEY)
    if entries is None:
        return
    if not isinstance(entries, Mapping):
        found.wrong(layer, "an object that maps a name to an agent", KEY)
        return
    for name, value in entries.items():
        if not isinstance(value, Mapping) or not _matches(launch_part(value), agents.get(name)):
            found.add(f'A workspace cannot define or change an agent: its "{name}" does not count.', layer, KEY, name)


def _matches(definition: JsonObject, agent: AgentDefinition | None) -> bool:
    """Whether a workspace repeats what the user's settings say, or says nothing of how the agent is started."""
    try:
        return not definition or (agent is not None and launch_digest(definition) == agent.digest)
    except SettingsFault:
        return False
