"""Every single call of the system fails once: writing, syncing, renaming, opening, starting a program."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from tests.faults.held_calls import NUMBERS, Failure, HeldCalls, obstacle
from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import Played, play
from tests.support.rpc import ServerGone

ERRORS = {"openat": ("EIO", "EMFILE"), "clone3": ("EAGAIN",), "clone": ("EAGAIN",), "vfork": ("EAGAIN",)}
USUAL_ERRORS = ("EIO", "ENOSPC")
IN_ONE_PLACE = 15
LANES = 2


def failing_calls(folder: Path, calls: int, seed: int, *, most: int | None = None) -> Report:
    """Turns of so many calls; in each one call of the system fails, every one in its turn, or so many of them."""
    report = Report("F2 every Nth system call fails", calls)
    if obstacle():
        report.left_out = obstacle()
        return report

    def work(report: Report) -> None:
        failures = list(_failures(folder / "counted", calls))
        report.figures["possible"] = len(failures)
        if most is not None and len(failures) > most:
            failures = sorted(random.Random(seed).sample(failures, most), key=failures.index)
        report.figures["tried"] = len(failures)
        report.figures["happened"] = 0

        def part(start: int) -> None:
            _try(folder / f"failing-{start}", calls, failures[start : start + IN_ONE_PLACE], report)

        with ThreadPoolExecutor(LANES) as pool:
            list(pool.map(part, range(0, len(failures), IN_ONE_PLACE)))

    return timed(work, report)


def _failures(folder: Path, calls: int) -> Iterator[Failure]:
    """A turn in which nothing fails is counted; each of its calls can fail."""
    with _Lives(Place(folder)) as lives, lives.held.watching() as watch:
        play(lives.life, _calls(Marks(random.Random(calls)), calls))
    for name in NUMBERS:
        for error in ERRORS.get(name, USUAL_ERRORS):
            for n in range(1, watch.counted[name] + 1):
                yield Failure(name, error, n)


class _Lives:
    """The server of a place, and the next one when that has ended. Its calls are held."""

    life: Life
    held: HeldCalls

    def __init__(self, place: Place) -> None:
        self._place = place
        self._open = ExitStack()

    def __enter__(self) -> "_Lives":
        self._begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.life.end()
        else:
            self.life.kill()
        self._open.close()

    def begin_anew(self) -> None:
        """After the end of a server."""
        self.life.kill()
        self._open.close()
        self._begin()

    def _begin(self) -> None:
        self.held = self._open.enter_context(HeldCalls(self._place.state))
        self.life = self._place.life(before=self.held.before)
        # The database is there before anything fails: a first start on a broken disk is another case.
        play(self.life, _calls(Marks(random.Random(0), kind=f"life{self.life.number:02d}"), 1))


def _calls(marks: Marks, count: int) -> list[dict[str, object]]:
    return [marks.asked() for _ in range(count)]


def _try(folder: Path, calls: int, failures: list[Failure], report: Report) -> None:
    place, marks = Place(folder), Marks(random.Random(0))
    with _Lives(place) as lives:
        for failure in failures:
            found: list[str] = []
            with lives.held.watching(failure) as watch:
                try:
                    played = play(lives.life, _calls(marks, calls))
                    found += _told_badly(played)
                except ServerGone:
                    found += _ended_badly(lives.life)
                    lives.begin_anew()
                except AssertionError as fault:
                    found.append(str(fault))
            report.figures["happened"] += watch.happened
            report.violations += [f"{failure}: {one}" for one in found]
    report.violations += [
        f"{one} (among {failures[0]} to {failures[-1]})"
        for one in place.violations(recovered=False, every_write_worked=False)
    ]


def _told_badly(played: Played) -> list[str]:
    results = played.chat.results()
    silent = [one for one in results if one["is_error"] and len(one["output"]) < 20]
    return [*played.unclear, *(f"the result says nothing: {one}" for one in silent)]


def _ended_badly(life: Life) -> list[str]:
    """A server may end where it cannot go on, if it says why and is no wreck."""
    code = life.client.wait_exit()
    return [] if code in (0, 1) else [f"the server died with {code}: {life.client.stderr[-500:]}"]
