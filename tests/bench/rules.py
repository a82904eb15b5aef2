"""`python -m tests.bench.rules`: what it costs to look a call up among many rules, in CPU time."""

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from assent.model.calls import Access, CallFacts, PathUse
from assent.model.modes import Category
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule

SIZES = (10, 1_000, 10_000)
LOOKUPS = 3_000
WARM = 300
HEADS = ("rules", "p50", "p99", "growth", "build ms", "first ms")
ROOT, HOME, TOOL = "/home/someone/code/project", "/home/someone", "write_file"

KINDS: dict[str, Callable[[int], str | Rule]] = {
    "folders elsewhere": lambda n: f"packages/part{n}/generated/**",
    "names": lambda n: f"generated{n}.lock",
    "endings": lambda n: f"*.kind{n}",
    "absolute paths": lambda n: f"~/elsewhere/{n}/**",
    "folders at any depth": lambda n: f"**/cache{n}/**",
    "pieces of names": lambda n: f"*{n}x*",
    "pieces that are half there": lambda n: f"*Module*_{n}_*",
    "below wildcards": lambda n: f"src/*/gen{n}/*.py",
    "classes": lambda n: f"[a-z]part{n}[0-9].?s",
    "nothing but classes": lambda n: f"[{_letters(n)}]?[!{_letters(n)}]",
    "braces": lambda n: f"\\{{name{n}\\}}/[{{]x[}}]*",
    "for other agents": lambda n: Rule(Effect.DENY, TOOL, "src/**", agents=(f"Agent {n}", "Some other")),
    "for other tools": lambda n: Rule(Effect.DENY, f"tool_{n % 50}", f"src/{n}/**"),
    "all of these": lambda n: _of_all_kinds(n),
}
"""What the rules are like. None of them matches a call, and so none should cost anything."""


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number}")


def _of_all_kinds(number: int) -> "str | Rule":
    kinds = list(KINDS.values())[:-1]
    return kinds[number % len(kinds)](number)


def some_rules(effect: Effect, kind: str, size: int) -> list[Rule]:
    """So many rules of one kind."""
    made = (KINDS[kind](number) for number in range(size))
    return [replace(one, effect=effect) if isinstance(one, Rule) else Rule(effect, TOOL, one) for one in made]


def main() -> None:
    """Prints what one lookup takes, and how that grows with the number of rules."""
    print(f"{'rules that cannot match; us for one lookup':44}" + "".join(f"{head:>9}" for head in HEADS))
    for effect in (Effect.DENY, Effect.ALLOW):
        for kind in KINDS:
            _print_kind(effect, kind)


def _print_kind(effect: Effect, kind: str) -> None:
    least = 0.0
    for size in SIZES:
        rules = some_rules(effect, kind, size)
        started = time.thread_time()
        book = RuleBook(rules, (ROOT,), HOME)
        built = (time.thread_time() - started) * 1_000
        # The first call finds the book as it was made and prepares what it needs of it.
        started = time.thread_time()
        book.first(effect, some_call(0), "Demo")
        ready = (time.thread_time() - started) * 1_000
        middle, worst = _lookups(book, effect, LOOKUPS)
        least = least or middle
        figures = (middle, worst, middle / least, built, ready)
        print(f"{effect.value + ', ' + kind:44}{size:9}" + "".join(f"{figure:9.1f}" for figure in figures))


def _lookups(book: RuleBook, effect: Effect, times: int) -> tuple[float, float]:
    """The median and the 99th percentile, in microseconds."""
    took = []
    for number in range(times + WARM):
        facts = some_call(number)
        started = time.thread_time_ns()
        found = book.first(effect, facts, "Demo")
        took.append((time.thread_time_ns() - started) / 1_000)
        assert found is None, found
    kept = sorted(took[WARM:])
    return statistics.median(kept), kept[len(kept) * 99 // 100]


def some_call(number: int) -> CallFacts:
    """A call that touches a file of its own."""
    shown = f"src/part_{number}/Module{number}.py"
    real = f"{ROOT}/{shown}"
    use = PathUse(real, shown, Access.WRITE, inside=True, named=real)
    return CallFacts(TOOL, known=True, category=Category.WRITE, paths=(use,))


if __name__ == "__main__":
    main()
