"""The rules of one effect about nodes, by their ids (`run_node`) or as `server:tool` of an MCP server (`mcp`).

A pattern is a glob over all of the name: `*` is any number of signs, `?` is one. Behind an `@` may stand the identity
of the one node that a permission was given for: once that is another one, it permits nothing. A permission without it
is for what the user's own settings define, and never for what a workspace brings. Restrictions hold for the name,
whatever stands behind it.
"""

import re

from assent.lazy_dataclasses import dataclass
from assent.model.nodes import MCP_TOOL, SHOWN_IDENTITY, NodeUse, without_identity
from assent.policy.rules.commands.index import Placed
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule

LONGEST = 300
_IDENTITY = re.compile(rf"[0-9a-f]{{{SHOWN_IDENTITY}}}")


@dataclass(frozen=True, slots=True)
class _Pattern:
    glob: str
    identity: str | None = None


class NodeRules:
    """All rules of one effect under one of the two names. They are added in their order."""

    def __init__(self, effect: Effect, tool: str) -> None:
        self._restricts = effect.restricts
        self._of_mcp = tool == MCP_TOOL
        self._rules: list[tuple[Placed, _Pattern]] = []

    def add(self, order: int, rule: Rule) -> str | None:
        """Takes up a rule; says why its pattern cannot be used. A restriction then holds for all that it may mean."""
        fault = self._fault(rule.pattern)
        if fault is None:
            self._rules.append((Placed(order, rule), self._read(rule.pattern)))
        elif self._restricts:
            self._rules.append((Placed(order, rule), _Pattern(WHOLE_TOOL)))
        return fault

    def restricts(self, node: NodeUse | None, agent: str) -> Placed | None:
        """The first rule that speaks of this node. Of a call that names none, each rule for all nodes does."""
        name = None if node is None else self._name(node)
        if name is None and (self._of_mcp or node is not None):
            return None
        return next((one for one, pattern in self._for(agent) if _may_mean(pattern, name)), None)

    def permits(self, node: NodeUse | None, agent: str) -> Placed | None:
        """The first rule that permits this node as it is."""
        name = None if node is None else self._name(node)
        if node is None or name is None or not node.identity:
            return None
        found = (one for one, pattern in self._for(agent) if _matches(pattern.glob, name) and _is_of(pattern, node))
        return next(found, None)

    def permitted_before(self, node: NodeUse, agent: str) -> bool:
        """Whether a rule permits what stood under this name, and that was something else."""
        name = self._name(node)
        return any(
            pattern.identity not in (None, node.short_identity) and name is not None and _matches(pattern.glob, name)
            for _, pattern in self._for(agent)
        )

    def _for(self, agent: str) -> list[tuple[Placed, _Pattern]]:
        return [(one, pattern) for one, pattern in self._rules if one.is_for(agent)]

    def _name(self, node: NodeUse) -> str | None:
        """Under which these rules know it; None where they do not speak of such nodes at all."""
        if not self._of_mcp:
            return node.node_id
        return f"{node.server}:{node.tool}" if node.server else None

    def _fault(self, pattern: str) -> str | None:
        name, identity = without_identity(pattern)
        if pattern == WHOLE_TOOL:
            return None
        if not name or len(pattern) > LONGEST:
            return f"it is empty, or longer than {LONGEST} characters"
        if pattern != pattern.strip() or not pattern.isprintable():
            return "it holds what no name of a node holds"
        if identity is not None and not _IDENTITY.fullmatch(identity):
            return f"behind the @ stand {SHOWN_IDENTITY} digits of what the node is"
        if self._of_mcp and ":" not in name:
            return "write server:tool, or server:* for all tools of a server"
        return None

    def _read(self, pattern: str) -> _Pattern:
        if pattern == WHOLE_TOOL:
            return _Pattern(WHOLE_TOOL)
        name, identity = without_identity(pattern)
        return _Pattern(name.casefold(), None) if self._restricts else _Pattern(name, identity)


def _may_mean(pattern: _Pattern, name: str | None) -> bool:
    return pattern.glob == WHOLE_TOOL if name is None else _matches(pattern.glob, name.casefold())


def _is_of(pattern: _Pattern, node: NodeUse) -> bool:
    return node.of_user if pattern.identity is None else pattern.identity == node.short_identity


def _matches(glob: str, name: str) -> bool:
    """Steps back to the last star only, so it takes no longer than the one times the other."""
    at = read = 0
    star, held = -1, 0
    while at < len(name):
        if read < len(glob) and glob[read] == "*":
            star, held = read, at
            read += 1
        elif read < len(glob) and glob[read] in ("?", name[at]):
            read, at = read + 1, at + 1
        elif star >= 0:
            held += 1
            read, at = star + 1, held
        else:
            return False
    return not glob[read:].strip("*")
