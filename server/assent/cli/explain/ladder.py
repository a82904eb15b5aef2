"""The ladder for a person who never read the manual: what each rung looked for, and why it did not decide."""

from collections.abc import Callable, Iterable

from assent.agent.gate import Explanation
from assent.lazy_dataclasses import dataclass
from assent.model.calls import CallFacts, PathUse
from assent.model.modes import Category
from assent.model.verdict import Step
from assent.policy.reach import changes_it, is_raised
from assent.policy.rules.rule import Effect
from assent.policy.rules_in_force import Rules

SETTING_OF = {
    Effect.DENY: "alwaysDenyRules",
    Effect.ASK: "alwaysAskRules",
    Effect.ALLOW: "alwaysAllowRules",
}

BYPASS_AGENT = 12

_DOES = {
    Category.INTERNAL: "has no effect outside the chat",
    Category.READ: "only reads inside the workspace",
    Category.WRITE: "writes",
    Category.EXECUTE: "runs something",
    Category.EXTERNAL: "reaches outside the workspace",
}


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of the ladder: what it asks, and what it finds where it does not decide."""

    asks: str
    finds: Callable[[Explanation], str]


def asked_at(step: Step) -> str:
    """What this rung looks for, as a question."""
    rung = RUNGS.get(step.level)
    return rung.asks if rung is not None else f"{step.name[:1].upper()}{step.name[1:]}?"


def found_at(step: Step, found: Explanation, about_bypass: str = "") -> str:
    """What it found: the decision, or why it passed the call on. `about_bypass` is what the settings say of that."""
    rung = RUNGS.get(step.level)
    if step.note or rung is None:
        return step.note or "No."
    if step.level == BYPASS_AGENT and about_bypass:
        return f"No. {about_bypass}"
    return rung.finds(found)


def _always(text: str) -> Callable[[Explanation], str]:
    return lambda found: text


def _hard_block(found: Explanation) -> str:
    return f"No: {_shown(found.facts.paths)} is none of these." if found.facts.paths else "No: it touches no file."


def _by_rules(effect: Effect) -> Callable[[Explanation], str]:
    return lambda found: _no_rule(effect, found.facts, found.rules)


def _no_rule(effect: Effect, facts: CallFacts, rules: Rules) -> str:
    """Why no rule of this effect speaks of the call."""
    all_rules = (*rules.book.rules, *rules.chat_book.rules)
    of_tool = [one for one in all_rules if (one.effect, one.tool) == (effect, facts.tool)]
    if not of_tool:
        return f"No: there is no {effect} rule for {facts.tool}."
    heard = [one for one in of_tool if one.audience is None or rules.agent_name in one.audience]
    if not heard:
        return f"No: the {effect} rules for {facts.tool} are for other agents than {rules.agent_name}."
    which = (
        f"none of the {len(heard):,} {effect} rules" if len(heard) > 1 else f"the {effect} rule {heard[0].pattern!r}"
    )
    means = "means" if len(heard) > 1 else "does not mean"
    why = f"No: {which} for {facts.tool} {means} {_shown(facts.paths) if facts.command is None else 'this command'}."
    if effect is Effect.ALLOW and is_raised(facts):
        return f"{why} For what lies outside the workspace a rule must name the place, for a secret the file."
    return why


def _does(found: Explanation) -> str:
    """What the call does, by its category."""
    if found.category is not Category.EXTERNAL or not is_raised(found.facts):
        return _DOES[found.category]
    if all(use.inside for use in found.facts.paths):
        return "reads what looks like a secret, which counts as reaching outside"
    return "reads outside the workspace"


def _plan(found: Explanation) -> str:
    if found.rules.mode != "plan":
        return f"No: the mode is “{found.rules.mode_label}”."
    return f"It is, but this call {_does(found)}."


def _protected(found: Explanation) -> str:
    changed = _changed(found.facts.paths)
    return f"No: {_shown(changed)} is none of these." if changed else "No: it changes no file."


def _always_asked(found: Explanation) -> str:
    return f"{_no_rule(Effect.ASK, found.facts, found.rules)[:-1]}, and {_not_outside(found)}."


def _not_outside(found: Explanation) -> str:
    changed = _changed(found.facts.paths)
    if not changed:
        return "it changes no file"
    if all(use.inside for use in changed):
        return f"{_shown(changed)} lies in the workspace"
    if not found.rules.confirm_outside_workspace:
        return "changes outside the workspace are not asked for (assent.confirmOutsideWorkspace is off)"
    return "the chat was allowed to change this place"


def _not_internal(found: Explanation) -> str:
    return f"No: it {_does(found)}."


def _not_reading(found: Explanation) -> str:
    if found.category is not Category.READ:
        return f"No: it {_does(found)}."
    return f"It only reads, but mode “{found.rules.mode_label}” asks for that too."


def _bypass_agent(found: Explanation) -> str:
    return f"No: it is not on for {found.rules.agent_name or 'this agent'}."


def _not_always_allowed(found: Explanation) -> str:
    tool = found.facts.tool
    if tool in found.rules.always_allowed | found.rules.chat_tools:
        return f"{tool} is, but that does not cover secrets and reading outside the workspace."
    return f"No: {tool} is not on the list."


def _not_granted(found: Explanation) -> str:
    if found.facts.grant_key in found.rules.session_grants and found.facts.command is not None:
        return "Its first words were, but they do not cover all that it does."
    if found.facts.grant_key in found.rules.session_grants:
        return "It was, but that does not cover secrets and reading outside the workspace."
    return "No: nothing of the kind was clicked in this chat."


def _mode(found: Explanation) -> str:
    return f"No: mode “{found.rules.mode_label}” asks before a call that {_does(found)}."


def _changed(paths: Iterable[PathUse]) -> tuple[PathUse, ...]:
    return tuple(use for use in paths if changes_it(use))


def _shown(paths: tuple[PathUse, ...]) -> str:
    """The paths for a person; a name cannot make up lines of its own."""
    names = [_printable(use.shown or use.real) for use in paths]
    if len(names) > 3:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return ", ".join(names) or "this call"


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)[1:-1]


RUNGS: dict[int, Rung] = {
    0: Rung("Do the arguments fit the tool?", _always("They do.")),
    1: Rung("Is there such a tool?", _always("There is.")),
    2: Rung("Does the run go on, and is Assent switched on (assent.enabled)?", _always("Yes.")),
    3: Rung("Is a limit of the run used up?", _always("No.")),
    4: Rung("Does it touch what nothing may touch: devices, Assent's own files?", _hard_block),
    5: Rung("Does a deny rule forbid it (assent.alwaysDenyRules)?", _by_rules(Effect.DENY)),
    6: Rung("Is the chat in plan mode, where nothing acts?", _plan),
    7: Rung("Does a hook of yours forbid it?", _always("No hook was asked: explaining never runs one.")),
    8: Rung("Does it change a protected file, such as settings, hooks or keys?", _protected),
    9: Rung("Must it be asked: by an ask rule (assent.alwaysAskRules), or outside the workspace?", _always_asked),
    10: Rung("Has it no effect outside the chat?", _not_internal),
    11: Rung("Does it only read, and does the mode let it?", _not_reading),
    BYPASS_AGENT: Rung("Is the bypass on for this agent (assent.bypassPermissions)?", _bypass_agent),
    13: Rung("Is the bypass on for this chat?", _always("No: nobody clicked that in this chat.")),
    14: Rung("Does an allow rule allow it (assent.alwaysAllowRules)?", _by_rules(Effect.ALLOW)),
    15: Rung("Is the tool always allowed (assent.toolAllowlist)?", _not_always_allowed),
    16: Rung("Was it allowed for this chat?", _not_granted),
    17: Rung("Did a hook of yours allow it?", _always("No hook was asked: explaining never runs one.")),
    18: Rung(
        "Does it run in a sandbox that needs no question (assent.sandbox.autoAllow)?",
        _always("No, or none is in force here."),
    ),
    19: Rung("Does the mode run such calls (assent.mode)?", _mode),
    20: Rung("Nothing lets it run by itself, so:", _always("It asks.")),
}
"""By their levels; a rung that is new here shows its own name."""
