"""Many lines through the gate, those that it lets run through the sandbox, and what came of it."""

import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from assent.model.modes import Category
from tests.support.shell_trace.causes import Cause
from tests.support.shell_trace.compare import compare
from tests.support.shell_trace.decision import Decided, Gate
from tests.support.shell_trace.places import Places, build
from tests.support.shell_trace.sandbox import Ran, Sandbox
from tests.support.shell_trace.trace import deeds

_BATCH = 100
_TOLD = 5

Line = tuple[int, str]
"""A line, with the seed from which it was made."""


@dataclass(frozen=True, slots=True)
class CounterExample:
    """A command that the gate let run, and what it did beyond that which was read in it."""

    seed: int
    text: str
    faults: tuple[str, ...]

    def __str__(self) -> str:
        listed = "".join(f"\n    {fault}" for fault in self.faults[:_TOLD])
        more = f"\n    and {len(self.faults) - _TOLD} more" if len(self.faults) > _TOLD else ""
        return f"seed {self.seed}: {self.text!r}{listed}{more}"


@dataclass(slots=True)
class Trial:
    """What was tried, in numbers, and what was found."""

    made: int = 0
    unreadable: int = 0
    ran: int = 0
    worked: int = 0
    """Ended with the code 0: what fails at once proves little."""
    cut_off: int = 0
    deeds: int = 0
    by_category: dict[Category, int] = field(default_factory=dict)
    swept: list[str] = field(default_factory=list)
    """Secrets that were read with the whole folder that holds them."""
    found: list[CounterExample] = field(default_factory=list)

    @property
    def share(self) -> float:
        """How many of the lines the gate lets run."""
        return self.ran / self.made if self.made else 0.0


@dataclass(frozen=True, slots=True)
class _Case:
    seed: int
    text: str
    decided: Decided


class Trials:
    """Tries lines in one small world.

    To see that a trial can find what it looks for, `cause` is put back: the gate believes what it refuses today, and
    the repository of the world is a hostile one.
    """

    def __init__(self, folder: Path, cause: Cause | None = None) -> None:
        believing = None if cause is None else re.compile(cause.refused)
        self._places: Places = build(folder / "world", hostile=cause is not None)
        self._gate = Gate(self._places, believing)
        shell = self._gate.shell()
        self._shell = shell.path
        unset = "" if cause is None else cause.unset
        given = {name: value for name, value in shell.environment.items() if name != unset}
        self._sandbox = Sandbox(self._places, shell.path, given)

    def run(self, lines: Iterable[Line], told: Callable[[Trial], None] = lambda _: None) -> Trial:
        """Runs those that the gate lets run."""
        trial = Trial()
        cases = self._allowed(trial, lines)
        with ThreadPoolExecutor(2) as both:
            while batch := list(islice(cases, _BATCH)):
                halves = (batch[::2], batch[1::2])
                for half, ran in zip(halves, both.map(self._executed, halves), strict=True):
                    self._take(trial, half, ran)
                told(trial)
        return trial

    def _allowed(self, trial: Trial, lines: Iterable[Line]) -> Iterator[_Case]:
        for seed, text in lines:
            decided = self._gate.decide(text) if text.strip() else None
            trial.made += 1
            if decided is not None:
                trial.unreadable += decided.command.unreadable is not None
                if decided.runs:
                    yield _Case(seed, text, decided)

    def _executed(self, batch: list[_Case]) -> list[Ran]:
        return self._sandbox.run([case.text for case in batch])

    def _take(self, trial: Trial, batch: list[_Case], ran: list[Ran]) -> None:
        for case, one in zip(batch, ran, strict=True):
            done = deeds(one.trace, self._shell, str(self._places.workspace))
            compared = compare(done, case.decided, self._places)
            trial.ran += 1
            trial.worked += one.code == 0
            trial.cut_off += one.cut_off
            trial.deeds += len(done)
            trial.by_category[case.decided.category] = trial.by_category.get(case.decided.category, 0) + 1
            trial.swept += [f"seed {case.seed}: {case.text!r} {swept}" for swept in compared.swept]
            if compared.faults:
                short = tuple(fault.replace(str(self._places.world), "…") for fault in compared.faults)
                trial.found.append(CounterExample(case.seed, case.text, short))
