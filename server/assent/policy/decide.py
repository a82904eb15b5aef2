"""The one decision. `decide` climbs the ladder; the first rung that matches answers.

Each rung is a small function from the facts of a call and the rules in force to an answer or None. Their order is the
policy: protection before grants, grants before the mode.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category, Mode, graver
from assent.model.verdict import Decision, Outcome, Reason, RuleOrigin, Situation, Step
from assent.policy.matrix import Cell, cell
from assent.policy.options import Kept
from assent.policy.protected import folded, is_secret, is_unsafe_device, protection
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule


@dataclass(frozen=True, slots=True)
class Rules:
    """All that is in force for this call, read when the call is decided and never earlier."""

    mode: Mode
    """The mode that is named to people: the tightest of those in force."""
    beside: frozenset[Mode] = frozenset()
    """Modes that hold together with it: the one that the message was sent with, a chat's that was tightened since."""
    enabled: bool = True
    alive: bool = True
    """The run goes on, its chat is open, the server is not shutting down."""
    exhausted_limit: str | None = None
    bypass_available: bool = True
    bypass_agent: bool = False
    bypass_session: bool = False
    bypass_kept: Kept = Kept.WORKSPACE
    session_grants: frozenset[str] = frozenset()
    book: RuleBook = field(default_factory=RuleBook)
    """The deny, ask and allow rules of the settings."""
    always_allowed: frozenset[str] = frozenset()
    """Tools that the user's settings allow whatever they touch."""
    confirm_outside_workspace: bool = True
    own_places: tuple[str, ...] = ()
    """Folders that are the product's own: its state, its code, its environment."""
    home: str = ""
    roots: tuple[str, ...] = ()
    agent_name: str = field(default="")


@dataclass(frozen=True, slots=True)
class _Answer:
    outcome: Outcome
    reason: Reason
    text: str
    situation: Situation = Situation.ORDINARY
    rule: RuleOrigin | None = None


_ACTS = {Category.WRITE: "write", Category.EXECUTE: "run something", Category.EXTERNAL: "reach outside"}
_DOES = {
    Category.INTERNAL: "it does this",
    Category.READ: "it reads",
    Category.WRITE: "it writes",
    Category.EXECUTE: "it runs something",
    Category.EXTERNAL: "it reaches outside the workspace",
}

Rung = Callable[[CallFacts, Rules], _Answer | None]


def decide(facts: CallFacts, rules: Rules) -> Decision:
    """Whether this call runs, is asked for, is blocked or makes no sense, with the way to that answer."""
    trace: list[Step] = []
    for level, name, rung in LADDER:
        answer = rung(facts, rules)
        trace.append(Step(level, name, answer is not None, answer.text if answer else ""))
        if answer is not None:
            return Decision(answer.outcome, answer.reason, answer.text, tuple(trace), answer.situation, answer.rule)
    raise AssertionError("the last rung of the ladder always answers")


def effective_category(facts: CallFacts) -> Category:
    """The category by what the call touches: it is never milder than what the tool declares."""
    category = facts.category
    for use in facts.paths:
        if use.access is not Access.READ:
            category = graver(category, Category.WRITE)
        elif not use.inside or _is_secret(use):
            category = graver(category, Category.EXTERNAL)
    return category


def _arguments(facts: CallFacts, rules: Rules) -> _Answer | None:
    # An unknown tool has no schema; its own rung gives the better message.
    if facts.known and facts.arguments_fault is not None:
        return _Answer(Outcome.ERROR, Reason.INVALID_ARGUMENTS, facts.arguments_fault)
    return None


def _known(facts: CallFacts, rules: Rules) -> _Answer | None:
    if facts.known:
        return None
    near = f" Nearest: {', '.join(facts.nearest_tools)}." if facts.nearest_tools else ""
    return _Answer(Outcome.ERROR, Reason.TOOL_NOT_FOUND, f"There is no tool named {facts.tool!r}.{near}")


def _alive(facts: CallFacts, rules: Rules) -> _Answer | None:
    if not rules.alive:
        return _Answer(Outcome.ERROR, Reason.CANCELLED, "The run was stopped.")
    if not rules.enabled:
        return _Answer(Outcome.ERROR, Reason.DISABLED, "Assent is switched off (assent.enabled), so no tool runs.")
    return None


