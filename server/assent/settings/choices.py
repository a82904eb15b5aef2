"""The mode and the agent that new chats start with."""

from collections.abc import Iterator, Mapping

from assent.model.modes import MODE_WORDS, Mode, parse_mode, tightest
from assent.settings.agents import AgentDefinition
from assent.settings.definitions import Agents, Definitions
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers, Origin, Scope
from assent.settings.likeness import closest, shown
from assent.settings.loosening import AGENT, AGENTS, MODE, At, LooseningEntry, agent_choice_entry, mode_entry
from assent.settings.matrix_overrides import Overrides, nowhere_looser
from assent.settings.scales import Scales, Standing


def mode_for_new_chats(layers: Layers, overrides: Overrides, scales: Scales, found: Findings) -> Mode:
    """The user's mode; the workspace's where it is stricter, or where the user agreed to a looser one."""
    mode = users = _users_mode(layers.user, overrides, scales, found)
    for layer in reversed(layers.of_workspace):
        wanted = mode_of(layer, found, in_doubt=None)
        if wanted is None:
            continue
        if nowhere_looser(wanted, mode, overrides):
            mode = wanted
        elif nowhere_looser(wanted, users, overrides):
            # The user's own settings permit as much, but another layer said something stricter.
            mode = tightest((mode, wanted))
        elif scales.standing(layer, mode_entry(At(layer, MODE), wanted, users)) is Standing.COUNTS:
            mode = wanted
    return mode


def _users_mode(user: Layer, overrides: Overrides, scales: Scales, found: Findings) -> Mode:
    mode = mode_of(user, found, in_doubt=Mode.ASK) or Mode.DEFAULT
    if nowhere_looser(mode, Mode.ASK, overrides):
        return mode
    entry = mode_entry(At(user, MODE), mode, Mode.ASK)
    return mode if scales.standing(user, entry) is Standing.COUNTS else Mode.ASK


def mode_of(layer: Layer, found: Findings, *, in_doubt: Mode | None) -> Mode | None:
    """The mode that one layer asks for."""
    value = layer.get(MODE)
    mode = parse_mode(value)
    if value is None or mode is not None:
        return mode
    counts = f"; until it is, {in_doubt} counts" if in_doubt else "; it does not count"
    like = closest(value, MODE_WORDS) if isinstance(value, str) else None
    found.wrong(layer, f"plan, ask, default or auto{counts}", MODE, like=like)
    return in_doubt


def place_of_mode(layers: Layers, mode: Mode) -> Origin | None:
    """Where the mode of new chats is said, the most specific place; None where nobody says it."""
    for layer in layers.all:
        if parse_mode(layer.get(MODE)) is mode:
            return layer.origin(MODE)
    return None


def agent_for_new_chats(layers: Layers, agents: Agents, scales: Scales, found: Findings) -> str | None:
    """The user's choice, or that of the workspace where the user agreed to it; None where nobody chose."""
    users = _chosen(layers.user, agents.now)
    if users is None:
        _report(layers.user, layers, agents, found)
    if users is not None and scales.standing(layers.user, _entry(layers.user, users, None)) is not Standing.COUNTS:
        users = None
    chosen = users
    for layer in reversed(layers.of_workspace):
        if layer.get(AGENT) is None or layer.get(AGENT) == (users.name if users else None):
            continue
        if layer.only_restricts:
            continue
        agent = _chosen(layer, agents.if_agreed)
        if agent is None:
            _report(layer, layers, agents, found)
        elif scales.standing(layer, _entry(layer, agent, users)) is Standing.COUNTS:
            chosen = agents.now.get(agent.name, chosen)
    return chosen.name if chosen else None


def agent_chosen_in(layer: Layer, agents: Definitions) -> Iterator[LooseningEntry]:
    """The choice of one layer, as what a user would agree to."""
    agent = _chosen(layer, agents)
    if agent is not None:
        yield _entry(layer, agent, None)


def _chosen(layer: Layer, agents: Definitions) -> AgentDefinition | None:
    value = layer.get(AGENT)
    return agents.get(value) if isinstance(value, str) else None


def _report(layer: Layer, layers: Layers, agents: Agents, found: Findings) -> None:
    """Says why the choice of this layer does not count, and with whom new chats start instead."""
    value = layer.get(AGENT)
    counts = "New chats start with Demo" if layer.scope is Scope.USER else "Your own choice counts"
    if not isinstance(value, str) or not value:
        if value is not None:
            found.wrong(layer, f"the name of an agent that your settings define. {counts} until it is", AGENT)
    elif any(isinstance(written := one.get(AGENTS), Mapping) and value in written for one in layers.all):
        text = f'The agent "{shown(value)}" of assent.agent cannot be used as it stands. {counts} until it can.'
        found.misnamed(text, layer, AGENT, like=None)
    else:
        text = f'There is no agent "{shown(value)}". {counts} until assent.agent names one that there is.'
        found.misnamed(text, layer, AGENT, like=closest(value, agents.if_agreed))


def _entry(layer: Layer, agent: AgentDefinition, before: AgentDefinition | None) -> LooseningEntry:
    return agent_choice_entry(At(layer, AGENT), agent, before.name if before else None)
