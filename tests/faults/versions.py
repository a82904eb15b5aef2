"""What other versions wrote: an older one is continued, of a newer one nothing is spoiled and nothing runs."""

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from tests.faults.marks import Marks
from tests.faults.place import Place
from tests.faults.report import Report, timed
from tests.faults.turns import NOT_RECORDED, begin, play
from tests.faults.written import DATABASE, broken_links, head_in, written_in
from tests.support.processes import ROOT
from tests.support.rpc import RpcError

Json = Any
NEWER = 99
OLD_HISTORIES = ROOT / "tests" / "golden" / "history"


def versions(folder: Path, seed: int) -> Report:
    """Every version once."""
    cases: dict[str, Callable[[Place, Marks], list[str]]] = {
        **{file.stem: partial(_older_history, file) for file in sorted(OLD_HISTORIES.glob("*.sql"))},
        "newer history": _newer_history,
        "agreements of version 1": lambda place, marks: _agreements(place, marks, 1, "run"),
        "agreements of version 2": lambda place, marks: _agreements(place, marks, 2, "run"),
        "newer agreements": lambda place, marks: _agreements(place, marks, NEWER, "ask"),
    }
    report = Report("F18 older and newer versions", len(cases))

    def work(report: Report) -> None:
        for name, case in cases.items():
            place = Place(folder / name.replace(" ", "-"))
            place.state.mkdir(mode=0o700)
            report.violations += [f"{name}: {one}" for one in case(place, Marks(random.Random(seed)))]

    return timed(work, report)


def _older_history(file: Path, place: Place, marks: Marks) -> list[str]:
    with closing(sqlite3.connect(place.state / DATABASE)) as connection:
        connection.executescript(file.read_text())
    before = [line.body for line in written_in(place.state)]
    life = place.life()
    play(life, [marks.asked()])
    life.end()
    lines = written_in(place.state)
    faults = broken_links(lines, head_in(place.state))
    if [line.body for line in lines[: len(before)]] != before:
        faults.append("the old entries are not what they were")
    if not before or place.effects != 1 or len(lines) <= len(before):
        faults.append(f"it is not continued: {len(before)} entries before, {len(lines)} after")
    return faults


def _newer_history(place: Place, marks: Marks) -> list[str]:
    life = place.life()
    play(life, [marks.asked()])
    life.end()
    path = place.state / DATABASE
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {NEWER}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before, effects = path.read_bytes(), place.effects
    life = place.life()
    begun = begin(life, [marks.asked()])
    card = begun.chat.card()
    faults = []
    try:
        begun.chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
        faults.append("the answer was taken")
    except RpcError as fault:
        if fault.code != NOT_RECORDED or "newer version" not in fault.message.lower():
            faults.append(f"the refusal does not say that a newer version wrote the file: {fault}")
    life.kill()
    if place.effects != effects:
        faults.append("a call ran")
    if path.read_bytes() != before:
        faults.append("the file is another one")
    return faults


def _agreements(place: Place, marks: Marks, version: int, expected: str) -> list[str]:
    """What was agreed to for good, as the ledger of this version says it."""
    life = place.life()
    begun = begin(life, [marks.asked()])
    card = begun.chat.card()
    begun.chat.answer(card, decision="always_allow", argsDigest=card["argsDigest"])
    begun.run.result()
    life.end()
    ledger = place.state / "consent.json"
    said: Json = json.loads(ledger.read_text())
    records = [{k: v for k, v in one.items() if version != 1 or k != "honoured"} for one in said["records"]]
    ledger.write_text(json.dumps({"version": version, "records": records}))
    life = place.life()
    found = life.client.request(
        "policy/explain", {"tool": "bash", "args": card["args"], "agent": life.agent, "mode": "default"}
    )
    life.end()
    return (
        [] if records and found["outcome"] == expected else [f"{found['outcome']}, not {expected}: {found['reason']}"]
    )
