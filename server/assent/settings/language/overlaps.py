"""Rules that change nothing: others come first and speak of all that these match, or what they permit asks anyway.

Found with the book that decides, by calls that stand for all that a pattern matches. What cannot be told for certain
is not told.
"""

from collections.abc import Collection, Sequence

from assent.lazy_dataclasses import dataclass
from assent.model.calls import CallFacts
from assent.policy.protected import protection
from assent.policy.rules.book import RuleBook
from assent.policy.rules.examples import example_call
from assent.policy.rules.rule import WHOLE_TOOL, Effect, Rule
from assent.policy.rules.witnesses import witnesses
from assent.settings.findings import Findings
from assent.settings.inspection import Entry
from assent.settings.layers import Diagnostic, Kind, Layer, Origin, Scope

_BEFORE = {Effect.DENY: (), Effect.ASK: (Effect.DENY,), Effect.ALLOW: (Effect.DENY, Effect.ASK)}
_DOES = {Effect.DENY: "forbids", Effect.ASK: "asks for", Effect.ALLOW: "allows"}
# Each of them is compared with each.
_MOST_ALIKE = 40
_IN_VAIN = {Effect.ASK: "This asks for nothing", Effect.ALLOW: "This permits nothing"}


@dataclass(frozen=True, slots=True)
class ToolKinds:
    """Which tools there are, as far as it matters for what their rules can match."""

    writing: Collection[str] = ()
    """Those whose paths are changed."""
    internal: Collection[str] = ()
    """Those that touch no file, command or address."""


def overlaps(
    entries: Sequence[Entry], of: Collection[Layer], tools: ToolKinds, roots: tuple[str, ...], home: str
) -> Findings:
    """What is to be said of the rules of these layers, given all rules that there are."""
    found = Findings()
    placed = [(entry.layer, one) for entry in entries if (one := _placed(entry)) is not None]
    books = _Books([one for _, one in placed], roots, home)
    for holder, one in placed:
        if found.full:
            break
        if any(holder is layer for layer in of):
            _look_at(one, books, tools, found)
    return found


def remark_of_each(
    rules: Sequence[tuple[Rule, Origin]], tools: ToolKinds, roots: tuple[str, ...], home: str
) -> tuple[Diagnostic | None, ...]:
    """What is to be said of each of these rules, which all count beside each other; None where there is nothing."""
    placed = [_Placed(rule, origin) if not RuleBook((rule,)).faults else None for rule, origin in rules]
    books = _Books([one for one in placed if one is not None], roots, home)
    return tuple(_remark(one, books, tools) if one is not None else None for one in placed)


def _remark(one: "_Placed", books: "_Books", tools: ToolKinds) -> Diagnostic | None:
    found = Findings()
    _look_at(one, books, tools, found)
    return found.diagnostics[0] if found.diagnostics else None


@dataclass(frozen=True, slots=True)
class _Placed:
    rule: Rule
    origin: Origin


def _placed(entry: Entry) -> _Placed | None:
    pattern, agents = entry.pattern, entry.agents
    if pattern is None or not (agents is None or isinstance(agents, list)):
        return None
    origin = entry.layer.origin(entry.key, *entry.path)
    audience = None if agents is None else tuple(agent for agent in agents if isinstance(agent, str))
    rule = Rule(entry.effect, entry.tool, pattern, origin.scope.value, origin.file, origin.line, audience)
    # What cannot be used is told of by itself.
    return _Placed(rule, origin) if not RuleBook((rule,)).faults else None


class _Books:
    """All rules together, and each by itself."""

    def __init__(self, placed: Sequence[_Placed], roots: tuple[str, ...], home: str) -> None:
        self.roots, self.home = roots, home
        self._by_rule = {id(one.rule): one for one in placed}
        self._all = RuleBook((one.rule for one in placed), roots, home)
        self._alike: dict[tuple[Effect, str], list[_Placed]] = {}
        for one in placed:
            self._alike.setdefault((one.rule.effect, one.rule.tool), []).append(one)
        self._alone: dict[int, RuleBook] = {}

    def calls(self, rule: Rule) -> tuple[CallFacts, ...]:
        """Those that stand for all that it matches."""
        texts = witnesses(rule.tool, rule.pattern)
        return tuple(example_call(rule.tool, text, self.roots, self.home) for text in texts)

    def first_of(self, effect: Effect, one: _Placed, calls: Sequence[CallFacts]) -> _Placed | None:
        """A rule of this effect that meets one of the calls, where each is met by one."""
        met = [self._all.first(effect, call, agent) for call in calls for agent in _agents(one.rule)]
        return None if None in met or not met else self._by_rule[id(met[0])]

    def other(self, one: _Placed, calls: Sequence[CallFacts]) -> _Placed | None:
        """Another rule of the same effect that makes this one needless. Of two that say the same, the later one is."""
        alike = self._alike[one.rule.effect, one.rule.tool]
        if len(alike) > _MOST_ALIKE:
            return None
        at = alike.index(one)
        for index, other in enumerate(alike):
            if index == at or not self._covers(other, one, calls):
                continue
            if index < at or not self._covers(one, other, self.calls(other.rule)):
                return other
        return None

    def _covers(self, other: _Placed, one: _Placed, calls: Sequence[CallFacts]) -> bool:
        book = self._alone.get(id(other))
        if book is None:
            book = self._alone[id(other)] = RuleBook((other.rule,), self.roots, self.home)
        effect, agents = one.rule.effect, _agents(one.rule)
        return bool(calls) and all(book.first(effect, call, agent) for call in calls for agent in agents)


def _look_at(one: _Placed, books: _Books, tools: ToolKinds, found: Findings) -> None:
    rule = one.rule
    if rule.tool in tools.internal and rule.pattern != WHOLE_TOOL:
        text = f"This never matches: {rule.tool} touches no file, command or address. Write * for all its calls."
        found.add_at(text, one.origin, Kind.NEVER_MATCHES)
        return
    calls = books.calls(rule)
    if not calls:
        return
    for effect in _BEFORE[rule.effect]:
        over = books.first_of(effect, one, calls)
        if over is not None:
            found.add_at(
                f"{_IN_VAIN[rule.effect]}: {_named(over)} {_DOES[effect]} all of it, and comes first.",
                one.origin,
                Kind.SHADOWED,
                beside=over.origin,
            )
            return
    over = books.other(one, calls)
    if over is not None:
        text = f"This adds nothing: {_named(over)} {_DOES[rule.effect]} all of it already."
        found.add_at(text, one.origin, Kind.SHADOWED, beside=over.origin)
    elif rule.effect is Effect.ALLOW and rule.tool in tools.writing:
        reasons = [protection(use.real) for call in calls for use in call.paths]
        if reasons and reasons[0] is not None and None not in reasons:
            text = f"This permits nothing: {reasons[0]}, so every change of it is asked for."
            found.add_at(text, one.origin, Kind.SHADOWED)


def _named(one: _Placed) -> str:
    whose = "your user settings" if one.origin.scope is Scope.USER else f"the {one.origin.scope} settings"
    place = f"{whose} (line {one.origin.line})" if one.origin.line else whose
    return f"the {one.rule.effect} rule “{one.rule.pattern}” for {one.rule.tool} in {place}"


def _agents(rule: Rule) -> tuple[str, ...]:
    """Those that it speaks of. Of all, one stands for whom no rule names."""
    return rule.audience if rule.audience is not None else ("",)
