"""`python -m tests.bench.rules`: what it costs to look a call up among many rules."""

import statistics
import time
from collections.abc import Callable
from itertools import count

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule

SIZES = (10, 1_000, 10_000)
LOOKUPS = 3_000
WARM = 300
HEADS = ("rules", "p50", "p99", "growth", "build ms")
ROOT, HOME, TOOL = "/home/someone/code/project", "/home/someone", "write_file"

KINDS: dict[str, Callable[[int], str]] = {
    "folders elsewhere": lambda n: f"packages/part{n}/generated/**",
    "names": lambda n: f"generated{n}.lock",
    "endings": lambda n: f"*.kind{n}",
    "absolute paths": lambda n: f"~/elsewhere/{n}/**",
    "all of these": lambda n: (f"part{n}/**", f"name{n}", f"*.e{n}", f"/opt/x{n}/*")[n % 4],
    "any, looked at each time": lambda n: f"*{n}x*",
}
"""What the rules are like. None of them matches a call, and all but the last kind should cost nothing."""


def main() -> None:
    """Prints what one lookup takes, and how that grows with the number of rules."""
    print(f"{'rules that cannot match; us for one lookup':44}" + "".join(f"{head:>9}" for head in HEADS))
    for effect in (Effect.DENY, Effect.ALLOW):
        for kind, pattern in KINDS.items():
            _print_kind(effect, kind, pattern)


def _print_kind(effect: Effect, kind: str, pattern: Callable[[int], str]) -> None:
    least = 0.0
    for size in SIZES:
        started = time.perf_counter()
        book = RuleBook([Rule(effect, TOOL, pattern(n)) for n in range(size)], (ROOT,), HOME)
        built = (time.perf_counter() - started) * 1_000
        middle, worst = _lookups(book, effect, LOOKUPS)
        least = least or middle
        growth = f"{middle / least:9.2f}"
        print(f"{effect.value + ', ' + kind:44}{size:9}{middle:9.1f}{worst:9.1f}{growth}{built:9.1f}")


def _lookups(book: RuleBook, effect: Effect, times: int) -> tuple[float, float]:
    """The median and the 99th percentile, in microseconds."""
    calls, took = (_call(number) for number in count()), []
    for facts in (next(calls) for _ in range(times + min(WARM, times))):
        started = time.perf_counter_ns()
        found = book.first(effect, facts, "Demo")
        took.append((time.perf_counter_ns() - started) / 1_000)
        assert found is None
    kept = took[min(WARM, times) :]
    return statistics.median(kept), statistics.quantiles(kept, n=100)[98]


def _call(number: int) -> CallFacts:
    shown = f"src/part_{number}/Module{number}.py"
    real = f"{ROOT}/{shown}"
    use = PathUse(real, shown, Access.WRITE, inside=True, named=real)
    return CallFacts(TOOL, known=True, category=Category.WRITE, paths=(use,))


if __name__ == "__main__":
    main()
