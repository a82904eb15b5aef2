"""What the settings of all scopes come to. Pure: the same layers and consents give the same answer.

A workspace's own files may restrict. Of what they would permit, a bypass counts with the user's consent and the rest
not at all; a value that cannot be understood never permits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from assent.model.json import JsonObject
from assent.model.modes import Mode, parse_mode
from assent.policy.matrix import nowhere_looser
from assent.settings.agents import AgentDefinition
from assent.settings.bypass_map import BypassVerdict, bypass_verdict, check_bypass_maps
from assent.settings.consent import ConsentLookup, no_consent
from assent.settings.definitions import defined_agents
from assent.settings.findings import Findings
from assent.settings.layers import NOT_LOADED, Diagnostic, Layer, Layers
from assent.settings.rule_entries import RuleSettings, rule_settings


class WriteTarget(StrEnum):
    """Which settings a bypass that was clicked is written to."""

    WORKSPACE = "workspace"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings as they count now."""

    mode_for_new_chats: Mode
    mode_ceiling: Mode | None
    """Where settings are missing or cannot be read, no chat acts in a looser mode than this."""
    agent_for_new_chats: str | None
    agents: Mapping[str, AgentDefinition]
    bypass_available: bool
    write_target: WriteTarget
    confirm_outside_workspace: bool
    enabled: bool
    diagnostics: tuple[Diagnostic, ...]
    rules: RuleSettings = field(default_factory=RuleSettings)
    verdicts: Mapping[str, BypassVerdict] = field(default_factory=dict)

    def bypass(self, agent: str) -> BypassVerdict:
        """Whether this agent's calls run without asking, and who said so. No for an agent that is not defined."""
        return self.verdicts.get(agent) or BypassVerdict(False, "No agent of this name is defined.")


def effective(
    layers: Layers,
    *,
    consent: ConsentLookup = no_consent,
    workspace_trusted: bool | None = None,
    builtin_agents: Mapping[str, JsonObject] | None = None,
) -> Effective:
    """What these layers come to. `workspace_trusted` is None where the client does not say."""
    found = Findings()
    found.report_unreadable(layers)
    agents = defined_agents(layers, builtin_agents or {}, found)
    rules = rule_settings(layers, found)
    # A restriction that makes no sense may have been about anything: until it does, nothing stored permits.
    available = _switch(layers.user, "bypassAvailable", found, default=True, in_doubt=False) and not rules.in_doubt
    check_bypass_maps(layers, agents, found)
    verdicts = {
        name: bypass_verdict(layers, agent, consent, available=available, trusted=workspace_trusted is not False)
        for name, agent in agents.items()
    }
    for name, verdict in verdicts.items():
        if verdict.without_consent is not None:
            found.add_at(f'Bypass of "{name}" has no effect here: {verdict.text}', verdict.without_consent)
    for key in ("bypassAvailable", "confirmOutsideWorkspace", "bypassWriteTarget"):
        _report_machine_setting(layers, key, found)
    return Effective(
        mode_for_new_chats=_mode(layers, found),
        mode_ceiling=Mode.ASK if rules.in_doubt else _ceiling(layers),
        agent_for_new_chats=_agent(layers, agents, found),
        agents=agents,
        bypass_available=available,
        write_target=_write_target(layers.user, found),
        confirm_outside_workspace=_switch(layers.user, "confirmOutsideWorkspace", found, default=True, in_doubt=True)
        or rules.in_doubt,
        enabled=_enabled(layers, found),
        diagnostics=found.diagnostics,
        rules=rules,
        verdicts=verdicts,
    )


def before_settings(builtin_agents: Mapping[str, JsonObject] | None = None) -> Effective:
    """What counts until the first settings arrive."""
    return effective(NOT_LOADED, builtin_agents=builtin_agents)


def _switch(layer: Layer, key: str, found: Findings, *, default: bool, in_doubt: bool) -> bool:
    value = layer.get(key)
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    found.wrong(layer, f"true or false; until it is, {str(in_doubt).lower()} counts", key)
    return in_doubt


def _enabled(layers: Layers, found: Findings) -> bool:
    switches = [_switch(layer, "enabled", found, default=True, in_doubt=False) for layer in layers.all]
    return all(switches)


def _write_target(user: Layer, found: Findings) -> WriteTarget:
    value = user.get("bypassWriteTarget")
    if value is not None and value not in tuple(WriteTarget):
        found.wrong(user, '"workspace" or "user"; until it is, "workspace" counts', "bypassWriteTarget")
    return WriteTarget.USER if value == WriteTarget.USER.value else WriteTarget.WORKSPACE


def _mode(layers: Layers, found: Findings) -> Mode:
    """The user's mode, or a stricter one that the workspace asks for."""
    mode = _mode_of(layers.user, found, in_doubt=Mode.ASK) or Mode.DEFAULT
    for layer in layers.of_workspace:
        wanted = _mode_of(layer, found, in_doubt=None)
        if wanted is None:
            continue
        if nowhere_looser(wanted, mode):
            mode = wanted
        else:
            found.add(f"A workspace cannot loosen the mode: {wanted} does not count here.", layer, "mode")
    return mode


def _mode_of(layer: Layer, found: Findings, *, in_doubt: Mode | None) -> Mode | None:
    value = layer.get("mode")
    mode = parse_mode(value)
    if value is None or mode is not None:
        return mode
    counts = f"; until it is, {in_doubt} counts" if in_doubt else "; it does not count"
    found.wrong(layer, f"plan, ask, default or auto{counts}", "mode")
    return in_doubt


def _ceiling(layers: Layers) -> Mode | None:
    """Unknown restrictions may be among what could not be read; what was last read still restricts by itself."""
    unknown = any(layer.fault is not None and not layer.restricts_as_last_read for layer in layers.all)
    return Mode.ASK if unknown or not layers.loaded else None


def _agent(layers: Layers, agents: Mapping[str, AgentDefinition], found: Findings) -> str | None:
    chosen = layers.user.get("agent")
    for layer in layers.of_workspace:
        if layer.get("agent") not in (None, chosen):
            found.add("A workspace cannot choose the agent of new chats.", layer, "agent")
    if chosen is None:
        return None
    if isinstance(chosen, str) and chosen in agents:
        return chosen
    found.wrong(layers.user, "the name of an agent that your settings define", "agent")
    return None


def _report_machine_setting(layers: Layers, key: str, found: Findings) -> None:
    for layer in layers.of_workspace:
        if layer.get(key) is not None:
            found.add(f"assent.{key} counts only in your user settings.", layer, key)
