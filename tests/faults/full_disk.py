"""A state directory on a disk that gets full: before a card is answered, between answer and start, before the end.

It needs a mount of its own, so it runs in a namespace: `python -m tests.faults.full_disk FOLDER SEED LEVEL...` prints
what it found as JSON.
"""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.faults.marks import Marks
from tests.faults.place import Place
from tests.faults.report import Report, timed
from tests.faults.turns import NOT_RECORDED, Played, answer_all, begin, play
from tests.support.processes import ROOT
from tests.support.rpc import RpcError
from tests.support.scale import wait_until

DISK_KIB = 4096
PAGE = 4096
LEVELS_EVERY_DAY = (0, 8, 26, 28, 33, 34, 35, 42)
LEVELS_AT_NIGHT = tuple(range(64))
_TRIED = "mount -t tmpfs -o size=64k none /mnt"


def obstacle() -> str:
    """Why there can be no small disk here, or nothing."""
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return "unshare is there on Linux only"
    tried = subprocess.run(["unshare", "-Urm", "sh", "-c", _TRIED], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"this machine allows no mount of one's own: {tried.stderr.strip()}"


def full_disk(folder: Path, levels: tuple[int, ...], seed: int) -> Report:
    """For each level so many pages are left when a card waits; then it is answered, and there is room again."""
    report = Report("F5 disk full", len(levels))
    if obstacle():
        report.left_out = obstacle()
        return report

    def work(report: Report) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        command = ["unshare", "-Urm", sys.executable, "-m", "tests.faults.full_disk", str(folder), str(seed)]
        done = subprocess.run([*command, *map(str, levels)], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            report.violations.append(f"it broke off: {done.stderr[-3000:]}")
            return
        found = json.loads(done.stdout)
        report.violations += found["violations"]
        report.figures |= found["figures"]

    return timed(work, report)


def _in_namespace(folder: Path, seed: int, levels: list[int]) -> dict[str, Any]:
    found: list[str] = []
    figures = {"refused": 0, "ran": 0, "allowed and not started": 0}
    for level in levels:
        place = Place(folder / f"full-{level}")
        place.state.mkdir(mode=0o700)
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_KIB}k,mode=700", "none", str(place.state)], check=True
        )
        faults = _one_level(place, level, seed, figures)
        found += [f"{level} pages left: {one}" for one in faults]
    return {"violations": found, "figures": figures}


def _one_level(place: Place, level: int, seed: int, figures: dict[str, int]) -> list[str]:
    marks = Marks(random.Random(seed))
    life = place.life()
    play(life, [marks.asked()])
    played = begin(life, [marks.asked(), marks.asked()])
    cards = [played.chat.card() for _ in range(2)]
    ballast = _fill(place.state, level)
    faults = _answer_when_full(played, cards)
    before = place.effects
    ballast.unlink()
    _until_it_can_be_written(life.state)
    answer_all(played, lambda: played.run.done)
    figures["refused"] += len(played.refused)
    figures["ran"] += place.effects
    results = played.chat.results()
    not_recorded = sum("not_recorded" in one["output"] for one in results)
    figures["allowed and not started"] += not_recorded
    if place.effects + not_recorded != 3:
        faults.append(f"of 3 calls {place.effects} ran and {not_recorded} were told as not written down")
    if before > place.effects:
        faults.append("an effect has gone")
    play(life, [marks.asked()])
    life.end()
    return faults + place.violations(recovered=False, every_write_worked=False)


def _answer_when_full(played: Played, cards: list[Any]) -> list[str]:
    faults = []
    for card in cards:
        try:
            played.chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
        except RpcError as fault:
            played.refused.append(fault)
            if fault.code != NOT_RECORDED or "The disk is full" not in fault.message or "Nothing ran" not in str(fault):
                faults.append(f"the refusal does not say that the disk is full: {fault}")
    return faults


def _fill(state: Path, pages_left: int) -> Path:
    """Takes all room but for so many pages."""
    ballast = state / "ballast"
    with ballast.open("wb", buffering=0) as stream:
        free = shutil.disk_usage(state).free // PAGE - pages_left
        for _ in range(max(0, free)):
            try:
                stream.write(b"x" * PAGE)
            except OSError:
                break
    return ballast


def _until_it_can_be_written(state: Path) -> None:
    probe = state / "probe"

    def fits() -> bool:
        try:
            probe.write_bytes(b"x" * PAGE)
        except OSError:
            return False
        return True

    wait_until(fits, what="room on the disk")
    probe.unlink()


if __name__ == "__main__":
    print(json.dumps(_in_namespace(Path(sys.argv[1]), int(sys.argv[2]), list(map(int, sys.argv[3:])))))