def _limits(facts: CallFacts, rules: Rules) -> _Answer | None:
    if rules.exhausted_limit is None:
        return None
    return _Answer(Outcome.ERROR, Reason.LIMIT_REACHED, rules.exhausted_limit)


def _hard_block(facts: CallFacts, rules: Rules) -> _Answer | None:
    for use in facts.paths:
        if any("\0" in name for name in use.names):
            return _blocked("A path must not hold a NUL character.")
        if any(is_unsafe_device(name) for name in use.names):
            return _blocked(f"{use.real} is a device.")
        if any(_is_within(use.real, place) for place in rules.own_places):
            return _blocked(f"{use.shown} belongs to Assent itself.")
    return None


def _blocked(text: str) -> _Answer:
    return _Answer(Outcome.BLOCK, Reason.BLOCKED_BY_PROTECTION, f"{text} No setting or approval allows this.")


def _deny_rule(facts: CallFacts, rules: Rules) -> _Answer | None:
    rule = rules.book.first(Effect.DENY, facts, rules.agent_name)
    if rule is None:
        return None
    return _Answer(Outcome.BLOCK, Reason.DENIED_BY_RULE, f"{rule.named} forbids this.", rule=_origin(rule))


def _plan(facts: CallFacts, rules: Rules) -> _Answer | None:
    category = effective_category(facts)
    if _cell(rules, category) is not Cell.BLOCK:
        return None
    return _Answer(
        Outcome.BLOCK,
        Reason.BLOCKED_IN_PLAN_MODE,
        f"This chat is in plan mode, where nothing runs that acts (this would {_ACTS[category]}). Describe it instead.",
    )


def _protected(facts: CallFacts, rules: Rules) -> _Answer | None:
    for use in _changes(facts):
        reason = next(filter(None, map(protection, use.names)), None)
        if reason is not None:
            return _Answer(
                Outcome.ASK,
                Reason.PROTECTED,
                f"{use.shown} is protected: {reason}. Changing it is always asked for.",
                Situation.PROTECTED,
            )
    return None


def _ask_rule(facts: CallFacts, rules: Rules) -> _Answer | None:
    rule = rules.book.first(Effect.ASK, facts, rules.agent_name)
    if rule is None:
        return None
    text = f"{rule.named} says that this is always asked for."
    return _Answer(Outcome.ASK, Reason.ASK_RULE, text, Situation.ASK_RULE, _origin(rule))


def _outside(facts: CallFacts, rules: Rules) -> _Answer | None:
    for use in _changes(facts):
        if use.access is Access.DELETE and _hits_root_or_home(use.real, rules):
            return _outside_answer(f"This would delete {use.real} and everything in it.")
        if not use.inside and rules.confirm_outside_workspace:
            return _outside_answer(f"{use.real} lies outside the workspace.")
    return None


def _ask_rule_or_outside(facts: CallFacts, rules: Rules) -> _Answer | None:
    return _outside(facts, rules) or _ask_rule(facts, rules)


def _outside_answer(text: str) -> _Answer:
    return _Answer(Outcome.ASK, Reason.OUTSIDE_WORKSPACE, text, Situation.OUTSIDE)


def _hits_root_or_home(real: str, rules: Rules) -> bool:
    return any(place and _is_within(place, real) for place in (*rules.roots, rules.home))


def _internal(facts: CallFacts, rules: Rules) -> _Answer | None:
    if effective_category(facts) is Category.INTERNAL:
        return _run(Reason.INTERNAL, "It has no effect outside this chat.")
    return None


def _read(facts: CallFacts, rules: Rules) -> _Answer | None:
    if effective_category(facts) is Category.READ and _cell(rules, Category.READ) is Cell.AUTO:
        return _run(Reason.READ_AUTO, f"Mode “{rules.mode.label}” lets an agent read inside the workspace.")
    return None


def _bypass_agent(facts: CallFacts, rules: Rules) -> _Answer | None:
    if rules.bypass_agent and rules.bypass_available:
        return _run(Reason.BYPASS_AGENT, f"Permissions are bypassed for {rules.agent_name}.")
    return None


