"""An explanation as text for a terminal, and the same as JSON."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from assent.agent.gate import Explanation
from assent.cli.explain.advice import advice
from assent.cli.explain.ladder import SETTING_OF, asked_at, found_at
from assent.cli.explain.places import SettingsText
from assent.jsontext import readable_json
from assent.model.verdict import Outcome, Reason
from assent.policy.rules.rule import Effect

WIDTH = 110

_ANSWERS = {
    Outcome.RUN: "It would run, without a question.",
    Outcome.ASK: "It would ask: a card waits for your click, and nothing runs before.",
    Outcome.BLOCK: "It would be blocked: no card, it does not run, and the agent is told why.",
    Outcome.ERROR: "It would fail: no card, it does not run, and the agent is told why.",
    Outcome.NEED_HOOKS: "It would depend on your hooks, which are not run for an explanation.",
}
_EFFECTS = {
    Reason.DENIED_BY_RULE: Effect.DENY,
    Reason.ASK_RULE: Effect.ASK,
    Reason.ALLOW_RULE: Effect.ALLOW,
}


def with_place(found: Explanation, settings: SettingsText | None) -> Explanation:
    """The same, with the line of the user's settings file in which the rule stands."""
    rule, effect = found.decision.rule, _EFFECTS.get(found.decision.reason)
    if settings is None or rule is None or effect is None:
        return found
    placed = settings.placed(rule, SETTING_OF[effect], found.facts.tool)
    return replace(found, decision=replace(found.decision, rule=placed))


def as_text(found: Explanation, diagnostics: Sequence[str], about_bypass: str, notes: Sequence[str]) -> str:
    """The outcome first, then why, what can be done, and what was looked at."""
    lines = [_line(found.headline), _answer(found), "", "Why:", *_wrapped(found.impossible or found.decision.text)]
    lines += _rule_lines(found)
    for title, paragraphs in (
        ("What you can do:", [] if found.impossible else advice(found)),
        ("Problems in the settings:", diagnostics),
    ):
        if paragraphs:
            lines += ["", title, *(line for text in paragraphs for line in _item(text))]
    lines += ["", "What was looked at, in this order, until something decided:", *_ladder(found, about_bypass)]
    lines += ["", *(line for note in notes for line in _wrapped(note, ""))]
    return "\n".join(lines).rstrip() + "\n"


def as_json(found: Explanation, diagnostics: Sequence[str], about_bypass: str) -> str:
    """The same for programs; the keys stay."""
    decision = found.decision
    trace = [
        {"level": step.level, "name": step.name, "matched": step.matched, "note": found_at(step, found, about_bypass)}
        for step in decision.trace
    ]
    return readable_json(
        {
            "outcome": outcome_word(found),
            "headline": found.headline,
            "reason": {
                "code": decision.reason.value,
                "text": decision.text,
                "rule": None if decision.rule is None else asdict(decision.rule),
            },
            "category": found.category.value,
            "trace": trace,
            "suggestions": [
                {"setting": "assent.alwaysAllowRules", "tool": one.tool, "pattern": one.pattern, "words": one.words}
                for one in found.suggestions
            ],
            "diagnostics": list(diagnostics),
            "impossible": found.impossible,
        }
    )


def outcome_word(found: Explanation) -> str:
    """One of run, ask, block and error. What hooks have to decide does not run before they were asked."""
    outcome = found.decision.outcome
    return (Outcome.ASK if outcome is Outcome.NEED_HOOKS else outcome).value


def _answer(found: Explanation) -> str:
    if found.impossible is not None:
        return "It would fail, and nobody would be asked: it cannot work, whatever is allowed."
    return _ANSWERS[found.decision.outcome]


def _rule_lines(found: Explanation) -> Iterator[str]:
    rule = found.decision.rule
    if rule is not None and rule.file is not None:
        yield f"  The rule stands in {rule.file}{f', line {rule.line}' if rule.line else ''}."


def _ladder(found: Explanation, about_bypass: str) -> Iterator[str]:
    for step in found.decision.trace:
        yield f"{'>' if step.matched else ' '} {step.level:2}  {asked_at(step)}"
        yield from _wrapped(found_at(step, found, about_bypass), _INDENT)


_INDENT = "       "
_COPIED = 2


def _item(text: str) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield from _wrapped(first, "  - ", "    ")
    for line in rest:
        # What is to be copied is not broken; the words about it, which stand further in, are.
        depth = len(line) - len(line.lstrip())
        yield from _wrapped(line.strip(), " " * (4 + depth)) if depth > _COPIED else [f"    {_line(line)}"]


def _wrapped(text: str, first: str = "  ", rest: str | None = None) -> list[str]:
    """Lines of a bearable width; names are not broken."""
    return textwrap.wrap(
        _line(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _line(text: str) -> str:
    """What a name in a call holds cannot move the cursor, or begin a line of its own."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
