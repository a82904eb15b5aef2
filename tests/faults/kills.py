"""kill -9 at any moment of a run with approvals, then a new server on the same state."""

import queue
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.faults.checker import violations
from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.shown import contradictions_of_commands
from tests.support.rpc import Pending, RpcError, ServerGone
from tests.support.scale import limit, wait_until

Json = Any

KILLS_IN_ONE_PLACE = 20
LONGEST_DELAY = 0.02
IDLE = 0.15
"""Seconds without news after which nothing more is expected, once a card was left unanswered."""
SETTLED = "settled by a grant"
_MOMENTS = ("tool/approvalRequest", "tool/approvalResolved", "agent/event", None, SETTLED)
"""What is counted before the kill: cards, endings, events, answers to requests; and what one answer settles beside."""


def kills(folder: Path, size: int, seed: int, *, lanes: int = 3, cold: str = "") -> Report:
    """So many kills, each at a moment of its own."""
    report = Report(f"F1 kill -9{' cold' if cold else ''}", size, figures={"effects": 0, "entries": 0})

    def work(report: Report) -> None:
        def case(number: int) -> tuple[Place, list[str]]:
            count = min(KILLS_IN_ONE_PLACE, size - number * KILLS_IN_ONE_PLACE)
            return kills_in_one_place(folder / f"kills-{number}", count, seed + number, cold=cold)

        with ThreadPoolExecutor(lanes) as pool:
            for place, found in pool.map(case, range(-(-size // KILLS_IN_ONE_PLACE))):
                report.violations += found
                report.figures["effects"] += place.effects
                report.figures["entries"] += len(place.evidence().lines)
            faults = contradictions_of_commands(place.state, place.evidence().lines)
            report.violations += [f"I6: {one}" for one in faults]

    return timed(work, report)


def kills_in_one_place(folder: Path, count: int, seed: int, *, cold: str = "") -> tuple[Place, list[str]]:
    """Kills one server after the other, each of which has to cope with what the last one left; then all is checked."""
    numbers = random.Random(seed)
    place, marks = Place(folder), Marks(numbers)
    for _ in range(count):
        life = place.life(cold=cold)
        _Moment(life, numbers).live_and_die(marks)
    last = place.life(cold=cold)
    settle(last)
    last.end()
    return place, [f"{found} (seed {seed})" for found in place.violations()]


def settle(life: Life) -> None:
    """A server that nobody kills: what waited in earlier lives is asked for, told, and refused."""
    life.client.request("session/list", {})

    def everything_has_its_end() -> bool:
        for card in life.waiting():
            with suppress(RpcError):
                life.client.request("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "deny"})
        # A call that is about to be asked for anew has the end of its old id already, and waits in its chat.
        about_to_wait = any(chat["waiting"] for chat in life.client.request("session/list", {})["sessions"])
        return not about_to_wait and not any(found.startswith("I4") for found in violations(life.place.evidence()))

    # What does not come to its end is found by the check that follows.
    with suppress(AssertionError):
        wait_until(everything_has_its_end, within=10)


class _Moment:
    """One life: calls are made and answered, until it ends a few milliseconds after something that was drawn before."""

    def __init__(self, life: Life, numbers: random.Random) -> None:
        self._life = life
        self._numbers = numbers
        self._counted = numbers.choice(_MOMENTS)
        self._left = numbers.randrange(1, 12 if self._counted == "agent/event" else 4)
        self._delay = numbers.uniform(0, LONGEST_DELAY)
        self._decisions: list[str | None] = [*("accept",) * 6, "deny", "allow_for_chat", None]
        if self._counted == SETTLED:
            # Told and dead in the same moment: what was told must have been written before.
            self._left, self._delay, self._decisions = 1, 0, ["allow_for_chat"]
        self._ignored = 0
        self._news: queue.Queue[Json] = queue.Queue()

    def live_and_die(self, marks: Marks) -> None:
        """Returns when the server is dead."""
        life, numbers = self._life, self._numbers
        if numbers.random() < 0.5:
            life.waiting()
        life.plays(*([marks.call() for _ in range(numbers.randrange(1, 4))] for _ in range(3)))
        life.client.on_message = self._news.put
        try:
            chat = life.chat(agent=life.agent, mode=numbers.choice(["default", "default", "auto", "ask"]))
            self._take_part(chat.send())
        except ServerGone:
            pass
        finally:
            life.kill()

    def _take_part(self, run: Pending) -> None:
        timer: threading.Timer | None = None
        while self._life.client.process.poll() is None and not run.done:
            try:
                message = self._news.get(timeout=limit(IDLE if self._ignored else IDLE * 5))
            except queue.Empty:
                # Nothing goes on any more: this is a moment like any other.
                break
            if timer is None and self._is_the_one(message):
                if not self._delay:
                    self._life.client.process.kill()
                timer = threading.Timer(self._delay, self._life.client.process.kill)
                timer.start()
            if message.get("method") == "tool/approvalRequest":
                self._answer(message["params"])
        if timer is not None:
            timer.join()

    def _is_the_one(self, message: Json) -> bool:
        method = message.get("method")
        if self._counted == SETTLED and method == "tool/approvalResolved":
            self._left -= message["params"]["resolvedBy"] == "policy"
        self._left -= method == self._counted
        return self._left <= 0

    def _answer(self, card: Json) -> None:
        decision = self._numbers.choice(self._decisions)
        if decision is None:
            self._ignored += 1
        else:
            params = {"approvalId": card["approvalId"], "argsDigest": card["argsDigest"], **_said(decision, card)}
            self._life.client.start("tool/approvalResponse", params)


def _said(decision: str, card: Json) -> Json:
    """Every command can be allowed by the id of that option only; the widest for the chat stands last."""
    wide = [one["optionId"] for one in card["options"] if one["kind"] == "allow_session"]
    if decision != "allow_for_chat" or not wide:
        return {"decision": decision}
    return {"response": {"outcome": {"outcome": "selected", "optionId": wide[-1]}}}
