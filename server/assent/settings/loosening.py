"""The smallest things of which a user may say that they count: one rule, one tool, one agent, one directory, one mode.

Each is bound by a digest to all that it means, so that nothing else passes under an answer that was given to it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from hashlib import sha256
from itertools import islice
from typing import TypeVar

from assent.lazy_dataclasses import dataclass
from assent.model.hooks import Hook, HookEvent
from assent.model.json import Json, JsonObject
from assent.model.modes import Category, Mode
from assent.model.services import Maker, ServiceChoice
from assent.policy.matrix import MATRIX
from assent.policy.rules.rule import WHOLE_TOOL, Rule
from assent.settings.agents import AgentDefinition, bypass_consent
from assent.settings.consent_file import Consent
from assent.settings.facts import FilesOf
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Origin, Scope

T = TypeVar("T")

ALLOW_RULES = "alwaysAllowRules"
ALLOWLIST = "toolAllowlist"
DIRECTORIES = "additionalWorkingDirectories"
MODE = "mode"
AGENT = "agent"
AGENTS = "agents"
MCP_SERVERS = "mcpServers"
HOOKS = "hooks"


COLLECTIONS = "collections"

MOST_ENTRIES = 200
"""Of one setting of one workspace: a hostile file can hold tens of thousands."""

# The ledger has to stay small, and a sentence has to be read.
_LONGEST_NAME = 1000
_LONGEST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class LooseningEntry:
    """Something in the settings that would let more run without asking, and what it would let run, in words."""

    setting: str
    entry: str
    digest: str
    words: str
    before: Json = field(hash=False)
    """What counts without it, as JSON; None where nothing does."""
    after: Json = field(hash=False)
    """What would count with it, as JSON."""
    origin: Origin
    folder: str | None = None
    """The folder whose settings hold it; None for the workspace's first, and for the user's own settings."""

    @property
    def consent(self) -> Consent:
        """What the user's answer is bound to."""
        return Consent(self.setting, self.entry, self.digest)


def few(layer: Layer, entries: Iterable[T], found: Findings, key: str) -> Iterator[T]:
    """As many entries of one setting as count at most; the user's own count without end."""
    most = None if layer.scope is Scope.USER else MOST_ENTRIES
    rest = iter(entries)
    yield from islice(rest, most)
    if next(rest, None) is not None:
        found.add(f"Only the first {most} entries of assent.{key} are looked at; the others do not count.", layer, key)


@dataclass(frozen=True, slots=True)
class At:
    """Where an entry stands: in which layer, under which setting, and on which path below it."""

    layer: Layer
    setting: str
    path: tuple[str | int, ...] = ()

    def entry(self, consent: Consent, words: str, after: Json, before: Json = None) -> LooseningEntry:
        """The entry that stands here."""
        origin = self.layer.origin(self.setting, *self.path)
        return LooseningEntry(
            consent.setting, consent.entry, consent.digest, words, before, after, origin, self.layer.folder
        )


def rule_entry(at: At, rule: Rule, after: Json, agents: Mapping[str, AgentDefinition]) -> LooseningEntry:
    """An allow rule of one tool, for the agents that it names as they are defined now."""
    digests = None if rule.agents is None else {name: _digest_of(agents.get(name)) for name in rule.agents}
    whose = "" if digests is None else f" of {' and '.join(shown(name) for name in sorted(digests)) or 'no agent'}"
    which = "" if rule.pattern == WHOLE_TOOL else f" that matches {shown(rule.pattern)}"
    words = f"Every call{whose} of the tool {shown(rule.tool)}{which} would run without asking."
    return at.entry(rule_consent(rule.tool, rule.pattern, digests), words, after)


def tool_entry(at: At, tool: str) -> LooseningEntry:
    """A tool that is always allowed."""
    return at.entry(tool_consent(tool), f"Every call of the tool {shown(tool)} would run without asking.", tool)


def bypass_entry(at: At, agent: AgentDefinition, before: Json = None) -> LooseningEntry:
    """An agent that asks no more. It may stand beside the agent's definition, too."""
    words = f"Every call of the agent {shown(agent.name)} would run without asking, except on protected files."
    return at.entry(consent_to_bypass(agent), words, True, before)


def directory_entry(at: At, real: str) -> LooseningEntry:
    """A directory that counts as part of the workspace."""
    words = (
        f"The directory {shown(real)} would count as part of the workspace: what agents may do here, they may there."
    )
    return at.entry(directory_consent(real), words, real)


def writable_entry(at: At, real: str) -> LooseningEntry:
    """A directory that can be written from inside the sandbox."""
    words = f"Commands in the sandbox could change everything in the directory {shown(real)}."
    # The place in the list is no part of what is agreed to.
    name = next(step for step in at.path if isinstance(step, str))
    return at.entry(_consent(at.setting, f"{name} {real}", [name, real]), words, real)


