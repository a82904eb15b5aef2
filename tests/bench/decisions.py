"""How long a decision takes among rules that cannot match: CPU time, whatever else the machine does. Prints JSON."""

import json
import time
from dataclasses import replace
from itertools import product

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category, Mode
from assent.policy.decide import Rules, decide
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from tests.bench.rules import HOME, ROOT, TOOL, some_call, some_rules

ROUNDS = 8_000
WARM = 400
SIZES = (0, 1_000, 10_000)


def main() -> None:
    """For each number of rules: microseconds at p50 and p99, and milliseconds to make the rules ready."""
    print(json.dumps([_measure(size) for size in SIZES]))


def _measure(size: int) -> dict[str, float]:
    rules = _mixed(size)
    begun = time.thread_time()
    book = RuleBook(rules, (ROOT,), HOME)
    decide(_facts(0), replace(_SETTINGS[0], book=book))
    ready = (time.thread_time() - begun) * 1_000
    settings = [replace(one, book=book) for one in _SETTINGS]
    taken = []
    for number in range(ROUNDS + WARM):
        facts, one = _facts(number), settings[number % len(settings)]
        begun_at = time.thread_time_ns()
        decide(facts, one)
        taken.append(time.thread_time_ns() - begun_at)
    kept = sorted(taken[WARM:])
    return {"rules": size, "p50": kept[ROUNDS // 2] / 1_000, "p99": kept[ROUNDS * 99 // 100] / 1_000, "ready": ready}


def _mixed(size: int) -> list[Rule]:
    """Deny, ask and allow rules of every kind, in equal parts."""
    parts = [some_rules(effect, "all of these", size // 3 + 1) for effect in Effect]
    return [one for group in zip(*parts, strict=True) for one in group][:size]


_SETTINGS = [
    Rules(
        mode=mode,
        bypass_session=bypass,
        own_places=("/opt/assent", f"{HOME}/.local/state/assent"),
        home=HOME,
        roots=(ROOT,),
        agent_name="Demo",
    )
    for mode, bypass in product(Mode, (False, True))
]
_OTHERS = [
    CallFacts(TOOL, known=True, category=Category.WRITE, paths=(path,), grant_key=TOOL)
    for path in (
        PathUse(f"{ROOT}/.git/hooks/pre-commit", ".git/hooks/pre-commit", Access.WRITE, inside=True),
        PathUse(f"{HOME}/notes.txt", f"{HOME}/notes.txt", Access.READ, inside=False),
    )
]


def _facts(number: int) -> CallFacts:
    """Mostly ordinary calls, each about a file of its own; some that are protected, some outside."""
    kind = number % 7
    return _OTHERS[kind] if kind < len(_OTHERS) else some_call(number)


if __name__ == "__main__":
    main()
