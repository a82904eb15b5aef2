"""What a run of tests says of each test, one line each, so that a failure is known when it happens.

A line begins with a character that nothing else prints, and goes on with JSON. pytest says it by
`devtools.pytest_records`, vitest by `client-ts/test/support/records.ts`.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

MARK = "\x1e"
FAILED, ERROR = "failed", "error"
_ORDER = (FAILED, "passed", "skipped", "deselected", "xfailed", "xpassed", ERROR)
"""The outcomes as pytest orders them in its summary."""


@dataclass(frozen=True)
class Failure:
    """A test that failed, or a file that could not be collected, with all that is known of it."""

    test: str
    said: str
    outcome: str

    @property
    def is_of_a_file(self) -> bool:
        """Whether no single test failed, but what holds them."""
        return "::" not in self.test and " > " not in self.test


@dataclass
class Records:
    """What the lines of one run say."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    by_chance: list[Failure] = field(default_factory=list)
    """Failures of tests that passed when they were tried again."""
    ended: bool = False
    """Whether the run says that it came to its end; one that was killed does not."""

    def read(self, line: str) -> Failure | None:
        """Takes in a line; returns the failure that it tells of."""
        if not line.startswith(MARK):
            return None
        record = json.loads(line[len(MARK) :])
        if "ended" in record:
            self.ended = True
            return None
        self.counts[record["outcome"]] += record.get("count", 1)
        if record["outcome"] not in (FAILED, ERROR):
            return None
        self.failures.append(Failure(record["test"], record.get("said", ""), record["outcome"]))
        return self.failures[-1]

    def passed_alone(self, failure: Failure) -> None:
        """Counts it as passed: it failed by chance."""
        self.failures.remove(failure)
        self.by_chance.append(failure)
        self.counts[failure.outcome] -= 1
        self.counts["passed"] += 1


def added_up(counts: Iterable[Counter[str]], seconds: float) -> str:
    """One summary for all runs, in pytest's own words."""
    total = sum(counts, Counter[str]())
    words = [_with_plural(total[word], word) for word in (*_ORDER, *sorted({*total} - {*_ORDER})) if total[word]]
    return f"{', '.join(words) or 'no tests ran'} in {seconds:.2f}s"


def _with_plural(number: int, word: str) -> str:
    return f"{number} {word}s" if word == ERROR and number > 1 else f"{number} {word}"