def shell_entry(at: At, program: str, real: str, before: str | None) -> LooseningEntry:
    """A program that every command is given to, as long as its path leads to the same place."""
    leads = f", which is {shown(real)}" if real != program else ""
    words = f"Every shell command would be run by the program {shown(program)}{leads}."
    consent = _consent(at.setting, " ".join((*map(str, at.path), program)), [*at.path, program, real])
    return at.entry(consent, words, program, before)


def variable_entry(at: At, name: str) -> LooseningEntry:
    """A variable that commands get, though it looks secret or makes programs do something else."""
    which = f"variables whose name begins with {shown(name[:-1])}" if name.endswith("*") else f"variable {shown(name)}"
    words = f"Commands would get your {which}, even where it looks like a secret or changes what programs do."
    # The place in the list is no part of what is agreed to.
    steps = [step for step in at.path if isinstance(step, str)]
    return at.entry(_consent(at.setting, " ".join((*steps, name)), [*steps, name]), words, name)


def mode_entry(at: At, mode: Mode, before: Mode) -> LooseningEntry:
    """A mode for new chats."""
    words = f"New chats would start in the mode “{mode.label}” instead of “{before.label}”: {_PERMITS[mode]}."
    return at.entry(_consent(MODE, mode.value, [mode.value]), words, mode.value, before.value)


def agent_choice_entry(at: At, agent: AgentDefinition, before: str | None) -> LooseningEntry:
    """An agent for new chats."""
    words = f"New chats would start with the agent {shown(agent.name)}."
    return at.entry(_consent(AGENT, agent.name, [agent.name, agent.digest]), words, agent.name, before)


def cell_entry(at: At, mode: Mode, category: Category) -> LooseningEntry:
    """A cell of the matrix that runs."""
    words = f"In the mode “{mode.label}”, every call of the category {category} would run without asking."
    name = f"{mode}.{category}"
    return at.entry(_consent(at.setting, name, [name, "auto"]), words, "auto", MATRIX[mode, category].value)


def switch_entry(at: At, words: str, value: bool) -> LooseningEntry:
    """A switch of the machine in its looser position."""
    return at.entry(_consent(at.setting, at.setting, [value]), words, value, not value)


def graded_entry(at: At, value: Json, before: Json, words: str) -> LooseningEntry:
    """A value that is looser than another one: how long a call waits for an answer, how far a run may go."""
    said = value if isinstance(value, str) else json.dumps(value)
    entry = " ".join((*map(str, at.path), said))
    return at.entry(_consent(at.setting, entry, [*at.path, value]), words, value, before)


def definition_entry(
    at: At, agent: AgentDefinition, files: FilesOf, before: AgentDefinition | None = None
) -> LooseningEntry:
    """An agent as a workspace defines it, with the workspace's files that it names."""
    meaning: Json = [agent.name, agent.digest, [[file.name, file.digest] for file in files]]
    consent = _consent(AGENTS, agent.name, meaning)
    # Definitions of one name may stand in several scopes: an answer on one of them is none on another.
    consent = Consent(AGENTS, f"{consent.entry} {consent.digest[:12]}", consent.digest)
    words = _definition_words(agent) + _files_words(files)
    return at.entry(consent, words, dict(agent.definition), dict(before.definition) if before else None)


def server_entry(
    at: At, name: str, digest: str, definition: JsonObject, files: FilesOf, before: JsonObject | None = None
) -> LooseningEntry:
    """An MCP server as a workspace defines it, with the workspace's files that it names."""
    consent = _consent(MCP_SERVERS, name, [name, digest, [[file.name, file.digest] for file in files]])
    consent = Consent(MCP_SERVERS, f"{consent.entry} {consent.digest[:12]}", consent.digest)
    words = _server_words(name, definition) + _files_words(files)
    return at.entry(consent, words, dict(definition), dict(before) if before else None)


def server_trust_entry(at: At, name: str, digest: str, files: FilesOf) -> LooseningEntry:
    """The word of an MCP server, as it is defined, about what its own tools do."""
    meaning: Json = [name, digest, [[file.name, file.digest] for file in files], "trusted"]
    consent = _consent(MCP_SERVERS, f"trusted {name}", meaning)
    consent = Consent(MCP_SERVERS, f"{consent.entry} {consent.digest[:12]}", consent.digest)
    words = (
        f"The MCP server {shown(name)} would be believed: its tools that call themselves harmless would run without "
        "asking."
    )
    return at.entry(consent, words, True, False)


def service_entry(at: At, what: str, choice: ServiceChoice, digest: str, after: Json) -> LooseningEntry:
    """Who makes something for tools, as a workspace wants it: all of what it says, bound by its digest."""
    does = _MAKES[choice.maker].format(at=shown(choice.base_url or choice.maker))
    words = f"{what.capitalize()} would be made by {does}."
    return at.entry(_consent(at.setting, f"{choice.maker} {digest[:12]}", [choice.maker.value, digest]), words, after)