def _bypass_session(facts: CallFacts, rules: Rules) -> _Answer | None:
    if rules.bypass_session and rules.bypass_available:
        return _run(Reason.BYPASS_SESSION, "Permissions are bypassed for this chat.")
    return None


def _allow_rule(facts: CallFacts, rules: Rules) -> _Answer | None:
    rule = rules.book.first(Effect.ALLOW, facts, rules.agent_name)
    if rule is None:
        return None
    return _Answer(Outcome.RUN, Reason.ALLOW_RULE, f"{rule.named} allows this.", rule=_origin(rule))


def _always_allowed(facts: CallFacts, rules: Rules) -> _Answer | None:
    if facts.tool in rules.always_allowed and not is_raised(facts):
        return _run(Reason.ALWAYS_ALLOW, f"Your settings always allow {facts.tool} (assent.toolAllowlist).")
    return None


def _session_grant(facts: CallFacts, rules: Rules) -> _Answer | None:
    if facts.grant_key in rules.session_grants and not is_raised(facts):
        return _run(Reason.SESSION_ALLOW, f"You allowed {facts.grant_key} for this chat.")
    return None


def _mode(facts: CallFacts, rules: Rules) -> _Answer | None:
    if _cell(rules, effective_category(facts)) is Cell.AUTO:
        return _run(Reason.MODE_AUTO, f"Mode “{rules.mode.label}” runs this without asking.")
    return None


def _ask(facts: CallFacts, rules: Rules) -> _Answer | None:
    what = _DOES[effective_category(facts)]
    return _Answer(
        Outcome.ASK,
        Reason.NEEDS_APPROVAL,
        f"{_raised_note(facts)}In mode “{rules.mode.label}”, {rules.agent_name or 'an agent'} must ask before {what}.",
    )


def _run(reason: Reason, text: str) -> _Answer:
    return _Answer(Outcome.RUN, reason, text)


def _cell(rules: Rules, category: Category) -> Cell:
    return cell({rules.mode, *rules.beside}, category)


def _origin(rule: Rule) -> RuleOrigin:
    return RuleOrigin(rule.pattern, rule.scope, rule.file, rule.line)


def _changes(facts: CallFacts) -> tuple[PathUse, ...]:
    return tuple(use for use in facts.paths if use.access is not Access.READ)


def is_raised(facts: CallFacts) -> bool:
    """Whether the call reads outside the roots or a secret: a grant for its tool does not cover that."""
    return any(use.access is Access.READ and (not use.inside or _is_secret(use)) for use in facts.paths)


def _raised_note(facts: CallFacts) -> str:
    for use in facts.paths:
        if use.access is Access.READ and not use.inside:
            return f"{use.real} lies outside the workspace. "
        if use.access is Access.READ and _is_secret(use):
            return f"{use.shown} looks as if it held secrets. "
    return ""


def _is_secret(use: PathUse) -> bool:
    return any(map(is_secret, use.names))


def _is_within(path: str, folder: str) -> bool:
    """Both real and absolute. Compared as the laxest file system would: a stricter answer does no harm here."""
    inner, outer = folded(path), folded(folder).rstrip("/")
    return inner == outer or inner.startswith(outer + "/")


LADDER: tuple[tuple[int, str, Rung], ...] = (
    (0, "arguments fit", _arguments),
    (1, "tool exists", _known),
    (2, "run goes on", _alive),
    (3, "limits", _limits),
    (4, "hard block", _hard_block),
    (5, "deny rule", _deny_rule),
    (6, "plan mode", _plan),
    (8, "protected path", _protected),
    (9, "ask rule, or outside the workspace", _ask_rule_or_outside),
    (10, "internal", _internal),
    (11, "reading", _read),
    (12, "bypass for the agent", _bypass_agent),
    (13, "bypass for this chat", _bypass_session),
    (14, "allow rule", _allow_rule),
    (15, "always allowed", _always_allowed),
    (16, "allowed for this chat", _session_grant),
    (19, "mode", _mode),
    (20, "ask", _ask),
)
"""The rungs with their numbers, which leave room between them."""
