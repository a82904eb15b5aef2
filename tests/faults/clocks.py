"""The wall clock jumps: what waits or was allowed for a time keeps its time, and the history its order."""

import random
import time
from datetime import datetime, timedelta
from pathlib import Path

from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import begin

HOUR = 3600
DAY = 24 * HOUR
JUMPS = (HOUR, -HOUR, DAY, -DAY)
WAITS_FOR = 1800
SLACK = 120


def clock_jumps(folder: Path, size: int, seed: int) -> Report:
    """So many jumps while a call waits and a grant has an end."""
    report = Report("F10 wall clock jumps", size)

    def work(report: Report) -> None:
        numbers = random.Random(seed)
        place, marks = Place(folder / "clocks"), Marks(numbers)
        offset = place.folder / "offset"
        offset.write_text("0")
        life = place.life(before=("tests.faults.clocks", "obey", {"file": str(offset)}))
        life.client.notify(
            "workspace/didChangeConfiguration",
            {"settings": life.settings(approvalTimeoutSeconds=WAITS_FOR, approvalTimeoutWhen="always")},
        )
        for n in range(size):
            jump = JUMPS[n] if n < len(JUMPS) else numbers.randint(-400 * DAY, 400 * DAY)
            report.violations += [f"after {jump} s: {one}" for one in _jump(life, marks, offset, jump)]
        life.end()
        report.violations += place.violations()

    return timed(work, report)


def _jump(life: Life, marks: Marks, offset: Path, jump: int) -> list[str]:
    """A card and a grant from before the jump are worth the same after it."""
    begun = begin(life, [marks.asked()])
    card = begun.chat.card()
    if "timeout" not in card:
        return ["the card says nothing of its time, so this proves nothing"]
    faults: list[str] = []
    for now in (jump, 0):
        offset.write_text(str(now))
        # Whoever looks at the clock has to look again.
        life.client.request("session/list", {})
        time.sleep(0.02)
        waiting = [one for one in life.waiting() if one["approvalId"] == card["approvalId"]]
        if not waiting:
            return ["the card is gone"]
        left = waiting[0]["timeout"]["remainingMs"] / 1000
        if not card["timeout"]["seconds"] - SLACK <= left <= card["timeout"]["seconds"]:
            faults.append(f"{left} s are left of {card['timeout']['seconds']}")
    offset.write_text(str(jump))
    before = life.place.effects
    begun.chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
    begun.run.result(30)
    if life.place.effects != before + 1:
        faults.append("the call did not run once")
    return faults


def obey(file: str) -> None:
    """In the server: the wall clock is off by what stands in the file; the monotonic one goes on as it does."""
    from assent.runtime.clock import SystemClock

    offset = Path(file)
    told, real = SystemClock.timestamp, time.time

    def shifted(self: SystemClock) -> str:
        moment = datetime.fromisoformat(told(self)) + timedelta(seconds=int(offset.read_text() or 0))
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    SystemClock.timestamp = shifted  # type: ignore[method-assign]
    time.time = lambda: real() + int(offset.read_text() or 0)
