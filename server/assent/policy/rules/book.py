"""All rules that are in force: which one speaks of a call?

Built once for each change of the settings, then asked for every call. A restriction (deny, ask) speaks of a call if it
matches one of its paths, under any name and in any case of letters; a permission must match every path, where it really
leads, in exactly its spelling. What cannot be understood restricts the whole tool, and permits nothing.

Patterns are like those of gitignore: a name without a slash matches at any depth below each workspace folder; others
start at the folder. `~/` is the home directory. A pattern that begins with one slash is an absolute path or starts at
the folder; with two, it is only absolute. A name, or a slash at the end, covers what lies below. A permission that ends
in a wildcard covers only what it matches itself: `src/*` is not `src/**`. Patterns for `web_fetch` are about addresses
(`address_pattern`), those for `bash` about commands, those for `run_node` and `mcp` about nodes (`node_rules`).
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from assent.model.addresses import Address, Addresses
from assent.model.calls import Access, CallFacts, PathUse
from assent.model.commands import Command, Part
from assent.model.nodes import FLOW_TOOL, MCP_TOOL, NODE_TOOL, NodeUse
from assent.policy.rules.address_rules import AddressRules
from assent.policy.rules.commands.cover import Ground, cover
from assent.policy.rules.commands.index import Doubt, Permissions, Placed, Restrictions
from assent.policy.rules.commands.paths import (
    READERS,
    WRITERS,
    all_below,
    does,
    does_as_well,
    in_code,
    put_together,
    tools_for,
    wide_reads,
    working_folders,
)
from assent.policy.rules.commands.permit import Match
from assent.policy.rules.naming import is_raised
from assent.policy.rules.node_rules import NodeRules
from assent.policy.rules.rule import SHELL_TOOL, WEB_TOOL, Effect, Rule
from assent.policy.rules.tool_rules import ToolRules

_EFFECTS = tuple(Effect)


class RuleBook:
    """The rules, ready to be asked. Their order decides which one is named where several match."""

    def __init__(self, rules: Iterable[Rule] = (), roots: Iterable[str] = (), home: str = "") -> None:
        self.rules = tuple(rules)
        self._roots, self._home = tuple(dict.fromkeys(roots)), home
        self._places = (*self._roots, "/")
        self._by_tool: dict[tuple[Effect, str], ToolRules] = {}
        self.shell = Permissions(home)
        """The allow rules for commands."""
        self._on_addresses = {effect: AddressRules(effect) for effect in _EFFECTS}
        self._on_nodes: dict[tuple[Effect, str], NodeRules] = {}
        self._on_commands = {effect: Restrictions(home) for effect in _EFFECTS if effect.restricts}
        faults = [self._take(order, rule) for order, rule in enumerate(self.rules)]
        self.faults: tuple[str, ...] = tuple(fault for fault in faults if fault is not None)
        """What is wrong with rules, as sentences for their owner."""

    def first(self, effect: Effect, facts: CallFacts, agent: str) -> Rule | None:
        """The first rule of this effect that speaks of the call, or None."""
        if not self.rules:
            return None
        on_it = self._on_command if facts.tool == SHELL_TOOL else self._on_tool
        found = [on_it(effect, facts, agent)]
        if effect.restricts:
            found += [self._on_other(effect, tool, facts, agent) for tool in facts.also]
            found += [self._on_same(effect, tool, facts, agent) for tool in does_as_well(facts.tool)]
        placed = min((one for one in found if one is not None), key=_order, default=None)
        return placed.rule if placed is not None else None

    def doubt(self, facts: CallFacts, agent: str) -> Doubt | None:
        """The first restriction that could be about this call, where that cannot be known."""
        if not self.rules:
            return None
        tools = (facts.tool, *facts.also)
        doubts: list[Doubt | None] = []
        if SHELL_TOOL in tools:
            doubts += [found.doubt(facts.command, agent) for found in self._on_commands.values()]
            if facts.command is not None and self._by_tool:
                doubts += [found for effect in self._on_commands for found in self._far(effect, facts.command, agent)]
        if WEB_TOOL in tools:
            restrictions = (found for effect, found in self._on_addresses.items() if effect.restricts)
            doubts += [found.doubt(facts.addresses, agent) for found in restrictions]
        return min((one for one in doubts if one is not None), key=lambda one: one.placed.order, default=None)

    def on_address(self, effect: Effect, address: Address, agent: str) -> frozenset[Rule]:
        """All restrictions of this effect that speak of reaching the address, whoever does."""
        found = self._on_addresses[effect].restricting(Addresses((address,)), agent)
        return frozenset(placed.rule for placed in found)

    def permits_path(self, use: PathUse, agent: str) -> Placed | None:
        """The allow rule for reading or writing files that permits a command to do the same with this one."""
        for tool in tools_for(use.access)[:1]:
            of_tool = self._by_tool.get((Effect.ALLOW, tool))
            entry = of_tool.permits((use,), agent) if of_tool is not None else None
            if entry is not None:
                return Placed(entry.order, entry.rule)
        return None

    def permitted_before(self, node: NodeUse, agent: str) -> bool:
        """Whether an allow rule was given for what stood under this node's name before."""
        return any(self._nodes(Effect.ALLOW, tool).permitted_before(node, agent) for tool in (NODE_TOOL, MCP_TOOL))

    def _nodes(self, effect: Effect, tool: str) -> NodeRules:
        # Most books have none, and a card makes several books to try its answers.
        found = self._on_nodes.get((effect, tool))
        if found is None:
            found = self._on_nodes[effect, tool] = NodeRules(effect, tool)
        return found

    def _on_node(self, effect: Effect, facts: CallFacts, agent: str) -> Placed | None:
        """The first rule about the node, under either of its names."""
        names = (NODE_TOOL, MCP_TOOL) if facts.tool == NODE_TOOL else (FLOW_TOOL,)
        rules = [self._nodes(effect, name) for name in names]
        if effect.restricts:
            found = [one.restricts(facts.node, agent) for one in rules]
        else:
            # A node that is given a file is permitted for those of the workspace: no id names what lies elsewhere.
            usable = facts.known and facts.arguments_fault is None and not any(map(is_raised, facts.paths))
            found = [one.permits(facts.node, agent) for one in rules] if usable else []
        return min((one for one in found if one is not None), key=_order, default=None)

    def _on_tool(self, effect: Effect, facts: CallFacts, agent: str) -> Placed | None:
        if facts.tool in (NODE_TOOL, FLOW_TOOL):
            return self._on_node(effect, facts, agent)
        if facts.tool == WEB_TOOL:
            return self._on_web(effect, facts, agent)
        of_tool = self._by_tool.get((effect, facts.tool))
        if of_tool is None:
            return None
        if effect.restricts:
            found = of_tool.restricts(facts.paths, agent)
        else:
            found = of_tool.permits(facts.paths, agent) if facts.known and facts.arguments_fault is None else None
        return Placed(found.order, found.rule) if found is not None else None

    def _on_web(self, effect: Effect, facts: CallFacts, agent: str) -> Placed | None:
        rules = self._on_addresses[effect]
        if effect.restricts:
            return rules.restricts(facts.addresses, agent)
        usable = facts.known and facts.arguments_fault is None
        return rules.permits(facts.addresses, facts.paths, agent) if usable else None

    def _on_other(self, effect: Effect, tool: str, facts: CallFacts, agent: str) -> Placed | None:
        """The restriction of another tool that does what this call does as well, as far as it does that."""
        if tool == SHELL_TOOL:
            return self._on_commands[effect].first(facts.command, agent)
        if tool == WEB_TOOL:
            return self._on_addresses[effect].restricts(facts.addresses, agent)
        of_tool = self._by_tool.get((effect, tool))
        if of_tool is None:
            return None
        paths = tuple(use for use in facts.paths if does(tool, use.access))
        found = of_tool.restricts(paths, agent)
        return Placed(found.order, found.rule) if found is not None else None

    def _on_same(self, effect: Effect, tool: str, facts: CallFacts, agent: str) -> Placed | None:
        """The restriction of a tool whose work this one does as well, on all that it touches."""
        of_tool = self._by_tool.get((effect, tool))
        found = of_tool.restricts(facts.paths, agent) if of_tool is not None else None
        return Placed(found.order, found.rule) if found is not None else None

    def _on_command(self, effect: Effect, facts: CallFacts, agent: str) -> Placed | None:
        if not effect.restricts:
            usable = facts.known and facts.arguments_fault is None and facts.command is not None
            return self._alone(facts.command, agent) if usable and facts.command is not None else None
        found = [self._on_commands[effect].first(facts.command, agent)]
        named = (tool for use in facts.paths for tool in tools_for(use.access)) if self._by_tool else ()
        for tool in dict.fromkeys(named):
            of_tool = self._by_tool.get((effect, tool))
            if of_tool is not None:
                paths = tuple(use for use in facts.paths if tool in tools_for(use.access))
                entry = of_tool.restricts(paths, agent)
                found.append(Placed(entry.order, entry.rule) if entry is not None else None)
        return min((one for one in found if one is not None), key=_order, default=None)

    def _alone(self, command: Command, agent: str) -> Placed | None:
        """The first of the rules with which this book permits the whole command, without the help of any mode."""
        text = self.shell.whole_text(command, agent)
        if text is not None:
            return text
        covering = cover(command, self.ground(agent))
        return min(covering.used, key=_order, default=None) if covering.complete else None

    def ground(self, agent: str) -> Ground[Placed]:
        """What this book permits by itself."""

        def of_part(part: Part) -> Iterable[tuple[Placed, Match]]:
            return self.shell.of_part(part, agent)

        return Ground(of_part, permits_path=lambda use: self.permits_path(use, agent), home=self._home)

    def _far(self, effect: Effect, command: Command, agent: str) -> Iterator[Doubt]:
        """The rules on files that a command names with all else in their folder, or by words that nobody knows yet."""
        anywhere = tuple(PathUse(place, place, Access.WRITE, inside=False, is_directory=True) for place in self._places)
        if command.unreadable is not None:
            yield from self._restricting(effect, (*READERS, *WRITERS), anywhere, agent, command.unreadable)
        for use, tools in wide_reads(command):
            why = f"{use.shown} is read with all that lies below it."
            said = [rule.pattern for rule in self.rules if rule.effect is effect and rule.tool in tools]
            yield from self._restricting(effect, tools, all_below(use, said), agent, why) if said else ()
        for part, use in working_folders(command):
            why = f"It works where this rule holds: {part.written}"
            yield from self._restricting(effect, (*READERS, *WRITERS), (use,), agent, why)
        for part, use in in_code(command):
            why = f"A name that this rule is about stands in text that is not read: {part.written}"
            yield from self._restricting(effect, (*READERS, *WRITERS), (use,), agent, why)
        for part, accesses in put_together(command):
            why = f"Which files it names is only known when it runs: {part.written}"
            for access in accesses:
                yield from self._restricting(effect, tools_for(access), anywhere, agent, why)

    def _restricting(
        self, effect: Effect, tools: tuple[str, ...], uses: tuple[PathUse, ...], agent: str, why: str
    ) -> Iterator[Doubt]:
        for tool in tools:
            of_tool = self._by_tool.get((effect, tool))
            entry = of_tool.restricts(uses, agent) if of_tool is not None else None
            if entry is not None:
                yield Doubt(Placed(entry.order, entry.rule), why)

    def _take(self, order: int, rule: Rule) -> str | None:
        fault = self._shelf(rule).add(order, rule)
        if fault is not None:
            return f"{rule.named} cannot be used, so it {_ALL_OR_NOTHING[rule.effect]}: {fault}."
        if rule.agents == ():
            return (
                f"{rule.named} names no agent, so it {'holds for all' if rule.effect.restricts else 'allows nothing'}."
            )
        return None

    def _shelf(self, rule: Rule) -> ToolRules | Permissions | Restrictions | AddressRules | NodeRules:
        if rule.tool in (NODE_TOOL, MCP_TOOL, FLOW_TOOL):
            return self._nodes(rule.effect, rule.tool)
        if rule.tool == WEB_TOOL:
            return self._on_addresses[rule.effect]
        if rule.tool == SHELL_TOOL:
            return self._on_commands[rule.effect] if rule.effect.restricts else self.shell
        key = (rule.effect, rule.tool)
        of_tool = self._by_tool.get(key)
        if of_tool is None:
            of_tool = self._by_tool[key] = ToolRules(rule.effect, self._roots, self._home)
        return of_tool


@lru_cache(maxsize=64)
def book_of(rules: tuple[Rule, ...], roots: tuple[str, ...], home: str) -> RuleBook:
    """The book of a few rules, such as those that a card would add to its chat: one card tries each several times."""
    return RuleBook(rules, roots, home)


def _order(placed: Placed) -> int:
    return placed.order


_ALL_OR_NOTHING = {
    Effect.DENY: "denies every call of that tool",
    Effect.ASK: "asks for every call of that tool",
    Effect.ALLOW: "allows nothing",
}
