"""Everything in the settings that lets something run without asking, entry by entry, and the rules that restrict."""

import json
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.model.modes import Mode, parse_mode
from assent.policy.matrix import Cell
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import WHOLE_TOOL, Effect
from assent.settings.agents import BYPASS_SETTING
from assent.settings.bypass_map import bypasses_in
from assent.settings.choices import mode_of
from assent.settings.consent_file import Consent
from assent.settings.definitions import Agents
from assent.settings.directories import directories_in, texts_in
from assent.settings.effective import Effective
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers, Origin, Scope
from assent.settings.loosening import (
    ALLOWLIST,
    DIRECTORIES,
    MODE,
    At,
    LooseningEntry,
    cell_entry,
    mode_entry,
    shown,
)
from assent.settings.matrix_overrides import KEY as MATRIX_OVERRIDES
from assent.settings.matrix_overrides import cells_in
from assent.settings.permitted_servers import permitted_servers
from assent.settings.rule_entries import permissions_in, tools_in
from assent.settings.rule_reading import KEYS, rules_in
from assent.settings.scales import Scales, Standing


class StoredKind(StrEnum):
    """What an entry permits; of a rule that restricts, what that does."""

    TOOL = "tool"
    RULE = "rule"
    DENY_RULE = "deny_rule"
    ASK_RULE = "ask_rule"
    BYPASS_AGENT = "bypass_agent"
    ROOT = "root"
    MODE = "mode"
    MATRIX = "matrix"
    SERVER = "server"
    SERVER_TRUST = "server_trust"


@dataclass(frozen=True, slots=True)
class StoredGrant:
    """One entry as it stands in the settings."""

    kind: StoredKind
    setting: str
    path: tuple[str, ...]
    """Below the setting, to the entry or to the list that holds it."""
    value: Json
    words: str
    origin: Origin
    effective: bool
    is_item: bool = False
    """It is an item of the list that stands there."""
    entry: LooseningEntry | None = None
    """What a user agreed to; None of what forbids."""
    agents: tuple[tuple[str, str | None], ...] = ()
    """The agents that it is for, each as it is defined now."""
    also: tuple[Consent, ...] = ()
    """What was agreed to besides and means nothing without it."""
    folder: Path | None = None
    """The folder whose own file must be changed; None where the editor knows the place."""

    @property
    def key(self) -> str:
        """Equal for the same entry, whatever else changes around it."""
        place = [self.origin.scope.value, str(self.folder), self.setting, list(self.path)]
        return json.dumps([*place, self.value if self.is_item else None], sort_keys=True)

    @property
    def digest(self) -> str:
        """Another one as soon as the entry says or means something else: who saw the one before saw another entry."""
        meant = self.entry.digest if self.entry is not None else None
        said = [self.key, self.value, meant, [list(agent) for agent in self.agents]]
        return sha256(json.dumps(said, sort_keys=True).encode("ascii")).hexdigest()[:32]


def stored_grants(
    layers: Layers, agents: Agents, facts: Facts, scales: Scales, now: Effective, *, first: Path | None
) -> tuple[StoredGrant, ...]:
    """The entries of all layers, the user's first. What a file and the editor both say of one place is one entry."""
    lister = _Lister(agents, facts, scales, now, first)
    found: dict[str, StoredGrant] = {}
    for layer in (layers.user, layers.workspace, layers.folder, *layers.others):
        for grant in lister.of_layer(layer, layers):
            found.setdefault(grant.key, grant)
    if layers.disk is not None:
        said = {(grant.setting, grant.path, json.dumps(grant.value)) for grant in found.values() if not grant.folder}
        for grant in lister.restricting(layers.disk, first):
            if (grant.setting, grant.path, json.dumps(grant.value)) not in said:
                found.setdefault(grant.key, grant)
    return tuple(found.values())


