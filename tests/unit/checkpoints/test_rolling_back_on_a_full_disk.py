"""Rolling back while the disk gets full, from each single call on: nothing is half-written, and what is said is so."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.checkpoints.kept import KeptFile
from assent.checkpoints.review import Reviewed, reviewed
from assent.checkpoints.rolling_back import NotRolledBack, roll_back
from assent.tools.disk import digest_of
from assent.tools.writing import Writer
from tests.support.in_memory import folder_in_memory
from tests.support.system_calls import Calls

FILES: dict[str, tuple[bytes | None, bytes]] = {
    "a": (b"before a", b"after a"),
    "made": (None, b"made"),
    "b": (b"before b", b"after b"),
    "c": (b"before c", b"after c"),
}
"""What each held before the run, and what the run made of it."""
TAKES_ROOM = ("write", "mkdir", "link")
MOST_CALLS = 400


def full_from(moment: int, *, until: int | None = None) -> Callable[[int, str], None]:
    """From the call of this number on there is no room for anything new, until there is again."""

    def before(number: int, name: str) -> None:
        if name in TAKES_ROOM and number >= moment and (until is None or number < until):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return before


def made(folder: Path) -> list[Reviewed]:
    """The files as the run left them."""
    found = []
    for name, (before, after) in FILES.items():
        path = folder / name
        path.write_bytes(after)
        digest = None if before is None else digest_of(before)
        kept = KeptFile(str(path), name, before is not None, 0o644, digest, made=digest_of(after))
        found.append(reviewed(kept, before, (str(folder),), None))
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("room_again", [False, True], ids=["stays full", "room for what is taken back"])
async def test_nothing_is_half_written_and_what_is_rolled_back_all_the_same_is_named(
    calls: Calls, room_again: bool
) -> None:
    stuck_sometimes = failed = 0
    with folder_in_memory() as folder:
        for moment in range(MOST_CALLS):
            files = made(folder)
            calls.restart(full_from(moment, until=moment + 12 if room_again else None))
            try:
                await roll_back(files, Writer())
            except NotRolledBack as fault:
                failed += 1
                stuck = {one.place.shown for one in fault.stuck}
                stuck_sometimes += bool(stuck)
                expected = {
                    name: before if name in stuck else after
                    for name, (before, after) in FILES.items()
                    if name not in stuck or before is not None
                }
                assert contents(folder) == expected, calls.names[moment:]
                assert "disk is full" in str(fault)
                assert all(name in str(fault).split("rolled back all the same")[1] for name in stuck)
                assert stuck or "Nothing was rolled back" in str(fault)
            else:
                assert contents(folder) == {name: before for name, (before, _) in FILES.items() if before is not None}
                break
            for path in folder.iterdir():
                path.unlink()
    assert failed > 10
    assert bool(stuck_sometimes) is not room_again