def hook_entry(at: At, hook: Hook, definition: JsonObject, files: FilesOf) -> LooseningEntry:
    """A program that is started around calls, with the workspace's files that it names."""
    meaning: Json = [hook.event.value, dict(definition), [[file.name, file.digest] for file in files]]
    consent = _consent(HOOKS, f"{hook.event} {hook.command}", meaning)
    # One command may be there twice, for other tools.
    consent = Consent(HOOKS, f"{consent.entry} {consent.digest[:12]}", consent.digest)
    words = f"{_STARTS[hook.event]} the program {shown(hook.command)} would be started without asking."
    return at.entry(consent, words + _files_words(files), dict(definition))


def collection_entry(at: At, name: str, real: str, globs: tuple[tuple[str, ...], tuple[str, ...]]) -> LooseningEntry:
    """Documents outside the workspace, by their real place and the globs that say which they are."""
    consent = _consent(COLLECTIONS, name, [name, real, *map(list, globs)])
    # Of one name there may be one in several scopes: an answer on one of them is none on another.
    consent = Consent(COLLECTIONS, f"{consent.entry} {consent.digest[:12]}", consent.digest)
    words = f"Agents could search and read documents in {shown(real)}, as the collection {shown(name)}, without asking."
    return at.entry(consent, words, real)


def consent_to_bypass(agent: AgentDefinition) -> Consent:
    """What a user agrees to who lets an agent, as it is defined now, run without asking."""
    consent = bypass_consent(agent.name, agent.digest)
    return Consent(consent.setting, bounded(consent.entry), consent.digest)


def rule_consent(tool: str, pattern: str, agents: Mapping[str, str | None] | None = None) -> Consent:
    """What a user agrees to who lets a tool run where this pattern matches; with the digests of its agents."""
    named: Json = None if agents is None else [[name, agents[name]] for name in sorted(agents)]
    entry: Json = [tool, pattern] if agents is None else [tool, pattern, sorted(agents)]
    return _consent(ALLOW_RULES, json.dumps(entry), [tool, pattern, named])


def tool_consent(tool: str) -> Consent:
    """What a user agrees to who always allows a tool."""
    return _consent(ALLOWLIST, tool, [tool])


def directory_consent(real: str) -> Consent:
    """What a user agrees to who takes a directory, by its real path, into the workspace."""
    return _consent(DIRECTORIES, real, [real])


def shown(text: str) -> str:
    """A text of a stranger in a sentence: quoted, on one line, nothing in it invisible, and not without end."""
    clipped = text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 20]}…{text[-20:]}"
    return "“" + "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in clipped) + "”"


def bounded(name: str) -> str:
    """A name that fits into the ledger, still another one for another name."""
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:100]}… {sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()}"


_READS = "what answers at {at}: it reads what agents ask for"
_MAKES = {
    Maker.CHAT: "the model of the chat",
    Maker.SYSTEM: "a program of this machine",
    Maker.OPENAI: _READS,
    Maker.AUTOMATIC1111: _READS,
    Maker.SEARXNG: _READS,
    Maker.BRAVE: _READS,
    Maker.TAVILY: _READS,
    Maker.CUSTOM: _READS,
}
_STARTS = {
    HookEvent.PRE_TOOL_USE: "Before calls of tools, which it can also allow,",
    HookEvent.POST_TOOL_USE: "After calls of tools",
    HookEvent.NOTIFICATION: "When a call waits or a run ends,",
}
_PERMITS = {
    Mode.PLAN: "what only reads in the workspace would run without asking, all else would be blocked",
    Mode.ASK: "agents could ask for what would otherwise be blocked",
    Mode.DEFAULT: "what only reads in the workspace would run without asking",
    Mode.AUTO: "every call would run without asking, except on protected files",
}


def _definition_words(agent: AgentDefinition) -> str:
    if isinstance(agent.definition.get("command"), str):
        return f"The agent {shown(agent.name)} would be the program {shown(command_line(agent.definition))}."
    address = agent.definition.get("baseUrl") or agent.definition.get("script") or agent.definition.get("provider")
    return f"The agent {shown(agent.name)} would be what answers at {shown(str(address))}: it reads what you write."


def _server_words(name: str, definition: JsonObject) -> str:
    url = definition.get("url")
    if isinstance(url, str):
        return f"The MCP server {shown(name)} would be what answers at {shown(url)}: it gets what its tools are given."
    return f"The MCP server {shown(name)} would be the program {shown(command_line(definition))}."


def command_line(definition: JsonObject) -> str:
    """The program of a definition with its arguments, on one line."""
    command, args = definition.get("command"), definition.get("args")
    words = [command, *(args if isinstance(args, list) else ())]
    return " ".join(word for word in words if isinstance(word, str))


def _files_words(files: FilesOf) -> str:
    names = ", ".join(shown(file.name) for file in files[:3])
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return f" It names files of this workspace as they are now: {names}{more}." if files else ""


def _digest_of(agent: AgentDefinition | None) -> str | None:
    return agent.digest if agent else None


def _consent(setting: str, entry: str, meaning: Json) -> Consent:
    written = json.dumps([setting, meaning])
    return Consent(setting, bounded(entry), sha256(written.encode("ascii")).hexdigest())
