"""A log that was cut anywhere, as a power cut leaves it: what is there is whole, and in its order."""

import asyncio
import os
import shutil
from pathlib import Path

from assent.store.chain import Link
from assent.store.database import FILE, HEAD_FILE
from assent.store.head import Head
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import decided, kept, rows

LOG = f"{FILE}-wal"
STEP = int(os.environ.get("ASSENT_HISTORY_CUT_STEP", "499"))
"""How many bytes lie between two cuts; 1 is every byte."""


async def _run(folder: Path, copy: Path) -> list[tuple[int, int]]:
    """Writes some entries, and returns how long the log was when each was acknowledged. The copy is of the whole."""
    store = Store(folder)
    lengths = []
    for number in range(1, 7):
        await store.write(*(decided(f"{number}.{part}", text="words " * 40) for part in range(number % 3 + 1)))
        lengths.append(((folder / LOG).stat().st_size, rows_in(folder)))
    shutil.copytree(folder, copy)
    await store.end()
    return lengths


def rows_in(folder: Path) -> int:
    """How many entries there are."""
    return int(str(rows(folder, "SELECT count(*) FROM entries")[0][0]))


def test_a_log_cut_anywhere_holds_all_that_was_complete(tmp_path: Path) -> None:
    kept(tmp_path / "live", [decided("before")])
    whole = tmp_path / "whole"
    early = (tmp_path / "live" / HEAD_FILE).read_bytes()
    acknowledged = asyncio.run(_run(tmp_path / "live", whole))
    log, database = (whole / LOG).read_bytes(), (whole / FILE).read_bytes()
    head = Head(whole / HEAD_FILE).read()
    last = (whole / HEAD_FILE).read_bytes()
    used = max(length for length, _ in acknowledged)
    places = sorted(
        {*range(0, used + 1, STEP), used, *(length + more for length, _ in acknowledged for more in (-1, 0))}
    )
    cut = tmp_path / "cut"
    seen = set()
    for at in places:
        shutil.rmtree(cut, ignore_errors=True)
        cut.mkdir()
        (cut / FILE).write_bytes(database)
        (cut / LOG).write_bytes(log[:at])
        (cut / HEAD_FILE).write_bytes(early)

        durable = max([count for length, count in acknowledged if length <= at], default=1)
        found = verify(cut)
        assert found.intact and found.entries == durable, (at, found)
        seen.add(found.entries)

        # With the head of the whole, what is lost is not passed over.
        (cut / HEAD_FILE).write_bytes(last)
        lost = verify(cut)
        assert lost.intact == (durable == head.n)
        assert lost.intact or lost.first_broken == durable + 1
    assert seen == {1, *(count for _, count in acknowledged)}


def test_after_a_cut_the_chain_goes_on(tmp_path: Path) -> None:
    kept(tmp_path / "live", [decided("before")])
    whole = tmp_path / "whole"
    acknowledged = asyncio.run(_run(tmp_path / "live", whole))
    length, count = acknowledged[2]
    os.truncate(whole / LOG, length + 100)
    (whole / f"{FILE}-shm").unlink()
    Head(whole / HEAD_FILE).begin(Link(count, str(rows(tmp_path / "live")[count - 1][1])))
    kept(whole, [decided("after")])
    assert verify(whole).intact and verify(whole).entries == count + 1
