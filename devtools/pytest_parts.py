"""The tests in parts that can run beside each other, and the summary lines of the parts added up to one."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_FILES_AT_MOST = 20
_NEEDS_THE_MACHINE = frozenset({"agents", "e2e"})
"""Folders whose tests drive programs that want all cores, and share one that takes long to start."""


@dataclass(frozen=True)
class Part:
    """Test files that one run of pytest takes, beside others or alone."""

    name: str
    files: tuple[Path, ...]
    alone: bool


def parts(tests: Path) -> list[Part]:
    """Every test file under the folder, in exactly one part.

    A folder of many files is dealt out, so that slow neighbours do not stay together. Such folders come last, because
    their many parts fill the time in which others end; parts that run alone come after all.
    """
    folders: dict[str, list[Path]] = {}
    for file in sorted({*tests.rglob("test_*.py"), *tests.rglob("*_test.py")}):
        inside = file.relative_to(tests).parts
        folders.setdefault(inside[0] if len(inside) > 1 else "", []).append(file)
    dealt = [_dealt(tests.name, folder, files) for folder, files in folders.items()]
    return sorted((part for some in sorted(dealt, key=len) for part in some), key=lambda part: part.alone)


def _dealt(tests: str, folder: str, files: Sequence[Path]) -> list[Part]:
    name = f"{tests}/{folder}".rstrip("/")
    if folder in _NEEDS_THE_MACHINE:
        return [Part(name, tuple(files), alone=True)]
    count = -(-len(files) // _FILES_AT_MOST)
    names = [f"{name} {number} of {count}" for number in range(1, count + 1)] if count > 1 else [name]
    return [Part(each, tuple(files[number::count]), alone=False) for number, each in enumerate(names)]


_SUMMARY = re.compile(r"(?:=+ )?((?:\d+ [a-z]+, )*\d+ [a-z]+|no tests ran) in \d[\d.]*s(?: \([\d:]+\))?(?: =+)?")
_NEAR_THE_END = 20
_ORDER = ("failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "warning", "error")
_NOTHING_COLLECTED = 5


def counted(lines: Sequence[str]) -> Counter[str] | None:
    """What pytest's summary near the end of its output counts, or None when there is none."""
    for line in reversed(lines[-_NEAR_THE_END:]):
        if found := _SUMMARY.fullmatch(line.strip()):
            numbers = re.findall(r"(\d+) ([a-z]+)", found[1])
            return Counter({re.sub(r"^(error|warning)s$", r"\1", word): int(number) for number, word in numbers})
    return None


def went_well(code: int, counts: Counter[str] | None) -> bool:
    """Whether a run is as it should be: it says what it did; and one without a test was left without by choice."""
    if counts is None:
        return False
    return code == 0 or (code == _NOTHING_COLLECTED and set(counts) == {"deselected"})


def added_up(runs: Iterable[tuple[bool, Counter[str] | None]], seconds: float) -> str:
    """One summary for all runs, in pytest's own words. A run that went wrong counts at least as an error."""
    total: Counter[str] = Counter()
    for well, counts in runs:
        total += counts or Counter()
        if not well and not (counts and (counts["failed"] or counts["error"])):
            total["error"] += 1
    words = [_with_plural(total[word], word) for word in (*_ORDER, *sorted({*total} - {*_ORDER})) if total[word]]
    return f"{', '.join(words) or 'no tests ran'} in {seconds:.2f}s"


def _with_plural(number: int, word: str) -> str:
    return f"{number} {word}s" if word in ("warning", "error") and number > 1 else f"{number} {word}"
