"""Settings of a workspace that are no settings any more: nothing is loosened, and the file stays as it is."""

import json
import random
from pathlib import Path

from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import begin
from tests.support.scale import wait_until

SETTINGS = {
    "assent.mode": "auto",
    "assent.alwaysAllowRules": {"bash": ["printf:*"]},
    "assent.bypassPermissions": {"Life0": True},
    "assent.toolAllowlist": ["bash"],
}


def broken_settings(folder: Path, size: int, seed: int) -> Report:
    """So many changes of a file that would loosen everything, if anybody had agreed to it; each time a call asks."""
    report = Report("F4 settings files are broken", size)

    def work(report: Report) -> None:
        numbers = random.Random(seed)
        place, marks = Place(folder / "settings"), Marks(numbers)
        file = place.workspace / ".vscode" / "settings.json"
        file.parent.mkdir()
        life = place.life()
        for n in range(size):
            data = _changed(json.dumps(SETTINGS, indent=2).encode(), numbers)
            file.write_bytes(data)
            report.violations += [f"{one} (change {n}, seed {seed})" for one in _asks(life, marks)]
            if file.read_bytes() != data:
                report.violations.append(f"the file was changed (change {n}, seed {seed})")
        life.end()
        report.violations += place.violations()

    return timed(work, report)


def _asks(life: Life, marks: Marks) -> list[str]:
    before = life.place.effects
    begun = begin(life, [marks.asked()])
    try:
        wait_until(lambda: begun.chat.cards() or begun.run.done, what="a card")
    finally:
        begun.chat.stop()
    begun.run.result(30)
    life.client.request("session/close", {"sessionId": begun.chat.id}, within=30)
    return [] if life.place.effects == before and begun.chat.cards() else ["a call ran and nobody was asked"]


def _changed(data: bytes, numbers: random.Random) -> bytes:
    body = bytearray(data)
    for _ in range(numbers.randint(0, 4)):
        at, until = sorted(numbers.randrange(len(body) + 1) for _ in range(2))
        match numbers.randrange(5):
            case 0:
                body[at:] = b""
            case 1:
                body[at:until] = b""
            case 2:
                body[at:at] = body[at:until]
            case 3:
                body[at:at] = bytes(numbers.randrange(256) for _ in range(4))
            case _:
                body[at:at] = numbers.choice([b"[" * 2_000, b"\0", b"// ", b"/*", b'"', b"}", b"\xef\xbb\xbf"])
    return bytes(body)
