"""What the settings of all scopes come to. Pure: the same layers, answers and facts give the same result.

A workspace's own files may restrict. What they would permit counts where the user agreed to it, entry by entry; a value
that cannot be understood never permits.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.collections import Collection
from assent.model.hooks import Hook
from assent.model.json import JsonObject
from assent.model.limits import Limits, ShellLimits
from assent.model.modes import Mode
from assent.model.patience import Allowance
from assent.model.sandbox import SandboxChoice
from assent.model.secrets_reading import SecretsReading
from assent.model.services import Makes, ServiceChoice, usual_service
from assent.settings.agents import AgentDefinition
from assent.settings.bypass_map import BypassVerdict, bypass_verdicts, check_bypass_maps
from assent.settings.choices import agent_for_new_chats, mode_for_new_chats
from assent.settings.collections import collections_of
from assent.settings.consent import ConsentLookup
from assent.settings.definitions import agents_of, files_named_by
from assent.settings.directories import directories_of
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.hooks import hooks_of
from assent.settings.layers import NOT_LOADED, Diagnostic, Layer, Layers
from assent.settings.limits import limits_of
from assent.settings.loosening import LooseningEntry
from assent.settings.matrix_overrides import Overrides, matrix_overrides
from assent.settings.mcp_servers import Servers, servers_of
from assent.settings.rule_entries import RuleSettings, rule_settings
from assent.settings.rule_reading import in_doubt
from assent.settings.sandbox import no_looser_sandbox_than_usual, sandbox_of
from assent.settings.scales import Consents, Scales, nobody_answered
from assent.settings.secrets_reading import SECRETS_READING
from assent.settings.services import service_of
from assent.settings.shell_limits import shell_limits_of
from assent.settings.switches import all_on, machine_switch, report_foreign, users_are_known
from assent.settings.timeouts import allowance_of

UNKNOWN_RESTRICTIONS = "Some settings cannot be read, and what they restrict is not known, so no bypass counts."


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
    no_bypass: str
    """Why no bypass counts, as a sentence; empty where one may."""
    write_target: WriteTarget
    confirm_outside_workspace: bool
    enabled: bool
    diagnostics: tuple[Diagnostic, ...]
    rules: RuleSettings = field(default_factory=RuleSettings)
    verdicts: Mapping[str, BypassVerdict] = field(default_factory=dict)
    awaiting: tuple[LooseningEntry, ...] = ()
    """What would loosen something and has neither been agreed to nor refused."""
    answered: tuple[LooseningEntry, ...] = ()
    """What would, and has been answered: it counts, or the user ignores it."""
    additional_directories: tuple[str, ...] = ()
    """Directories that count as part of the workspace, by their real paths."""
    session_grants: bool = True
    """Whether anything may be allowed for a chat."""
    matrix_overrides: Overrides = field(default_factory=dict)
    named_files: tuple[str, ...] = ()
    """Files of the workspace that the command of an agent, a server or a hook names: who changes them changes that."""
    agents_if_agreed: Mapping[str, AgentDefinition] = field(default_factory=dict)
    """The agents that there would be, if the user agreed to all that waits."""
    allowance: Allowance = Allowance()
    """How long a call waits for an answer."""
    limits: Limits = Limits()
    """How far a run may go."""
    shell: ShellLimits = ShellLimits()
    """What runs shell commands, and how much they may take."""
    sandbox: SandboxChoice = SandboxChoice()
    """What holds them, and what it leaves open."""
    mcp_servers: Servers = field(default_factory=dict)
    """Programs and addresses whose tools agents may use, by name."""
    images: ServiceChoice = usual_service(Makes.IMAGES)
    speech: ServiceChoice = usual_service(Makes.SPEECH)
    """Who makes pictures and speech."""
    hooks: tuple[Hook, ...] = ()
    """Programs that are asked about calls, or told of something."""
    web_search: ServiceChoice = usual_service(Makes.SEARCHES)
    """Who searches the web."""
    collections: tuple[Collection, ...] = ()
    """Documents that agents may search, by name."""
    secrets_reading: SecretsReading = SecretsReading.MASK
    """What becomes of keys and tokens that a model is about to read."""
    streaming: bool = True
    """Whether models are asked for their answers piece by piece."""

    @property
    def bypass_available(self) -> bool:
        """Whether any bypass may count."""
        return not self.no_bypass

    def bypass(self, agent: str) -> BypassVerdict:
        """Whether this agent's calls run without asking, and who said so. No for an agent that is not defined."""
        return self.verdicts.get(agent) or BypassVerdict(False, "No agent of this name is defined.")


