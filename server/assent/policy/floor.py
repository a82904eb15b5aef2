"""The rungs 0 to 9: what makes no sense, what is blocked, and what is asked whatever else is allowed."""

from functools import lru_cache
from itertools import repeat

from assent.model.calls import Access, CallFacts, HookAnswer, PathUse
from assent.model.modes import Category
from assent.model.verdict import Outcome, Reason, Situation
from assent.policy.answer import Answer, Passed, found_rule, named, origin_of
from assent.policy.devices import is_unsafe_device
from assent.policy.matrix import Cell
from assent.policy.protected import folded, home_protection, protection
from assent.policy.reach import (
    changes,
    changes_it,
    counts_as_write,
    effective_category,
    granted,
    is_within,
    starts_outside,
)
from assent.policy.rules.rule import Effect
from assent.policy.rules_in_force import Rules

_ACTS = {Category.WRITE: "write", Category.EXECUTE: "run something", Category.EXTERNAL: "reach outside"}


def arguments(facts: CallFacts, rules: Rules) -> Answer | None:
    """The arguments are no valid JSON, or do not fit the tool."""
    if facts.arguments_fault is None:
        return None
    return Answer(Outcome.ERROR, Reason.INVALID_ARGUMENTS, facts.arguments_fault)


def known(facts: CallFacts, rules: Rules) -> Answer | None:
    """There is no such tool."""
    if facts.known:
        return None
    near = f" Nearest: {', '.join(facts.nearest_tools)}." if facts.nearest_tools else ""
    return Answer(Outcome.ERROR, Reason.TOOL_NOT_FOUND, f"There is no tool named {facts.tool!r}.{near}")


def alive(facts: CallFacts, rules: Rules) -> Answer | None:
    """The run has ended, or nothing may run at all."""
    if not rules.alive:
        return Answer(Outcome.ERROR, Reason.CANCELLED, "The run was stopped.")
    if not rules.enabled:
        return Answer(Outcome.ERROR, Reason.DISABLED, "Assent is switched off (assent.enabled), so no tool runs.")
    return None


def limits(facts: CallFacts, rules: Rules) -> Answer | None:
    """The run has used up one of its limits."""
    spent = rules.exhausted_limit
    if spent is None and rules.no_more_writes is not None and counts_as_write(facts):
        spent = rules.no_more_writes
    return None if spent is None else Answer(Outcome.ERROR, Reason.LIMIT_REACHED, spent)


def hard_block(facts: CallFacts, rules: Rules) -> Answer | None:
    """What no setting and no click allows."""
    for use in facts.paths:
        names = use.names
        for name in names:
            if "\0" in name:
                return _blocked("A path must not hold a NUL character.")
        if any(map(is_unsafe_device, names)):
            return _blocked(f"{use.real} is a device, or reaches into the system or another process.")
        own = _own_place(use, rules.own_places)
        if own is not None:
            does = "belongs to" if _lies_in(use, own) else "holds files of"
            return _blocked(f"{use.shown} {does} Assent itself.")
    return None


def _own_place(use: PathUse, places: tuple[str, ...]) -> str | None:
    """The first of these that the use touches: it lies in it, or takes with it all that lies below."""
    beginnings = [folded(name) + "/" for name in (use.real, use.named) if name]
    takes_all_below = use.access is Access.DELETE or (use.is_directory and use.access is Access.WRITE)
    above = folded(use.real).rstrip("/") + "/" if takes_all_below else None
    # Asked of every path of every call, for every place: each is spelled once.
    for place, within in _as_beginnings(places):
        if any(map(str.startswith, beginnings, repeat(within))) or (above is not None and within.startswith(above)):
            return place
    return None


