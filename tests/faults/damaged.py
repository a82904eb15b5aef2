"""The journal cut off at any byte, and any bit of it turned: nothing is invented, and what is missing is named."""

import asyncio
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assent.model.calls import Caller, ToolCall
from assent.model.errors import AssentError
from assent.model.ids import ApprovalId, CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.records import Ending, Entry, Stage, Subject
from assent.store.store import Store
from assent.store.verify import verify
from tests.faults.report import Report, timed
from tests.faults.written import DATABASE, HEAD, Line, written_in

WAL = f"{DATABASE}-wal"
CHECKPOINTED = 20
"""Entries that are in the database itself; those behind are in its log only."""
IN_LOG = 12
SET_ASIDE = "history_set_aside"


@dataclass(frozen=True, slots=True)
class Image:
    """The files of a history as a crash could find them, and what had been acknowledged by then."""

    files: dict[str, bytes]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Images:
    """A history of which the latest part is in its log only, and one of a server that has ended."""

    logged: Image
    closed: Image


Damage = Callable[[Images, random.Random, int], tuple[str, Image, dict[str, bytes]]]


def cuts(size: int, seed: int) -> Report:
    """So many places, over the whole length of the log and of the database, at which they end."""

    def damage(images: Images, numbers: random.Random, n: int) -> tuple[str, Image, dict[str, bytes]]:
        name, image = (WAL, images.logged) if n % 4 else (DATABASE, images.closed)
        whole = image.files[name]
        end = n * 7919 % len(whole) if size < len(whole) else numbers.randrange(len(whole))
        return f"{name} ends at byte {end} of {len(whole)}", image, {**image.files, name: whole[:end]}

    return _damaged("F3 journal cut at a byte", size, seed, damage)


def flips(size: int, seed: int) -> Report:
    """So many single bits, anywhere in the database, its log and the head."""

    def damage(images: Images, numbers: random.Random, n: int) -> tuple[str, Image, dict[str, bytes]]:
        image = images.logged if n % 2 else images.closed
        name = sorted(image.files)[n // 2 % len(image.files)]
        turned = bytearray(image.files[name])
        place, bit = numbers.randrange(len(turned)), numbers.randrange(8)
        turned[place] ^= 1 << bit
        return f"bit {bit} of byte {place} of {name} is turned", image, {**image.files, name: bytes(turned)}

    return _damaged("F3 one bit turned", size, seed, damage)


def _damaged(fault: str, size: int, seed: int, damage: Damage) -> Report:
    report = Report(fault, size, figures={"noticed": 0, "harmless": 0, "begun anew": 0})

    def work(report: Report) -> None:
        numbers = random.Random(seed)
        # What is damaged is only files: where there is memory for them, the disk is spared.
        with tempfile.TemporaryDirectory(dir=_memory()) as place, asyncio.Runner() as runner:
            images = runner.run(_images(Path(place) / "image"))
            for n in range(size):
                words, image, files = damage(images, numbers, n)
                _put(Path(place) / "state", files)
                found = runner.run(_one(Path(place) / "state", image, n, report))
                report.violations += [f"{words}: {one} (seed {seed})" for one in found]

    return timed(work, report)


def _memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


async def _images(folder: Path) -> Images:
    store = Store(folder)
    for n in range(CHECKPOINTED):
        await store.write(_entry(n))
    await store.end()
    closed = _image(folder)
    store = Store(folder)
    for n in range(CHECKPOINTED, CHECKPOINTED + IN_LOG):
        await store.write(_entry(n))
    logged = _image(folder)
    await store.end()
    return Images(logged, closed)


def _image(folder: Path) -> Image:
    files = {name: (folder / name).read_bytes() for name in (DATABASE, WAL, HEAD) if (folder / name).exists()}
    return Image(files, tuple(written_in(folder)))


def _put(state: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(mode=0o700)
    for name, data in files.items():
        (state / name).write_bytes(data)


async def _one(state: Path, image: Image, n: int, report: Report) -> list[str]:
    before = _verdict(state)
    faults = _judge(image, _read(state), before, "before anything is written")
    store = Store(state)
    try:
        await store.write(_entry(10_000 + n))
    finally:
        await store.end()
    lines, after = _read(state), _verdict(state)
    begun_anew = bool(lines) and lines[0].fields.get("code") == SET_ASIDE
    report.figures["begun anew"] += begun_anew
    report.figures["noticed"] += before is not True
    report.figures["harmless"] += before is True and not begun_anew
    if begun_anew:
        return faults + ([] if _set_aside(state) else ["a fresh history was begun, and the old one is gone"])
    return faults + _judge(image, lines, after, "after the next write", further=1)


def _set_aside(state: Path) -> list[Path]:
    return [one for one in state.iterdir() if "damaged-" in one.name]


def _judge(image: Image, lines: list[Line], intact: bool | str, when: str, *, further: int = 0) -> list[str]:
    """What the file says, against what had been written."""
    known = {line.body for line in image.lines}
    new = [line for line in lines if line.body not in known and not line.fields.get("code", "").startswith("history_")]
    faults = []
    if len(new) > further and intact is True:
        faults.append(f"{when}, {len(new) - further} entries count as intact that nobody wrote")
    missing = known - {line.body for line in lines}
    if missing and intact is True:
        faults.append(f"{when}, {len(missing)} acknowledged entries are missing, and the history counts as intact")
    return faults


def _verdict(state: Path) -> bool | str:
    """Whether the check calls it intact, or what it says instead."""
    try:
        found = verify(state)
    except AssentError as fault:
        return str(fault)
    return True if found.intact else str(found.problem)


def _read(state: Path) -> list[Line]:
    """What can be read of it at all; a damaged file may be unreadable, which is no lie."""
    try:
        lines = written_in(state)
        return [line for line in lines if _has_fields(line)]
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return []


def _has_fields(line: Line) -> bool:
    try:
        return isinstance(line.fields, dict)
    except (ValueError, TypeError):
        return False


def _entry(n: int) -> Entry:
    call = ToolCall(CallId(f"call-{n}"), "bash", {"command": f"echo {n}"})
    caller = Caller("agent", "Agent", SessionId("chat"), RunId(f"run-{n // 5}"))
    subject = Subject(call, caller, Category.EXECUTE, Mode.DEFAULT, f"Run echo {n}", "/folder", "d" * 64, "/folder")
    return Entry(
        Stage.DECIDED,
        f"2026-01-01T00:00:{n % 60:02d}.000Z",
        subject,
        ApprovalId(f"approval-{n}"),
        ending=Ending.ALLOWED,
    )
