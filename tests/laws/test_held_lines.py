"""Whatever a line is: held to reading, it changes no file and shows nothing that lies outside or is secret."""

import asyncio
import os
import sys
from collections.abc import Iterator

import pytest

from assent.runtime.processes import Processes, Start
from assent.runtime.starts import Bounds
from assent.sandbox.confined import Held
from assent.sandbox.layout import Layout
from assent.sandbox.words import Reading, Tier, Unheld
from tests.support.confining import BOTH, Room, room
from tests.support.scale import examples, limit
from tests.support.shell_trace.grammar import line_of
from tests.support.shell_trace.places import Places, build

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what holds commands is there on Linux only")

SEED = int(os.environ.get("ASSENT_TEST_SEED", "7"))
COUNT = examples(600)
_PLANTED = ("planted outside", "SECRET=planted", "at home")
"""What stands in files outside, in a secret one, and at home. The key is in the repository's history, which is read."""
_BOUNDS = Bounds(processes=60, memory_bytes=512 * 1024 * 1024)


@pytest.fixture
def held() -> Iterator[Room]:
    with room() as made:
        yield made


def _state(places: Places) -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for path in sorted(places.workspace.parent.rglob("*")):
        looked = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path)] = (looked.st_mode, looked.st_mtime_ns, content)
    return found


@pytest.mark.parametrize("tier", BOTH)
def test_no_line_does_anything(held: Room, tier: Tier) -> None:
    places = build(held.base / "world")
    roots = (str(places.workspace),)
    layout = held.looking.reading(Reading(roots, roots, str(places.workspace)))
    assert isinstance(layout, Layout)
    prepared = held.readers(tier).prepare(layout)
    assert not isinstance(prepared, Unheld)
    before = _state(places)

    async def run() -> int:
        processes, worked = Processes(), 0
        for seed in range(SEED, SEED + COUNT):
            line = line_of(seed)
            given = {"PATH": os.environ["PATH"], "HOME": str(places.home), "TMPDIR": "/tmp"}
            start = Start(("/bin/bash", "--norc", "-c", line), str(places.workspace), given, bounds=_BOUNDS)
            with Held(tier, prepared).applied(start) as inside:
                ended = await processes.run(inside, limit(10), 100_000)
            worked += ended.code == 0
            said = ended.output.text() + ended.errors.text()
            assert not any(text in said for text in _PLANTED), f"seed {seed}: {line!r} shows what it must not: {said}"
            assert _state(places) == before, f"seed {seed}: {line!r} has changed something"
        processes.end_all()
        return worked

    # Lines that fail at once would prove nothing.
    assert asyncio.run(run()) > COUNT / 4
