"""A client that does not read: the loop goes on, what is asked meanwhile is done, and Stop still stops."""

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.faults.place import Place
from tests.faults.report import Report, timed
from tests.support.scale import wait_until

PROBE_EVERY = 0.01
STALLED = 0.5
"""A loop that waits for the client waits as long as the client sleeps; half of that is a sign of it, and more than a
busy machine makes of anything else. What the bar says about the lag itself is for quiet ones: the figure is told."""


def slow_client(folder: Path, notifications: int, seconds: float) -> Report:
    """The client sleeps for so long while so much is to be told to it."""
    report = Report("F7 a client that does not read", notifications)

    def work(report: Report) -> None:
        place = Place(folder / "slow")
        probe = place.folder / "lag.json"
        life = place.life(before=("tests.faults.slow_client", "measure_the_loop", {"file": str(probe)}))
        # What is said and what is thought do not merge, so that each piece is a notification.
        pair = [{"text": "said "}, {"thinking": "thought "}]
        life.plays([*(pair[n % 2] for n in range(notifications)), {"wait": 3600}])
        chat = life.chat(agent=life.agent)
        wait_until(probe.exists, what="the probe")
        life.client.pause_reading()
        run = chat.send()
        time.sleep(seconds)
        stop = life.client.start("chat/stop", {"sessionId": chat.id})
        stopped = _stopped_unheard(place, probe, seconds)
        life.client.resume_reading()
        if not stop.result(30)["stopped"]:
            report.violations.append("Stop found nothing to stop")
        if run.result(30)["done_reason"] != "cancelled":
            report.violations.append(f"the run was not stopped: {run.result()}")
        lag = _lag(probe)
        report.figures |= {"longest lag, ms": 1000 * lag, "events": len(chat.events()), "stopped unheard": stopped}
        if lag > STALLED * seconds:
            report.violations.append(f"the loop stood still for {lag:.2f} s while the client slept for {seconds} s")
        numbers = [event["n"] for event in chat.events()]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            report.violations.append("the events have a gap")
        life.end()
        report.violations += place.violations()

    return timed(work, report)


def _stopped_unheard(place: Place, probe: Path, seconds: float) -> bool:
    """Gives the loop a moment in which nobody reads to take the Stop."""
    before = json.loads(probe.read_text())["rounds"]
    wait_until(lambda: json.loads(probe.read_text())["rounds"] > before, within=10 + seconds, what="the loop turns")
    return True


def _lag(probe: Path) -> float:
    found: float = json.loads(probe.read_text())["longest"]
    return found


def measure_the_loop(file: str) -> None:
    """In the server: a task that should wake every hundredth of a second writes down how late it came at most, by the
    server's own doing."""
    from assent.lsp.stdio import StdioConnection

    serve = StdioConnection.serve

    async def probed(self: Any) -> None:
        probe = asyncio.ensure_future(_probe(Path(file)))
        try:
            await serve(self)
        finally:
            probe.cancel()

    StdioConnection.serve = probed  # type: ignore[method-assign]


async def _probe(file: Path) -> None:
    longest, rounds = 0.0, 0
    while True:
        waits, before = _waits_for_a_core(), time.monotonic()
        await asyncio.sleep(PROBE_EVERY)
        late = time.monotonic() - before - PROBE_EVERY
        # The loop waits as well for a thread that holds the interpreter and has no core.
        waited = max((wait - waits.get(thread, 0) for thread, wait in _waits_for_a_core().items()), default=0)
        longest = max(longest, late - waited)
        rounds += 1
        if rounds % 20 == 1:
            draft = file.with_suffix(".new")
            draft.write_text(json.dumps({"longest": longest, "rounds": rounds}))
            draft.replace(file)


def _waits_for_a_core() -> dict[str, float]:
    """Seconds in which each thread of this process could have run and had no core, where the system tells it."""
    waits = {}
    for told in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):
            waits[told.parent.name] = int(told.read_text().split()[1]) / 1e9
    return waits
