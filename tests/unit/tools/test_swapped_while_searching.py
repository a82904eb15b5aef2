"""Another process swaps files and folders for ways out while they are searched, listed and edited: all stays inside.

ASSENT_SWAP_ROUNDS sets how many tries each race has; `python -m tests.bench faults swapped` has ten thousand a tool.
"""

import os
from pathlib import Path

import pytest

from tests.support.ripgrep import ripgrep
from tests.support.scale import examples, limit
from tests.support.swap_races import EXPECTED, KINDS, WAYS, race

ROUNDS = int(os.environ.get("ASSENT_SWAP_ROUNDS", examples(40)))
MOST_TURNS = 20
STARTS_NOTHING = {"edit_file": 8, "list_files": 2}
"""These take so many times as many tries in the same time."""


@pytest.mark.timeout(limit(120 + 2 * ROUNDS))
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
async def test_nothing_of_the_outside_is_told_or_changed(tmp_path: Path, kind: str, way: str) -> None:
    if "ripgrep" in kind and ripgrep() is None:
        pytest.skip("there is no ripgrep here")
    done = 0
    # Where none of so many tries came through, they proved little: more are made, and one does.
    for turn in range(MOST_TURNS):
        found = await race(kind, tmp_path / str(turn), way, ROUNDS * STARTS_NOTHING.get(kind, 1))
        assert found.escapes == []
        assert set(found.codes) <= EXPECTED, found.codes
        done += found.codes["done"]
        if done or kind == "edit_file":
            return
    pytest.fail(f"nothing came through in {MOST_TURNS} turns")
