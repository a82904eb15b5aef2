"""All rules that are in force: which one speaks of a call?

Built once for each change of the settings, then asked for every call. A restriction (deny, ask) speaks of a call if it
matches one of its paths, under any name and in any case of letters; a permission must match every path, where it really
leads, in exactly its spelling. What cannot be understood restricts the whole tool, and permits nothing.

Patterns are like those of gitignore: a name without a slash matches at any depth below each workspace folder; others
start at the folder. `~/` is the home directory. A pattern that begins with one slash is an absolute path or starts at
the folder; with two, it is only absolute. A name, or a slash at the end, covers what lies below. A permission that ends
in a wildcard covers only what it matches itself: `src/*` is not `src/**`.
"""

from collections.abc import Iterable

from assent.model.calls import CallFacts
from assent.policy.rules.rule import Effect, Rule
from assent.policy.rules.tool_rules import ToolRules


class RuleBook:
    """The rules, ready to be asked. Their order decides which one is named where several match."""

    def __init__(self, rules: Iterable[Rule] = (), roots: Iterable[str] = (), home: str = "") -> None:
        self.rules = tuple(rules)
        self._roots, self._home = tuple(dict.fromkeys(roots)), home
        self._by_tool: dict[tuple[Effect, str], ToolRules] = {}
        faults = [self._take(order, rule) for order, rule in enumerate(self.rules)]
        self.faults: tuple[str, ...] = tuple(fault for fault in faults if fault is not None)
        """What is wrong with rules, as sentences for their owner."""

    def first(self, effect: Effect, facts: CallFacts, agent: str) -> Rule | None:
        """The first rule of this effect that speaks of the call, or None."""
        of_tool = self._by_tool.get((effect, facts.tool))
        if of_tool is None:
            return None
        if effect.restricts:
            found = of_tool.restricts(facts.paths, agent)
        else:
            found = of_tool.permits(facts.paths, agent) if facts.known and facts.arguments_fault is None else None
        return found.rule if found is not None else None

    def _take(self, order: int, rule: Rule) -> str | None:
        key = (rule.effect, rule.tool)
        of_tool = self._by_tool.get(key)
        if of_tool is None:
            of_tool = self._by_tool[key] = ToolRules(rule.effect, self._roots, self._home)
        fault = of_tool.add(order, rule)
        if fault is not None:
            return f"{rule.named} cannot be used, so it {_ALL_OR_NOTHING[rule.effect]}: {fault}."
        if rule.agents == ():
            return (
                f"{rule.named} names no agent, so it {'holds for all' if rule.effect.restricts else 'allows nothing'}."
            )
        return None


_ALL_OR_NOTHING = {
    Effect.DENY: "denies every call of that tool",
    Effect.ASK: "asks for every call of that tool",
    Effect.ALLOW: "allows nothing",
}