class _Lister:
    def __init__(self, agents: Agents, facts: Facts, scales: Scales, now: Effective, first: Path | None) -> None:
        self._agents, self._facts, self._scales, self._now, self._first = agents, facts, scales, now, first

    def of_layer(self, layer: Layer, layers: Layers) -> Iterator[StoredGrant]:
        folder = Path(layer.folder) if layer.folder is not None else None
        if layer is layers.folder:
            folder = self._first
        yield from self.restricting(layer, folder)
        if layer.only_restricts or layer.fault is not None:
            return
        for permits in (self._bypasses, self._rules, self._tools, self._roots, self._modes, self._servers):
            yield from permits(layer, folder)
        if layer.scope is Scope.USER:
            yield from self._cells(layer)

    def restricting(self, layer: Layer, folder: Path | None) -> Iterator[StoredGrant]:
        for effect, (kind, does) in _RESTRICTS.items():
            for rule, path in rules_in(layer, effect, Findings()):
                whole = "every call of the tool" if rule.pattern == WHOLE_TOOL else shown(rule.pattern)
                words = f"{does} {shown(rule.tool)}: {whole}{_whose(rule.agents)}."
                yield _placed(kind, At(layer, KEYS[effect], path), words, folder, effective=True)

    def _rules(self, layer: Layer, folder: Path | None) -> Iterator[StoredGrant]:
        known = self._agents.own if layer.scope is Scope.USER else self._agents.now
        for permission in permissions_in(layer, Findings()):
            rule, entry = permission.rule, permission.entry(known)
            which = "" if rule.pattern == WHOLE_TOOL else f" that matches {shown(rule.pattern)}"
            words = f"Every call of the tool {shown(rule.tool)}{which} runs without asking{_whose(rule.agents)}."
            there = any((one.tool, one.pattern) == (rule.tool, rule.pattern) for one in self._now.rules.rules)
            counts = there and self._counts(layer, entry) and not RuleBook((rule,)).faults
            yield _placed(
                StoredKind.RULE, permission.at, words, folder, entry, counts, self._defined(rule.agents or ())
            )

    def _tools(self, layer: Layer, folder: Path | None) -> Iterator[StoredGrant]:
        for index, (tool, entry) in enumerate(tools_in(layer, Findings())):
            counts = tool in self._now.rules.always_allowed and self._counts(layer, entry)
            words = f"Every call of the tool {shown(tool)} runs without asking."
            yield _placed(StoredKind.TOOL, At(layer, ALLOWLIST, (index,)), words, folder, entry, counts)

    def _roots(self, layer: Layer, folder: Path | None) -> Iterator[StoredGrant]:
        for index, text in enumerate(texts_in(layer) or ()):
            alone = Layer(layer.scope, {DIRECTORIES: [text]}, folder=layer.folder)
            for real, entry in directories_in(alone, self._facts, Findings()):
                words = f"The directory {shown(real)} counts as part of the workspace."
                counts = bool(self._now.additional_directories) and self._counts(layer, entry)
                yield _placed(StoredKind.ROOT, At(layer, DIRECTORIES, (index,)), words, folder, entry, counts)

    def _bypasses(self, layer: Layer, folder: Path | None) -> Iterator[StoredGrant]:
        found = (
            (name, entry)
            for name, agent in self._agents.if_agreed.items()
            for entry in bypasses_in(layer, {name: agent})
        )
        for name, entry in found:
            flat = layer.get(BYPASS_SETTING)
            beside = not (isinstance(flat, dict) and flat.get(name) is not None)
            counts = (
                self._now.bypass(name).on
                and self._counts(layer, entry)
                and self._agents.now.get(name) == self._agents.if_agreed[name]
                and (layer.scope is not Scope.USER or self._agents.is_own(name))
            )
            words = f"Every call of the agent {shown(name)} runs without asking, except on protected files."
            yield StoredGrant(
                StoredKind.BYPASS_AGENT,
                BYPASS_SETTING,
                (name,),
                None if beside else True,
                words,
                entry.origin,
                counts,
                entry=entry,
                agents=self._defined((name,)),
                folder=folder,
            )

    def _servers(self, layer: Layer, folder: Path | None) -> Iterator[StoredGrant]:
        for one in permitted_servers(layer, self._facts, self._now.mcp_servers):
            started = None if one.entry is None else self._counts(layer, one.entry)
            trusted = one.trust is not None and self._counts(layer, one.trust)
            if one.entry is not None:
                also = (one.trust.consent,) if one.trust is not None and trusted else ()
                counts = one.counts and started is True
                grant = _placed(StoredKind.SERVER, one.at, one.words, folder, one.entry, counts)
                yield replace(grant, also=also)
            if one.trust is not None:
                counts = one.believed and trusted and started is not False
                yield _placed(StoredKind.SERVER_TRUST, one.trust_at, one.trust_words, folder, one.trust, counts)

    def _modes(self, layer: Layer, folder: Path | None) -> Iterator[StoredGrant]:
        mode = mode_of(layer, Findings(), in_doubt=None)
        if mode is not Mode.AUTO:
            return
        entry = mode_entry(At(layer, MODE), mode, Mode.DEFAULT)
        counts = self._now.mode_for_new_chats is mode and self._counts(layer, entry)
        words = f"New chats start in the mode “{mode.label}”: calls run without asking, except on protected files."
        yield _placed(StoredKind.MODE, At(layer, MODE), words, folder, entry, counts)

    def _cells(self, user: Layer) -> Iterator[StoredGrant]:
        for entry, path in _loosened_cells(user):
            mode, category = parse_mode(path[0]), path[1]
            assert mode is not None
            counts = self._counts(user, entry) and Cell.AUTO in self._now.matrix_overrides.get(mode, {}).values()
            words = f"In the mode “{mode.label}”, every call of the category {category} runs without asking."
            yield _placed(StoredKind.MATRIX, At(user, MATRIX_OVERRIDES, path), words, None, entry, counts)

    def _counts(self, layer: Layer, entry: LooseningEntry) -> bool:
        return self._scales.standing(layer, entry, asks=False) is Standing.COUNTS

    def _defined(self, names: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
        agents = ((name, self._agents.now.get(name)) for name in names)
        return tuple((name, agent.digest if agent else None) for name, agent in agents)


_RESTRICTS = {
    Effect.DENY: (StoredKind.DENY_RULE, "Never"),
    Effect.ASK: (StoredKind.ASK_RULE, "Always ask about"),
}


def _loosened_cells(user: Layer) -> Iterator[tuple[LooseningEntry, tuple[str, str]]]:
    for mode, category, cell, path in cells_in(user, Findings()):
        if cell is Cell.AUTO:
            yield cell_entry(At(user, MATRIX_OVERRIDES, path), mode, category), (path[0], path[1])


def _placed(
    kind: StoredKind,
    at: At,
    words: str,
    folder: Path | None,
    entry: LooseningEntry | None = None,
    effective: bool = False,
    agents: tuple[tuple[str, str | None], ...] = (),
) -> StoredGrant:
    value: Json = at.layer.get(at.setting)
    for step in at.path:
        value = _below(value, step)
    names = tuple(step for step in at.path if isinstance(step, str))
    origin = at.layer.origin(at.setting, *at.path)
    is_item = len(names) < len(at.path)
    return StoredGrant(kind, at.setting, names, value, words, origin, effective, is_item, entry, agents, folder=folder)


def _below(value: Json, step: str | int) -> Json:
    if isinstance(step, int):
        return value[step] if isinstance(value, list) and step < len(value) else None
    return value.get(step) if isinstance(value, dict) else None


def _whose(agents: tuple[str, ...] | None) -> str:
    return "" if agents is None else f", for {' and '.join(map(shown, agents)) or 'no agent'}"
