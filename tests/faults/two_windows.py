"""Two windows on one folder and one state directory: each question has one answer, and no agreement is lost."""

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

from tests.faults.kills import settle
from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import Played, begin
from tests.support.rpc import RpcError
from tests.support.scale import wait_until
from tests.support.server import NOT_FOUND

Json = Any
LASTING = 0.3
MOST_LASTING = 120
"""So many rules at most: a settings file with thousands is another fault."""


def two_windows(folder: Path, size: int, seed: int) -> Report:
    """So many times both windows decide at once."""
    report = Report("F17 two windows on one folder", size, figures={"lasting": 0, "effects": 0})

    def work(report: Report) -> None:
        numbers = random.Random(seed)
        place, marks = Place(folder / "windows"), Marks(numbers)
        windows = [_Window(place.life(), numbers) for _ in range(2)]
        for n in range(size):
            report.violations += [f"{one} (interleaving {n}, seed {seed})" for one in _both_decide(windows, marks)]
        lasting = windows[0].lasting + windows[1].lasting
        for window in windows:
            window.life.end()
        report.violations += _is_kept(place, lasting)
        report.figures |= {"lasting": len(lasting), "effects": place.effects}
        report.violations += place.violations()

    return timed(work, report)


class _Window:
    """One window, and what was clicked in it for good."""

    def __init__(self, life: Life, numbers: random.Random) -> None:
        self.life = life
        self.lasting: list[str] = []
        self._numbers = numbers

    def decide(self, played: Played, pauses: list[float], faults: list[str]) -> None:
        """Answers both cards of the turn."""
        for pause in pauses:
            card = played.chat.card()
            time.sleep(pause)
            lasting = self._numbers.random() < LASTING and len(self.lasting) < MOST_LASTING / 2
            answer = played.chat.answer(
                card, decision="always_allow" if lasting else "accept", argsDigest=card["argsDigest"]
            )
            if not lasting:
                continue
            if answer["settings"]["written"]:
                self.lasting.append(card["args"]["command"])
            elif not answer["settings"].get("error"):
                faults.append(f"what was clicked for good is not written, and nobody says why: {answer}")


def _both_decide(windows: list[_Window], marks: Marks) -> list[str]:
    faults: list[str] = []
    turns = [begin(window.life, [marks.asked(), marks.asked()]) for window in windows]
    threads = []
    for window, played in zip(windows, turns, strict=True):
        pauses = [random.uniform(0, 0.005) for _ in range(2)]
        threads.append(threading.Thread(target=window.decide, args=(played, pauses, faults)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for played in turns:
        played.run.result(30)
    return faults + _answers_for_the_other(windows[0].life, turns[1])


def _answers_for_the_other(life: Life, played: Played) -> list[str]:
    """A window knows nothing of the other one's questions."""
    card = played.chat.cards()[-1]
    try:
        life.client.request("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "deny"})
    except RpcError as fault:
        return [] if fault.code == NOT_FOUND else [f"the other window's question was answered with {fault}"]
    return ["the other window's question was answered"]


def _is_kept(place: Place, lasting: list[str]) -> list[str]:
    """A third window lets everything run that was allowed for good in one of the two."""
    life = place.life()
    settle(life)
    rules = json.loads((place.workspace / ".vscode" / "settings.json").read_text()) if lasting else {}
    written = json.dumps(rules)
    faults = [f"not in the settings: {one}" for one in lasting if json.dumps(one)[1:-1] not in written]

    def asked_about() -> list[str]:
        return [command for command in lasting if _outcome(life, command) != "run"]

    try:
        wait_until(lambda: not asked_about(), within=10)
    except AssertionError:
        faults += [f"allowed for good, and asked about again: {one}" for one in asked_about()]
    life.end()
    return faults


def _outcome(life: Life, command: str) -> str:
    found = life.client.request(
        "policy/explain",
        {"tool": "bash", "args": {"command": command}, "agent": life.agent, "mode": "default"},
    )
    outcome: str = found["outcome"]
    return outcome