def effective(
    layers: Layers,
    *,
    consents: Consents = nobody_answered,
    workspace_trusted: bool | None = None,
    builtin_agents: Mapping[str, JsonObject] | None = None,
    facts: Facts | None = None,
    withheld: ConsentLookup | None = None,
) -> Effective:
    """What these layers come to. `workspace_trusted` is None where the client does not say.

    `withheld` names entries of the user's own settings that do not count, although they stand there.
    """
    found = Findings()
    found.report_unreadable(layers)
    facts = facts or Facts()
    # A restriction that makes no sense may have been about anything: until it does, nothing stored permits.
    doubt = in_doubt(layers)
    trusted = workspace_trusted is not False
    scales = Scales(layers, consents, found, trusted=trusted, in_doubt=doubt, withheld=withheld)
    agents = agents_of(layers, builtin_agents or {}, facts, scales, found)
    rules = rule_settings(layers, agents, scales, found)
    available = machine_switch(layers, "bypassAvailable", scales, found, in_doubt=False)
    no_bypass = (
        UNKNOWN_RESTRICTIONS if doubt else "" if available else "assent.bypassAvailable takes every bypass away."
    )
    check_bypass_maps(layers, agents.if_agreed, found)
    report_foreign(layers, ("bypassAvailable", "confirmOutsideWorkspace", "bypassWriteTarget"), found)
    mode_ceiling = Mode.ASK if doubt or not layers.loaded else None
    overrides = matrix_overrides(layers, scales, found, permits=mode_ceiling is None)
    directories = directories_of(layers, facts, scales, found)
    sandbox = sandbox_of(layers, facts, scales, found)
    servers = servers_of(layers, facts, scales, found)
    hooks = hooks_of(layers, facts, scales, found, permit=not doubt, trusted=trusted)
    collections = collections_of(layers, facts, scales, found)
    return Effective(
        mode_for_new_chats=mode_for_new_chats(layers, overrides, scales, found),
        mode_ceiling=mode_ceiling,
        agent_for_new_chats=agent_for_new_chats(layers, agents, scales, found),
        agents=agents.now,
        no_bypass=no_bypass,
        write_target=_write_target(layers.user, found),
        confirm_outside_workspace=machine_switch(layers, "confirmOutsideWorkspace", scales, found, in_doubt=True)
        or doubt,
        enabled=all_on(layers, "enabled", found),
        rules=rules,
        verdicts=bypass_verdicts(layers, agents, scales, none=no_bypass),
        additional_directories=() if doubt else directories,
        session_grants=all_on(layers, "sessionGrants", found) and users_are_known(layers) and not doubt,
        matrix_overrides=overrides,
        allowance=allowance_of(layers, scales, found),
        limits=limits_of(layers, scales, found),
        shell=shell_limits_of(layers, facts, scales, found),
        sandbox=no_looser_sandbox_than_usual(sandbox) if doubt else sandbox,
        images=service_of(Makes.IMAGES, layers, scales, found),
        speech=service_of(Makes.SPEECH, layers, scales, found),
        hooks=hooks.counting,
        web_search=service_of(Makes.SEARCHES, layers, scales, found),
        collections=() if doubt else collections,
        secrets_reading=SECRETS_READING.weighed(layers, scales, found),
        streaming=all_on(layers, "streaming", found),
        mcp_servers=servers,
        named_files=files_named_by(_digests(agents.now) | _digests(servers) | hooks.digests, facts),
        agents_if_agreed=agents.if_agreed,
        awaiting=scales.waiting,
        answered=scales.answered,
        diagnostics=found.diagnostics,
    )


def before_settings(builtin_agents: Mapping[str, JsonObject] | None = None) -> Effective:
    """What counts until the first settings arrive."""
    return effective(NOT_LOADED, builtin_agents=builtin_agents)


def _digests(definitions: Mapping[str, AgentDefinition] | Servers) -> set[str]:
    return {one.digest for one in definitions.values()}


def _write_target(user: Layer, found: Findings) -> WriteTarget:
    value = user.get("bypassWriteTarget")
    if value is not None and value not in tuple(WriteTarget):
        found.wrong(user, '"workspace" or "user"; until it is, "workspace" counts', "bypassWriteTarget")
    return WriteTarget.USER if value == WriteTarget.USER.value else WriteTarget.WORKSPACE
