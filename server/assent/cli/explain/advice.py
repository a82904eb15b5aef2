"""What the user can do about an answer: which setting, where it stands, and what is risked with it."""

import json
from collections.abc import Callable, Iterator

from assent.agent.gate import Explanation
from assent.model.calls import CallFacts
from assent.model.verdict import Outcome, Reason
from assent.policy.reach import changes_it, is_within, starts_outside
from assent.policy.rules.suggest import Suggestion, suggest_deny

WHERE = "your user settings (in the editor: “Preferences: Open User Settings (JSON)”)"

_Advice = Callable[[Explanation], Iterator[str]]


def advice(found: Explanation) -> list[str]:
    """Paragraphs, each of which says one thing to do."""
    made = list(_BY_REASON.get(found.decision.reason, _nothing)(found))
    if found.decision.outcome is Outcome.RUN:
        made += _to_stop(found)
    return made


def entry(suggestion: Suggestion) -> str:
    """A rule as it stands in the settings."""
    return json.dumps({suggestion.tool: [suggestion.pattern]}, ensure_ascii=False)


def _needs_approval(found: Explanation) -> Iterator[str]:
    agent = found.rules.agent_name
    yield "Click Approve on the card: this one call runs, and the next one asks again."
    if found.suggestions:
        rules = "".join(f"\n  {entry(one)}\n      {one.words}" for one in found.suggestions)
        yield f"Let such calls run unasked, with one of these in assent.alwaysAllowRules of {WHERE}:{rules}"
    if found.rules.bypass_available:
        yield (
            f"Let everything that {agent} does run unasked: assent.bypassPermissions, {json.dumps({agent: True})}. "
            "Only protected files, changes outside the workspace and your deny and ask rules still stop it."
        )
    yield (
        "Choose another mode for the chat, or for new ones with assent.mode. “auto” runs everything but what is "
        "protected, forbidden or asked by a rule: whatever an agent is talked into, it does."
    )


def _protected(found: Explanation) -> Iterator[str]:
    yield (
        "Click Approve on the card, each time. No setting takes that away: who changes such a file can make your "
        "editor, shell or git run something, or read your keys."
    )


def _outside(found: Explanation) -> Iterator[str]:
    folder = _folder(found.facts)
    yield "Click Approve on the card: this one call runs."
    if folder and not (found.rules.home and is_within(found.rules.home, folder)):
        yield (
            f"Make the folder a part of the workspace: assent.additionalWorkingDirectories, {json.dumps([folder])}, in "
            f"{WHERE}. Agents may then work in it as in the workspace itself."
        )
    yield (
        "Do not be asked for places outside any more: assent.confirmOutsideWorkspace, false. Then the mode and your "
        "rules decide alone about changes anywhere on this machine."
    )


def _ask_rule(found: Explanation) -> Iterator[str]:
    yield "Click Approve on the card, each time; no allow rule, bypass or mode goes before an ask rule."
    yield f"Or change the rule itself: {_place(found)}."


def _denied(found: Explanation) -> Iterator[str]:
    yield f"Change the rule itself: {_place(found)}. Nothing else goes before a deny rule, and no card is shown."


def _plan(found: Explanation) -> Iterator[str]:
    yield "Choose another mode for this chat. In plan mode no rule, bypass or click lets anything act."


def _blocked(found: Explanation) -> Iterator[str]:
    yield "Nothing: this is never allowed. If you want it done, do it yourself."


def _arguments(found: Explanation) -> Iterator[str]:
    yield "Give the arguments that the tool takes, as a JSON object. A model is told the same and tries again."


def _unknown(found: Explanation) -> Iterator[str]:
    yield "Name one of the tools that there are. Names are exact."


def _disabled(found: Explanation) -> Iterator[str]:
    yield "Set assent.enabled to true, wherever it is false: each scope can switch everything off."


def _hooks(found: Explanation) -> Iterator[str]:
    yield "Your hooks are asked when such a call is really made; explaining never runs one."


def _nothing(found: Explanation) -> Iterator[str]:
    return iter(())


def _to_stop(found: Explanation) -> Iterator[str]:
    never = suggest_deny(found.facts, found.rules.roots, found.rules.home)
    yield f"Be asked all the same: {entry(never)} in assent.alwaysAskRules of {WHERE}."
    yield f"Forbid it: the same in assent.alwaysDenyRules. {never.words}"
    reason = found.decision.reason
    if reason is Reason.BYPASS_AGENT:
        yield f"Switch the bypass off: assent.bypassPermissions, {json.dumps({found.rules.agent_name: False})}."
    if reason in (Reason.ALLOW_RULE, Reason.ALWAYS_ALLOW):
        place = _place(found) if found.decision.rule is not None else "in assent.toolAllowlist"
        yield f"Take back what allows it: {place}."
    if reason is Reason.MODE_AUTO:
        yield "Choose a stricter mode for the chat, or for new ones with assent.mode."


def _place(found: Explanation) -> str:
    rule = found.decision.rule
    if rule is None:
        return "it stands in your settings"
    where = f"{rule.file}, line {rule.line}" if rule.file and rule.line else f"the {rule.scope} settings"
    return f"{json.dumps(rule.pattern, ensure_ascii=False)} for {found.facts.tool}, in {where}"


def _folder(facts: CallFacts) -> str:
    """The folder of the first change that lies outside."""
    for use in facts.paths:
        if starts_outside(use) or (changes_it(use) and not use.inside):
            return use.real if use.is_directory else use.real.replace("\\", "/").rpartition("/")[0]
    return ""


_BY_REASON: dict[Reason, _Advice] = {
    Reason.NEEDS_APPROVAL: _needs_approval,
    Reason.PROTECTED: _protected,
    Reason.OUTSIDE_WORKSPACE: _outside,
    Reason.ASK_RULE: _ask_rule,
    Reason.DENIED_BY_RULE: _denied,
    Reason.BLOCKED_IN_PLAN_MODE: _plan,
    Reason.BLOCKED_BY_PROTECTION: _blocked,
    Reason.INVALID_ARGUMENTS: _arguments,
    Reason.TOOL_NOT_FOUND: _unknown,
    Reason.DISABLED: _disabled,
    Reason.HOOKS_PENDING: _hooks,
    Reason.DENIED_BY_HOOK: _hooks,
}
