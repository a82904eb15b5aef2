"""How long a decision takes, in a process that does nothing else. Prints JSON: microseconds at p50 and p99."""

import json
import time

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category, Mode
from assent.policy.decide import Rules, decide

ROUNDS = 20_000


def main() -> None:
    rules = [
        Rules(
            mode=mode, bypass_session=bypass, own_places=("/opt/assent", "/home/u/.local/state/assent"), home="/home/u"
        )
        for mode in Mode
        for bypass in (False, True)
    ]
    facts = [
        CallFacts("write_file", known=True, category=Category.WRITE, paths=(path,), grant_key="write_file")
        for path in (
            PathUse("/w/src/a/b/c.py", "src/a/b/c.py", Access.WRITE, inside=True),
            PathUse("/w/.git/hooks/pre-commit", ".git/hooks/pre-commit", Access.WRITE, inside=True),
            PathUse("/home/u/notes.txt", "/home/u/notes.txt", Access.READ, inside=False),
        )
    ]
    taken = []
    for number in range(ROUNDS):
        fact, rule = facts[number % len(facts)], rules[number % len(rules)]
        begun = time.perf_counter_ns()
        decide(fact, rule)
        taken.append(time.perf_counter_ns() - begun)
    taken.sort()
    print(json.dumps({"p50": taken[ROUNDS // 2] / 1000, "p99": taken[ROUNDS * 99 // 100] / 1000}))


if __name__ == "__main__":
    main()
