"""Another process swaps files and folders for ways out while they are searched and edited: nothing outside is told.

ASSENT_SWAP_ROUNDS sets how many rounds each race has.
"""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assent.agent.ports import Tool
from assent.model.errors import ToolFault
from assent.runtime.processes import Processes
from assent.tools.edit_file import EditFile
from assent.tools.glob import Glob
from assent.tools.grep import Grep
from tests.support.ripgrep import ripgrep
from tests.support.scale import limit

ROUNDS = int(os.environ.get("ASSENT_SWAP_ROUNDS", "40"))
SWAPPER = Path(__file__).parents[2] / "support" / "swapper.py"
SECRET = "not yours"
EXPECTED = {
    "done",
    "outside",
    "changed_since",
    "not_found",
    "not_found_in_file",
    "not_a_directory",
    "is_a_directory",
    "not_a_file",
    "not_text",
    # What is moved away while its rights are looked at.
    "permission_denied_by_system",
}


@contextmanager
def swapping(*what: str) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, str(SWAPPER), *what], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n", "the swapper did not start"
    try:
        yield
    finally:
        told, words = process.communicate()
    assert process.returncode == 0, f"the swapper died: {words.decode(errors='replace')}"
    assert int(told) > 0


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    made = Processes()
    yield made
    made.end_all()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    outside, made = tmp_path / "outside", tmp_path / "root"
    for folder, text in ((outside, SECRET), (made / "sub", "mine")):
        (folder / "deep").mkdir(parents=True)
        for name in ("a", "deep/a", f"only {text}"):
            (folder / name).write_text(f"{text} treasure\n")
    (made / "link").symlink_to(outside)
    (made / "sub/deeper").symlink_to(outside / "deep")
    return made


def ways(root: Path) -> dict[str, tuple[str, ...]]:
    sub = root / "sub"
    return {
        "the folder and a link out": (f"{sub}={root / 'link'}",),
        "a folder below and a link out": (f"{sub / 'deep'}={sub / 'deeper'}",),
        "the file and a link out": (f"{sub / 'a'}=link={root.parent / 'outside/a'}",),
        "the file and a pipe": (f"{sub / 'a'}=pipe=",),
    }


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def leftovers(root: Path) -> list[Path]:
    return list(root.rglob("*.tmp"))


WAYS = ["the folder and a link out", "a folder below and a link out", "the file and a link out", "the file and a pipe"]


async def carried_out(tool: Tool, args: dict[str, object], seen: list[str]) -> str:
    """Looks and does, as the gate would for a place inside; a place outside is shown to the user and not done here."""
    call = await asyncio.wait_for(tool.prepare(args), limit(60))  # type: ignore[arg-type]
    if not call.paths[0].inside:
        return "outside"
    try:
        answer = await asyncio.wait_for(call.perform(), limit(60))
    except ToolFault as fault:
        seen.append(str(fault))
        return fault.code
    seen.append(answer.text)
    return "done"


@pytest.mark.timeout(limit(120 + 2 * ROUNDS))
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", ["ours", "ripgrep"])
async def test_searching(root: Path, processes: Processes, way: str, program: str) -> None:
    if program == "ripgrep" and ripgrep() is None:
        pytest.skip("there is no ripgrep here")
    tool = Grep(lambda: (str(root),), processes, program=lambda _: ripgrep() if program == "ripgrep" else None)
    glob = Glob(lambda: (str(root),), processes)
    seen, codes = list[str](), Counter[str]()
    with swapping(*ways(root)[way]):
        for number in range(ROUNDS):
            where = {"path": ["sub", ".", "sub/deep", "sub/a"][number % 4]}
            codes[await carried_out(tool, {"pattern": "treasure", **where}, seen)] += 1
            codes[await carried_out(glob, {"pattern": "*", "path": "sub"}, seen)] += 1

    assert not [text for text in seen if SECRET in text]
    assert set(codes) <= EXPECTED, codes
    assert codes["done"] > 0


@pytest.mark.timeout(limit(120 + ROUNDS))
@pytest.mark.parametrize("way", WAYS)
async def test_editing(root: Path, way: str) -> None:
    tool, seen, codes = EditFile(lambda: (str(root),)), list[str](), Counter[str]()
    outside = root.parent / "outside"
    before = contents(outside)
    texts = ["mine treasure", "other treasure"]
    with swapping(*ways(root)[way]):
        for number in range(ROUNDS * 4):
            edits = [{"old": texts[number % 2], "new": texts[1 - number % 2]}]
            for path in ("sub/a", "sub/deep/a"):
                codes[await carried_out(tool, {"path": path, "edits": edits}, seen)] += 1

    assert contents(outside) == before
    assert set(codes) <= EXPECTED, codes
    assert leftovers(root) == []
