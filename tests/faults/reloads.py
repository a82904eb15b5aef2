"""A page that is reloaded, a window that is closed, an extension host that is killed: what waited is asked anew."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.faults.kills import settle
from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import begin
from tests.support.scale import wait_until

Json = Any
IN_ONE_PLACE = 10


def reloads(folder: Path, size: int, seed: int, *, lanes: int = 3) -> Report:
    """So many times a client comes back to a call that waits, and allows or refuses it then."""
    report = Report("F16 reload, close, kill of a client", size, figures={"came back": 0, "effects": 0})

    def part(start: int) -> list[str]:
        numbers = random.Random(seed + start)
        place, marks = Place(folder / f"reloads-{start}"), Marks(numbers)
        life = place.life()
        found: list[str] = []
        for n in range(start, min(start + IN_ONE_PLACE, size)):
            life, faults = _come_back(life, WAYS[n % len(WAYS)], marks, numbers, report)
            found += faults
        settle(life)
        life.end()
        report.figures["effects"] += place.effects
        return [f"{one} (seed {seed + start})" for one in found + place.violations()]

    def work(report: Report) -> None:
        with ThreadPoolExecutor(lanes) as pool:
            for found in pool.map(part, range(0, size, IN_ONE_PLACE)):
                report.violations += found

    return timed(work, report)


def _reload(life: Life, chat_id: str) -> Life:
    """The page is another one; server and extension are the same."""
    life.client.request("view/detached", {"viewId": "old", "sessionId": chat_id})
    life.client.request("view/attached", {"viewId": "new", "sessionId": chat_id})
    life.client.request("session/load", {"sessionId": chat_id})
    return life


def _close(life: Life, chat_id: str) -> Life:
    life.end()
    return life.place.life()


def _kill_the_client(life: Life, chat_id: str) -> Life:
    life.client.close_stdout()
    life.client.close_stdin()
    life.client.wait_exit()
    life.client.close()
    return life.place.life()


Way = Callable[[Life, str], Life]
WAYS: tuple[Way, ...] = (_reload, _close, _kill_the_client)


def _come_back(life: Life, way: Way, marks: Marks, numbers: random.Random, report: Report) -> tuple[Life, list[str]]:
    begun = begin(life, [marks.asked()])
    life.client.request("view/attached", {"viewId": "old", "sessionId": begun.chat.id})
    old = begun.chat.card()
    call_id = old["toolCall"]["toolCallId"]
    back = way(life, begun.chat.id)
    back.client.request("session/load", {"sessionId": begun.chat.id})
    again: list[Json] = []

    def is_back() -> bool:
        again[:] = [one for one in back.waiting() if one["toolCall"]["toolCallId"] == call_id]
        return bool(again)

    try:
        wait_until(is_back, within=10, what="the card comes back")
    except AssertionError as fault:
        return back, [f"after {way.__name__}: {fault}"]
    report.figures["came back"] += 1
    return back, _answer(back, again[0], numbers, f"after {way.__name__}")


def _answer(life: Life, card: Json, numbers: random.Random, when: str) -> list[str]:
    place, before = life.place, life.place.effects
    decision = numbers.choice(["accept", "accept", "deny"])
    params = {"approvalId": card["approvalId"], "decision": decision, "argsDigest": card["argsDigest"]}
    life.client.request("tool/approvalResponse", params)
    wait_until(lambda: _result_of(life, card), what="the result")
    expected = before + (decision == "accept")
    return [] if place.effects == expected else [f"{when} and {decision}, {place.effects - before} calls ran"]


def _result_of(life: Life, card: Json) -> bool:
    call_id = card["toolCall"]["toolCallId"]
    events = life.client.notifications("agent/event")
    return any(one["event"] == "ToolResult" and one["data"]["toolCallId"] == call_id for one in events)
