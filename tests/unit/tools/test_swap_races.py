"""Another process swaps files and folders while the tools work: nothing outside is read, written or made, none hangs.

The rounds are counted, not timed. ASSENT_SWAP_ROUNDS sets how many each race has; all together have about fifty times
as many tries, so 200 make ten thousand.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.agent.ports import Prepared
from assent.model.errors import ToolFault
from assent.tools import openat2
from assent.tools.list_files import ListFiles
from assent.tools.read_file import ReadFile
from assent.tools.write_file import WriteFile
from tests.support.scale import examples, limit
from tests.support.swap_races import swapping

ROUNDS = int(os.environ.get("ASSENT_SWAP_ROUNDS", examples(60)))
SECRET = b"not yours"
HANG = 20

Snapshot = dict[str, tuple[int, int, bytes]]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    (folder / "deep").mkdir(parents=True)
    for file in ("a", "deep/a", "only here"):
        (folder / file).write_bytes(SECRET)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    (made / "sub" / "deep").mkdir(parents=True)
    (made / "sub" / "a").write_bytes(b"mine")
    (made / "sub" / "deep" / "a").write_bytes(b"mine")
    return made


def everything_in(folder: Path) -> Snapshot:
    return {
        str(path.relative_to(folder)): (status.st_ino, status.st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
        for status in (path.lstat(),)
    }


def ways(root: Path, outside: Path) -> dict[str, tuple[tuple[str, ...], str]]:
    """What is swapped for what, and the file that the tools are asked for meanwhile."""
    sub, deep = root / "sub", root / "sub" / "deep"
    (root / "link").symlink_to(outside)
    (sub / "link").symlink_to(outside / "deep")
    (root / "other" / "deep").mkdir(parents=True)
    (root / "other" / "deep" / "a").write_bytes(b"mine")
    return {
        "the folder and a link out": ((f"{sub}={root / 'link'}",), "sub/a"),
        "a folder below and a link out": ((f"{deep}={sub / 'link'}",), "sub/deep/a"),
        "both at once": ((f"{sub}={root / 'link'}", f"{deep}={sub / 'link'}"), "sub/deep/a"),
        "the parent and another folder": ((f"{sub}={root / 'other'}",), "sub/deep/a"),
        "the file and a link out": ((f"{sub / 'a'}=link={outside / 'a'}",), "sub/a"),
        "the file and a hard link out": ((f"{sub / 'a'}=hard={outside / 'a'}",), "sub/a"),
        "the file and a pipe": ((f"{sub / 'a'}=pipe=",), "sub/a"),
        "the file and a folder": ((f"{sub / 'a'}=folder=",), "sub/a"),
    }


WAYS = [
    "the folder and a link out",
    "a folder below and a link out",
    "both at once",
    "the parent and another folder",
    "the file and a link out",
    "the file and a hard link out",
    "the file and a pipe",
    "the file and a folder",
]
EXPECTED = {
    "done",
    "outside",
    "changed_since",
    "not_found",
    "not_a_directory",
    "is_a_directory",
    "not_a_file",
    "binary",
}


@pytest.fixture(params=["one step", "walk"])
def opening(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to a folder, whichever of them this machine would take."""
    if request.param == "walk":
        monkeypatch.setattr(openat2, "is_available", lambda: False)
    elif not openat2.is_available():
        pytest.skip("this kernel has no openat2")
    return str(request.param)


async def carried_out(prepare: Callable[[], "asyncio.Future[Prepared]"], seen: list[str]) -> str:
    """Looks and does, as the gate would for a place inside; a place outside is shown to the user and not done here."""
    call = await asyncio.wait_for(prepare(), limit(HANG))
    if not call.paths[0].inside:
        return "outside"
    try:
        answer = await asyncio.wait_for(call.perform(), limit(HANG))
    except ToolFault as fault:
        return fault.code
    seen.append(answer.text)
    return "done"


@pytest.mark.timeout(limit(60 + ROUNDS))
@pytest.mark.parametrize("way", WAYS)
async def test_writing(root: Path, outside: Path, way: str, opening: str) -> None:
    arguments, path = ways(root, outside)[way]
    before, tool = everything_in(outside), WriteFile(lambda: (str(root),))
    codes: Counter[str] = Counter()
    with swapping(*arguments):
        for number in range(ROUNDS):
            args = {"path": path, "content": f"number {number}"}
            codes[await carried_out(lambda args=args: tool.prepare(args), [])] += 1
            args = {"path": f"{path}.new/{number}", "content": "new"}
            codes[await carried_out(lambda args=args: tool.prepare(args), [])] += 1

    assert everything_in(outside) == before
    assert set(codes) <= EXPECTED, codes
    assert not [name for name in everything_in(root) if name.endswith(".tmp")]


@pytest.mark.timeout(limit(60 + ROUNDS))
@pytest.mark.parametrize("way", WAYS)
async def test_reading(root: Path, outside: Path, way: str, opening: str) -> None:
    arguments, path = ways(root, outside)[way]
    tool, seen, codes = ReadFile(lambda: (str(root),)), list[str](), Counter[str]()
    with swapping(*arguments):
        for _ in range(ROUNDS):
            codes[await carried_out(lambda: tool.prepare({"path": path}), seen)] += 1

    allowed = {"mine", SECRET.decode()} if "hard" in way else {"mine"}
    assert set(seen) <= allowed
    assert set(codes) <= EXPECTED, codes


@pytest.mark.timeout(limit(60 + ROUNDS))
@pytest.mark.parametrize("way", WAYS[:4])
async def test_listing(root: Path, outside: Path, way: str, opening: str) -> None:
    arguments, path = ways(root, outside)[way]
    tool, seen, codes = ListFiles(lambda: (str(root),)), list[str](), Counter[str]()
    with swapping(*arguments):
        for _ in range(ROUNDS):
            codes[await carried_out(lambda: tool.prepare({"path": str(Path(path).parent)}), seen)] += 1

    assert not [text for text in seen if "only here" in text]
    assert set(codes) <= EXPECTED, codes
