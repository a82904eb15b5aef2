"""Clients that go away: nothing waits on, nothing that waited runs, nothing that ran is left, and the server ends."""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tests.faults.effects import FILE
from tests.faults.kills import settle
from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import begin
from tests.support.rpc import NotInTime, ServerGone, frame
from tests.support.scale import wait_until
from tests.support.server import call

IN_ONE_PLACE = 10
ALLOWED_SECONDS = 2.0
"""From the client's going to the end of the process; told, and not held against a machine that is busy."""


def _closes_input(life: Life) -> None:
    life.client.close_stdin()


def _stops_reading(life: Life) -> None:
    life.client.close_stdout()
    # It notices with the next message.
    life.client.start("session/list", {})


def _is_gone(life: Life) -> None:
    life.client.close_stdout()
    life.client.close_stdin()


def _breaks_off_in_a_message(life: Life) -> None:
    life.client.send_bytes(frame(b'{"jsonrpc": "2.0", "id": 1, "method": "session/list"}')[:-7])
    life.client.close_stdin()


WAYS: tuple[Callable[[Life], None], ...] = (_closes_input, _stops_reading, _is_gone, _breaks_off_in_a_message)


def hangups(folder: Path, size: int, seed: int, *, lanes: int = 3) -> Report:
    """So many clients that go away while one call waits and another one runs."""
    report = Report("F6 the client goes away", size, figures={"slowest end, s": 0.0, "over 2 s": 0})

    def part(start: int) -> list[str]:
        numbers = random.Random(seed + start)
        place, marks = Place(folder / f"hangups-{start}"), Marks(numbers)
        found: list[str] = []
        for n in range(start, min(start + IN_ONE_PLACE, size)):
            found += _hang_up(place.life(), WAYS[n % len(WAYS)], marks, numbers, report)
        last = place.life()
        settle(last)
        last.end()
        return [f"{one} (seed {seed + start})" for one in found + place.violations()]

    def work(report: Report) -> None:
        with ThreadPoolExecutor(lanes) as pool:
            for found in pool.map(part, range(0, size, IN_ONE_PLACE)):
                report.violations += found

    return timed(work, report)


def _hang_up(life: Life, go: Callable[[Life], None], marks: Marks, numbers: random.Random, report: Report) -> list[str]:
    place = life.place
    running = f"runs-{life.number:06d}"
    ever = call("bash", command=f"printf '{running}\\n' >> {FILE}; sleep 1000 & sleep 1000")
    first = begin(life, [ever])
    card = first.chat.card()
    first.chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
    wait_until(lambda: running in _marks(place), what="the command runs")
    second = begin(life, [marks.asked()])
    second.chat.card()
    time.sleep(numbers.uniform(0, 0.02))
    before = place.effects
    began = time.monotonic()
    with suppress(ServerGone):
        go(life)
    try:
        code = life.client.wait_exit()
    except NotInTime as fault:
        life.kill()
        return [f"after {go.__name__} the server goes on: {fault}"]
    took = time.monotonic() - began
    report.figures["slowest end, s"] = max(took, report.figures["slowest end, s"])
    report.figures["over 2 s"] += took > ALLOWED_SECONDS
    life.client.close()
    place.look_for_survivors()
    found = [] if code == 1 else [f"after {go.__name__} the server ended with {code}"]
    return found + ([] if place.effects == before else [f"after {go.__name__} a call ran that waited"])


def _marks(place: Place) -> str:
    file = place.workspace / FILE
    return file.read_text() if file.exists() else ""
