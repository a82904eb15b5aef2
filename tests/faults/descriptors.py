"""No descriptor is left: what cannot be opened or started is a clean fault, the next call works, none is lost."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import Played, answer_all, begin, play
from tests.support.rpc import RpcError
from tests.support.scale import wait_until

SPARE = 9
"""A call needs no more than so many; fewer are left each time, from none on."""
RETRIES_UNTIL_ROOM = 1


def no_descriptors(folder: Path, size: int, seed: int) -> Report:
    """So many calls with next to no descriptors left, each followed by one that has enough."""
    report = Report("F11 no descriptors left", size, figures={"failed": 0, "effects": 0})

    def work(report: Report) -> None:
        import random

        place, marks = Place(folder / "descriptors"), Marks(random.Random(seed))
        life = place.life()
        play(life, [marks.asked()])
        usual = _descriptors(life)
        for n in range(size):
            report.violations += [f"{n % SPARE} left: {one}" for one in _try(life, marks, n % SPARE, report)]
        try:
            wait_until(lambda: _descriptors(life) <= usual, within=10)
        except AssertionError:
            report.violations.append(f"{usual} descriptors were open before, {_descriptors(life)} are now")
        report.figures["effects"] = place.effects
        life.end()
        report.violations += place.violations(every_write_worked=False)

    return timed(work, report)


def _try(life: Life, marks: Marks, spare: int, report: Report) -> list[str]:
    place = life.place
    before = place.effects
    begun = begin(life, [marks.asked()])
    card = begun.chat.card()
    with _limited(life, spare):
        try:
            begun.chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
            begun.run.result(30)
        except RpcError as fault:
            begun.refused.append(fault)
    answer_all(begun, lambda: begun.run.done)
    result = begun.chat.results()[0]
    report.figures["failed"] += bool(result["is_error"] or begun.refused)
    faults = list(begun.unclear)
    if result["is_error"] and len(result["output"]) < 20:
        faults.append(f"the result says nothing: {result}")
    if place.effects != before + (not result["is_error"]):
        faults.append(f"{place.effects - before} effects with the result {result}")
    return faults + _next_one_works(life, marks)


def _next_one_works(life: Life, marks: Marks) -> list[str]:
    before = life.place.effects
    played: Played = play(life, [marks.asked()])
    if life.place.effects == before + 1 and not played.refused:
        return []
    return [f"the next call did not work: {played.refused} {played.chat.results()}"]


@contextmanager
def _limited(life: Life, spare: int) -> Iterator[None]:
    pid = life.client.process.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (_limit_leaving(life, spare), hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))


def _descriptors(life: Life) -> int:
    return len(list(Path(f"/proc/{life.client.process.pid}/fd").iterdir()))


def _limit_leaving(life: Life, spare: int) -> int:
    """The limit of numbers below which just so many are free."""
    taken = {int(one.name) for one in Path(f"/proc/{life.client.process.pid}/fd").iterdir()}
    free = (number for number in count() if number not in taken)
    return next(islice(free, spare, None))
