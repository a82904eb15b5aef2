"""Everything in one layer that would loosen something, whatever was answered about it."""

from collections.abc import Iterator

from assent.model.modes import Mode
from assent.policy.matrix import Cell
from assent.settings.bypass_map import bypasses_in
from assent.settings.choices import agent_chosen_in, mode_of
from assent.settings.collections import loosening_collections_in
from assent.settings.definitions import Definitions, definition_entry_of, definitions_in
from assent.settings.directories import directories_in
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.hooks import hooks_in
from assent.settings.layers import Layer, Scope
from assent.settings.limits import limits_in
from assent.settings.loosening import MODE, At, LooseningEntry, cell_entry, definition_entry, mode_entry
from assent.settings.matrix_overrides import KEY as MATRIX_OVERRIDES
from assent.settings.matrix_overrides import cells_in, nowhere_looser
from assent.settings.mcp_servers import loosening_servers_in
from assent.settings.rule_entries import permissions_in, tools_in
from assent.settings.sandbox import sandbox_in
from assent.settings.secrets_reading import SECRETS_READING
from assent.settings.services import services_in
from assent.settings.shell_limits import shell_limits_in
from assent.settings.switches import LOOSER, loosened
from assent.settings.timeouts import timeouts_in


def loosening_of(layer: Layer, agents: Definitions, facts: Facts) -> tuple[LooseningEntry, ...]:
    """The entries of one layer. `agents` are those that there are: their definitions bind what is said of them."""
    return tuple(_entries(layer, agents, facts, before=Mode.ASK))


def appeared(before: Layer, after: Layer, agents: Definitions, facts: Facts) -> tuple[LooseningEntry, ...]:
    """The entries that a layer has and had not before. A mode of the user counts as new only where it is looser."""
    # What was said of an agent before was said of another one, if it is defined otherwise now.
    agents = {**agents, **{agent.name: agent for agent in definitions_in(after, Findings())}}
    known = {entry.consent for entry in loosening_of(before, agents, facts)}
    earlier = mode_of(before, Findings(), in_doubt=Mode.ASK) or Mode.DEFAULT
    return tuple(entry for entry in _entries(after, agents, facts, before=earlier) if entry.consent not in known)


def _entries(layer: Layer, agents: Definitions, facts: Facts, *, before: Mode) -> Iterator[LooseningEntry]:
    found = Findings()
    yield from _definitions(layer, agents, facts, found)
    yield from loosening_servers_in(layer, facts, found)
    yield from bypasses_in(layer, agents)
    yield from (permission.entry(agents) for permission in permissions_in(layer, found))
    yield from (entry for _, entry in tools_in(layer, found))
    yield from (entry for _, entry in directories_in(layer, facts, found))
    yield from loosening_collections_in(layer, facts, found)
    yield from agent_chosen_in(layer, agents)
    yield from _mode(layer, found, before)
    yield from timeouts_in(layer, found)
    yield from SECRETS_READING.entries(layer, found)
    yield from limits_in(layer, found)
    yield from shell_limits_in(layer, facts, found)
    yield from sandbox_in(layer, facts, found)
    yield from services_in(layer, found)
    yield from hooks_in(layer, facts, found)
    if layer.scope is Scope.USER:
        yield from _of_the_machine(layer, found)


def _mode(layer: Layer, found: Findings, before: Mode) -> Iterator[LooseningEntry]:
    """Where the user's settings name no mode, one counts all the same; a workspace's is weighed against the user's."""
    of_user = layer.scope is Scope.USER
    mode = mode_of(layer, found, in_doubt=None) or (Mode.DEFAULT if of_user else None)
    if mode is not None and not (of_user and nowhere_looser(mode, before, {})):
        yield mode_entry(At(layer, MODE), mode, before)


def _definitions(layer: Layer, agents: Definitions, facts: Facts, found: Findings) -> Iterator[LooseningEntry]:
    for agent in definitions_in(layer, found):
        if layer.scope is Scope.USER:
            yield definition_entry(At(layer, "agents", (agent.name,)), agent, (), agents.get(agent.name))
        elif entry := definition_entry_of(layer, agent, facts, agents.get(agent.name)):
            yield entry


def _of_the_machine(user: Layer, found: Findings) -> Iterator[LooseningEntry]:
    for mode, category, cell, path in cells_in(user, found):
        if cell is Cell.AUTO:
            yield cell_entry(At(user, MATRIX_OVERRIDES, path), mode, category)
    for key in LOOSER:
        if entry := loosened(user, key, found):
            yield entry