@lru_cache(maxsize=8)
def _as_beginnings(places: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((place, folded(place).rstrip("/") + "/") for place in places)


def _blocked(text: str) -> Answer:
    return Answer(Outcome.BLOCK, Reason.BLOCKED_BY_PROTECTION, f"{text} No setting or approval allows this.")


def deny_rule(facts: CallFacts, rules: Rules) -> Answer | None:
    """A rule forbids it."""
    found = found_rule(Effect.DENY, facts, rules)
    if found is None:
        return None
    text = f"{found.named} forbids this.{found.note}"
    return Answer(Outcome.BLOCK, Reason.DENIED_BY_RULE, text, rule=found.origin)


def plan(facts: CallFacts, rules: Rules) -> Answer | None:
    """The mode lets nothing act."""
    category = effective_category(facts)
    if rules.cell(category) is not Cell.BLOCK:
        return None
    return Answer(
        Outcome.BLOCK,
        Reason.BLOCKED_IN_PLAN_MODE,
        f"This chat is in plan mode, where nothing runs that acts (this would {_ACTS[category]}). Describe it instead.",
    )


def hooks(facts: CallFacts, rules: Rules) -> Answer | Passed | None:
    """The user's hooks have to be asked, or forbid it."""
    if facts.hooks.answer is HookAnswer.PENDING:
        return Answer(Outcome.NEED_HOOKS, Reason.HOOKS_PENDING, "Your hooks have a say first. They were not asked yet.")
    if facts.hooks.answer is HookAnswer.DENY:
        return Answer(Outcome.BLOCK, Reason.DENIED_BY_HOOK, _said(facts, "A hook of yours forbids this"))
    return None if facts.hooks.answer is HookAnswer.NONE else Passed(_heard(facts))


_HEARD = {HookAnswer.ASK: "Your hooks want it to be asked for", HookAnswer.ALLOW: "Your hooks would let it run"}


def _heard(facts: CallFacts) -> str:
    said = _said(facts, _HEARD.get(facts.hooks.answer, "Your hooks say nothing against it"))
    return " ".join(filter(None, (facts.hooks.changed, said, facts.hooks.failed)))


def _said(facts: CallFacts, sentence: str) -> str:
    return f"{sentence}: {facts.hooks.text}" if facts.hooks.text else f"{sentence}."


def protected(facts: CallFacts, rules: Rules) -> Answer | None:
    """It changes something that an editor, a shell, git or an agent acts on."""
    for use in changes(facts):
        reason = _protection(use, rules)
        if reason is not None:
            return Answer(
                Outcome.ASK,
                Reason.PROTECTED,
                f"{use.shown} is protected: {reason}. Changing it is always asked for.",
                Situation.PROTECTED,
            )
    if facts.guest.grave:
        return Answer(Outcome.ASK, Reason.PROTECTED, facts.guest.grave, Situation.PROTECTED)
    return None


def _protection(use: PathUse, rules: Rules) -> str | None:
    whole = use.is_directory or use.access is Access.DELETE
    for name in filter(None, use.names):
        reason = protection(name, whole=whole) or home_protection(name, rules.home, rules.roots)
        if reason is not None:
            return reason
    return next((_NAMED for place in rules.named_by_commands if _hits(use, place, whole=whole)), None)


_NAMED = "a hook, an MCP server or an agent is started with it"


def _hits(use: PathUse, place: str, *, whole: bool) -> bool:
    return _lies_in(use, place) or (whole and is_within(place, use.real))


def _lies_in(use: PathUse, place: str) -> bool:
    # Asked of every path and every place that there is: nothing is made here for it.
    return bool((use.real and is_within(use.real, place)) or (use.named and is_within(use.named, place)))


def always_asked(facts: CallFacts, rules: Rules) -> Answer | None:
    """A rule or a hook asks for it, or it changes something outside the workspace."""
    outside = _outside(facts, rules)
    found = found_rule(Effect.ASK, facts, rules)
    if found is not None:
        text = _beside(f"{found.named} says that this is always asked for.{found.note}", outside)
        return Answer(Outcome.ASK, Reason.ASK_RULE, text, Situation.ASK_RULE, found.origin)
    if facts.hooks.answer is HookAnswer.ASK:
        text = _beside(_asked_by_hooks(facts), outside)
        return Answer(Outcome.ASK, Reason.ASK_RULE, text, Situation.ASK_RULE)
    doubt = rules.book.doubt(facts, rules.agent_name) or rules.chat_book.doubt(facts, rules.agent_name)
    if doubt is not None:
        rule = doubt.placed.rule
        does = "forbids" if rule.effect is Effect.DENY else "is about"
        about = named(rule)
        text = _beside(f"This could be what {about[:1].lower()}{about[1:]} {does}: {doubt.why}", outside)
        return Answer(Outcome.ASK, Reason.ASK_RULE, text, Situation.ASK_RULE, origin_of(rule))
    if facts.guest.by_hand:
        return Answer(Outcome.ASK, Reason.NEEDS_APPROVAL, _beside(facts.guest.by_hand, outside), Situation.BY_HAND)
    if outside is not None:
        return Answer(Outcome.ASK, Reason.OUTSIDE_WORKSPACE, outside, Situation.OUTSIDE)
    return None


def _asked_by_hooks(facts: CallFacts) -> str:
    failed = facts.hooks.failed
    said = "" if failed and not facts.hooks.text else _said(facts, "A hook of yours says that this must be asked for")
    could_not = f"A hook of yours could not say whether this may run: {failed}." if failed else ""
    return " ".join(filter(None, (said, could_not)))


def _beside(text: str, more: str | None) -> str:
    return f"{text} {more}" if more else text


def _outside(facts: CallFacts, rules: Rules) -> str | None:
    for use in facts.paths:
        if use.access is Access.DELETE and _hits_root_or_home(use.real, rules):
            return f"This would delete {use.real} and everything in it."
        if not rules.confirm_outside_workspace or granted(use, rules.directory_grants):
            continue
        if changes_it(use) and not use.inside:
            return f"{use.real} lies outside the workspace."
        if starts_outside(use):
            return f"{use.real} lies outside the workspace, and this would start it, or something in it."
    return None


def _hits_root_or_home(real: str, rules: Rules) -> bool:
    return any(is_within(place, real) for place in (*rules.roots, rules.home))
