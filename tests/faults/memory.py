"""No memory: a decision that cannot be thought to its end is an error and never a run."""

import importlib
import random
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import answer_all, begin
from tests.support.forked import Before
from tests.support.rpc import NotInTime, ServerGone

STEP = 512 * 1024


def no_allocation(folder: Path, size: int, seed: int) -> Report:
    """In each of so many turns, the Nth allocation of the decision fails, one after the other."""
    report = Report("F12 an allocation of a decision fails", size, figures={"failed": 0, "effects": 0})
    try:
        importlib.import_module("_testcapi")
    except ImportError:
        report.left_out = "this Python cannot make an allocation fail (_testcapi is missing)"
        return report

    def work(report: Report) -> None:
        place, marks = Place(folder / "allocations"), Marks(random.Random(seed))
        which, happened = place.folder / "which", place.folder / "happened"
        which.write_text("0")
        hook = ("tests.faults.memory", "fail", {"which": str(which), "happened": str(happened)})
        life = place.life(before=hook)
        for n in range(1, size + 1):
            life = _alive(life, hook)
            which.write_text(str(n // 2 + 1 if n % 2 else -n // 2))
            report.violations += [f"allocation {n}: {one}" for one in _turn(life, marks)]
            which.write_text("0")
            report.figures["failed"] += happened.exists()
            happened.unlink(missing_ok=True)
        report.figures["effects"] = place.effects
        _finish(place)
        report.violations += place.violations(every_write_worked=False)

    return timed(work, report)


def little_memory(folder: Path, size: int, seed: int) -> Report:
    """So many turns with less and less address space."""
    report = Report("F12 little memory", size, figures={"servers ended": 0, "effects": 0})

    def work(report: Report) -> None:
        place, marks = Place(folder / "memory"), Marks(random.Random(seed))
        life = place.life()
        for n in range(size):
            life = _alive(life)
            _limit(life, (size - n) * STEP)
            report.violations += [f"{size - n} steps of memory: {one}" for one in _turn(life, marks)]
            _limit(life, resource.RLIM_INFINITY)
        report.figures |= {"servers ended": len(place.lives) - 1, "effects": place.effects}
        _finish(place)
        report.violations += place.violations(every_write_worked=False)

    return timed(work, report)


def _alive(life: Life, before: Before | None = None) -> Life:
    if life.client.process.poll() is None:
        return life
    life.kill()
    return life.place.life(before=before)


def _turn(life: Life, marks: Marks) -> list[str]:
    """What is promised: an error or a run that is written down. The check of the whole place says which it was.

    An answer that can never be thought to its end does not count, however often it is given; then Stop ends the turn.
    """
    try:
        played = begin(life, [marks.asked()])
        try:
            answer_all(played, lambda: played.run.done, within=20)
        except AssertionError:
            if not played.refused:
                raise
            played.chat.stop()
        played.run.answer(within=20)
    except ServerGone:
        return []
    except (NotInTime, AssertionError) as fault:
        life.kill()
        return [f"the turn hangs: {fault}"]
    return []


def _finish(place: Place) -> None:
    """With all memory everything works again."""
    last = place.lives[-1]
    if last.client.process.poll() is None:
        last.end()
    from tests.faults.kills import settle

    life = place.life()
    settle(life)
    life.end()


def _limit(life: Life, more: int) -> None:
    pid = life.client.process.pid
    if life.client.process.poll() is not None:
        return
    used = int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()
    _, hard = resource.prlimit(pid, resource.RLIMIT_AS)
    wanted = more if more == resource.RLIM_INFINITY else used + more
    resource.prlimit(pid, resource.RLIMIT_AS, (wanted, hard))


def fail(which: str, happened: str) -> None:
    """In the server: of each decision the allocation with the number that stands in the file fails.

    A number below zero is for the decision before the card, one above it for the last one before the start.
    """
    from typing import cast

    from assent.agent import gate as real_gate
    from assent.agent import look as real_look
    from assent.policy.decide import decide

    gate, look = cast("Any", real_gate), cast("Any", real_look)

    number, told = Path(which), Path(happened)
    gate.decide = _failing(decide, lambda: int(number.read_text() or 0), told)
    look.decide = _failing(decide, lambda: -int(number.read_text() or 0), told)


def _failing(decide: Callable[..., Any], number: Callable[[], int], told: Path) -> Callable[..., Any]:
    _testcapi = importlib.import_module("_testcapi")

    def without_memory(*arguments: Any) -> Any:
        n = number()
        if n <= 0:
            return decide(*arguments)
        failed = False
        _testcapi.set_nomemory(n, n + 1)
        try:
            return decide(*arguments)
        except MemoryError:
            failed = True
            raise
        finally:
            _testcapi.remove_mem_hooks()
            if failed:
                told.touch()

    return without_memory
