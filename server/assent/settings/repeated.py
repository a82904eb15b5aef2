"""A setting that stands in a file more than once, or in both spellings: the restricting reading of all of them counts.

An editor takes the last one. A person who reads the file may take any: nothing is permitted that one of them forbids.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.model.limits import (
    ENVIRONMENT,
    LIMIT_NAMES,
    PASS,
    PATH,
    SHELL_LIMITS,
    WITHHOLD,
    LimitWords,
    parse_limit,
)
from assent.model.modes import parse_mode, tightest
from assent.model.patience import parse_seconds, parse_when
from assent.model.sandbox import SandboxKind
from assent.model.secrets_reading import parse_reading
from assent.settings.jsonc import Document, Member, Node
from assent.settings.spelling import PREFIX, find_setting, spelled_out

_BYPASS = "bypassPermissions"


@dataclass(frozen=True, slots=True)
class Said:
    """What a document says of each setting, by its name without the prefix."""

    counts: Mapping[str, Node] = field(default_factory=dict)
    overruled: Mapping[str, Json] = field(default_factory=dict)
    """What an editor reads where something stricter counts."""
    unclear: Mapping[str, Node] = field(default_factory=dict)
    """Restrictions that make no sense, where the same setting also has some that do: both count."""

    @property
    def values(self) -> dict[str, Json]:
        return {name: node.value for name, node in self.counts.items() if node.value is not None}


NOTHING_SAID = Said(MappingProxyType({}))


def said_in(document: Document) -> Said:
    """Every setting of this product in the document, each in the reading that restricts most."""
    root = document.root
    if root is None:
        return NOTHING_SAID
    counts: dict[str, Node] = {}
    overruled: dict[str, Json] = {}
    unclear: dict[str, Node] = {}
    for name, nodes in occurrences(root).items():
        if len(nodes) == 1 and not document.repeated:
            counts[name] = nodes[0]
            continue
        told, senseless = _sorted_out(name, nodes)
        counts[name] = _RULES.get(name, _last)(told)
        if senseless is not None:
            unclear[name] = senseless
        members = find_setting(root, f"{PREFIX}.{name}")
        as_editors_read = members[-1].node.value if members else None
        if _spelled(as_editors_read) != _spelled(counts[name].value):
            overruled[name] = as_editors_read
    return Said(counts, overruled, unclear)


def occurrences(root: Node) -> dict[str, list[Node]]:
    """The values of each setting, in the order of the text."""
    found: dict[str, list[Node]] = {}
    for name, member in spelled_out(root):
        found.setdefault(name, []).append(member.node)
    return found


def _sorted_out(name: str, nodes: list[Node]) -> tuple[list[Node], Node | None]:
    """The values to choose from, without null beside others; of restrictions, one that makes no sense stands apart."""
    told = [node for node in nodes if node.value is not None]
    if not told or (name in _PERMITTING and len(told) < len(nodes)):
        return [node for node in nodes if node.value is None], None
    senseless = [node for node in told if node.members is None] if name in _UNITED else []
    if 0 < len(senseless) < len(told):
        return [node for node in told if node.members is not None], senseless[-1]
    return told, None


def _last(nodes: Sequence[Node]) -> Node:
    return nodes[-1]


def _not_true(nodes: Sequence[Node]) -> Node:
    return next((node for node in nodes if node.value is not True and node.value is not None), nodes[-1])


def _tightest_mode(nodes: Sequence[Node]) -> Node:
    by_mode = {mode: node for node in nodes if (mode := parse_mode(node.value)) is not None}
    return by_mode[tightest(by_mode)] if by_mode else nodes[-1]


def _shortest(nodes: Sequence[Node]) -> Node:
    by_seconds = {seconds: node for node in nodes if (seconds := parse_seconds(node.value)) is not None}
    return by_seconds[min(by_seconds)] if by_seconds else nodes[-1]


def _strictest_when(nodes: Sequence[Node]) -> Node:
    by_looseness = {when.looseness: node for node in nodes if (when := parse_when(node.value)) is not None}
    return by_looseness[min(by_looseness)] if by_looseness else nodes[-1]


def _strictest_reading(nodes: Sequence[Node]) -> Node:
    by_looseness = {said.looseness: node for node in nodes if (said := parse_reading(node.value)) is not None}
    return by_looseness[min(by_looseness)] if by_looseness else nodes[-1]


def _smallest_limits(nodes: Sequence[Node]) -> Node:
    smallest = {name: _smallest(LIMIT_NAMES.get(name), found) for name, found in _by_name(nodes).items()}
    return _no_object(nodes) or _object(nodes[-1], smallest)


def _strictest_shell(nodes: Sequence[Node]) -> Node:
    own = {PATH: _agreed, ENVIRONMENT: _strictest_environment}
    strictest = {
        name: own[name](found) if name in own else _smallest(_SHELL_NUMBERS.get(name), found)
        for name, found in _by_name(nodes).items()
    }
    return _no_object(nodes) or _object(nodes[-1], strictest)


def _strictest_environment(nodes: Sequence[Node]) -> Node:
    """What one of them withholds is withheld; what only one of them passes is not passed."""
    rules = {PASS: _common_items, WITHHOLD: _united_patterns}
    wrong = _no_object(nodes)
    if wrong is not None:
        return wrong
    in_all = set.intersection(*(set(node.last) for node in nodes))
    told = {name: found for name, found in _by_name(nodes).items() if name != PASS or name in in_all}
    return _object(nodes[-1], {name: rules.get(name, _last)(found) for name, found in told.items()})


def _strictest_sandbox(nodes: Sequence[Node]) -> Node:
    strictest = {name: _SANDBOX.get(name, _last)(found) for name, found in _by_name(nodes).items()}
    return _no_object(nodes) or _object(nodes[-1], strictest)


def _agreed(nodes: Sequence[Node]) -> Node:
    """What all of them say; where they differ, nothing."""
    return nodes[-1] if len({_spelled(node.value) for node in nodes}) == 1 else _senseless(nodes[-1])


def _not_off(nodes: Sequence[Node]) -> Node:
    return next((node for node in reversed(nodes) if node.value not in (None, SandboxKind.OFF)), nodes[-1])


def _smallest(words: LimitWords | None, nodes: Sequence[Node]) -> Node:
    by_number = {number: node for node in nodes if words and (number := parse_limit(words, node.value)) is not None}
    return by_number[min(by_number)] if by_number else nodes[-1]


def _bypass_map(nodes: Sequence[Node]) -> Node:
    return _no_object(nodes) or _merged(nodes, _not_true)


def _united_rules(nodes: Sequence[Node]) -> Node:
    return _no_object(nodes) or _merged(nodes, _united_patterns)


def _united_patterns(nodes: Sequence[Node]) -> Node:
    if len(nodes) == 1 and nodes[0].items is None:
        return nodes[0]
    # What is no list among lists is an entry that nobody can understand: it holds for the whole tool.
    items = [item for node in nodes for item in (_unambiguous(node) if node.items is not None else [_senseless(node)])]
    return _list(nodes[-1], items)


def _common_rules(nodes: Sequence[Node]) -> Node:
    wrong = _no_object(nodes)
    if wrong is not None:
        return wrong
    in_all = set.intersection(*(set(node.last) for node in nodes))
    merged = _merged(nodes, _common_items)
    return _object(merged, {name: member.node for name, member in merged.last.items() if name in in_all})


def _common_items(nodes: Sequence[Node]) -> Node:
    wrong = next((node for node in nodes if node.items is None), None)
    if wrong is not None:
        return wrong
    elsewhere = [{_spelled(item.value) for item in node.items or ()} for node in nodes[:-1]]
    items = [item for item in _unambiguous(nodes[-1]) if all(_spelled(item.value) in others for others in elsewhere)]
    return _list(nodes[-1], items)


def _agents(nodes: Sequence[Node]) -> Node:
    return _no_object(nodes) or _merged(nodes, _one_agent)


def _one_agent(nodes: Sequence[Node]) -> Node:
    """Of definitions that differ none counts, only that one of them takes the bypass away."""
    if len({_spelled(node.value) for node in nodes}) == 1 and not any(map(_is_ambiguous, nodes)):
        return nodes[-1]
    beside = [member.node for node in nodes for member in node.members or () if member.key == _BYPASS]
    return _object(nodes[-1], {_BYPASS: _not_true(beside)} if beside else {})


def _servers(nodes: Sequence[Node]) -> Node:
    return _no_object(nodes) or _merged(nodes, _one_server)


def _one_server(nodes: Sequence[Node]) -> Node:
    """Of definitions that differ none counts."""
    same = len({_spelled(node.value) for node in nodes}) == 1 and not any(map(_is_ambiguous, nodes))
    return nodes[-1] if same else _object(nodes[-1], {})


def _one_service(nodes: Sequence[Node]) -> Node:
    """Of addresses that differ none counts."""
    return _senseless(nodes[-1]) if any(map(_is_ambiguous, nodes)) else _agreed(nodes)


def _no_object(nodes: Sequence[Node]) -> Node | None:
    return next((node for node in nodes if node.members is None), None)


def _merged(nodes: Sequence[Node], rule: Callable[[Sequence[Node]], Node]) -> Node:
    return _object(nodes[-1], {name: rule(found) for name, found in _by_name(nodes).items()})


def _by_name(nodes: Sequence[Node]) -> dict[str, list[Node]]:
    entries: dict[str, list[Node]] = {}
    for node in nodes:
        for member in node.members or ():
            entries.setdefault(member.key, []).append(member.node)
    return entries


def _unambiguous(node: Node) -> list[Node]:
    """The items; an object that says the same key twice makes no sense here."""
    return [_senseless(item) if _is_ambiguous(item) else item for item in node.items or ()]


def _is_ambiguous(node: Node) -> bool:
    return len(node.members or ()) != len(node.last)


def _senseless(node: Node) -> Node:
    return Node(node.start, node.end, None)


def _object(like: Node, entries: Mapping[str, Node]) -> Node:
    last = {name: Member(name, node.start, node) for name, node in entries.items()}
    value = {name: node.value for name, node in entries.items()}
    return Node(like.start, like.end, value, members=list(last.values()), last=last)


def _list(like: Node, items: list[Node]) -> Node:
    return Node(like.start, like.end, [item.value for item in items], items=items)


def _spelled(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


_SHELL_NUMBERS: Mapping[str, LimitWords] = {words.name: words for words in SHELL_LIMITS.values()}
_SANDBOX: Mapping[str, Callable[[Sequence[Node]], Node]] = {
    "enabled": _not_off,
    "autoAllow": _not_true,
    "network": _not_true,
    "writable": _common_items,
}
_UNITED = ("alwaysDenyRules", "alwaysAskRules")
_PERMITTING = ("alwaysAllowRules", "toolAllowlist", "additionalWorkingDirectories")
_RULES: Mapping[str, Callable[[Sequence[Node]], Node]] = {
    "mode": _tightest_mode,
    "enabled": _not_true,
    "sessionGrants": _not_true,
    "approvalTimeoutSeconds": _shortest,
    "approvalTimeoutWhen": _strictest_when,
    "secrets.reading": _strictest_reading,
    "limits": _smallest_limits,
    "shell": _strictest_shell,
    "sandbox": _strictest_sandbox,
    "images": _one_service,
    "speech": _one_service,
    "webSearch": _one_service,
    "streaming": _not_true,
    _BYPASS: _bypass_map,
    "agents": _agents,
    "mcpServers": _servers,
    "collections": _servers,
    **dict.fromkeys(_UNITED, _united_rules),
    "alwaysAllowRules": _common_rules,
    "hooks": _common_rules,
    "toolAllowlist": _common_items,
    "additionalWorkingDirectories": _common_items,
}
READ_BY_THE_LAST_ONE = frozenset({"agent"})
"""Settings of which a workspace's value may count, and no value restricts more than another."""
RESTRICTED_BY_REPETITION = frozenset(_RULES)
