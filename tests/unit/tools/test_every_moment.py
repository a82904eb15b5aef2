"""A swap, an edit or a fault of the system at every single call that a tool makes: each moment there is, once."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Prepared, Tool, ToolAnswer
from assent.model.errors import ToolFault
from assent.tools import handles, openat2
from assent.tools.disk import MISSING, list_folder, read_regular
from assent.tools.edit_file import EditFile
from assent.tools.list_files import ListFiles
from assent.tools.read_file import ReadFile
from assent.tools.replacing import replace_file
from assent.tools.resolve import resolve
from assent.tools.write_file import WriteFile
from tests.support.in_memory import folder_in_memory
from tests.support.system_calls import Calls

SECRET = b"not yours"
MOST_CALLS = 400


@pytest.fixture(params=["one step", "walk", "no handles"])
def opening(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All ways to a folder, whichever of them this machine would take."""
    if request.param == "no handles":
        monkeypatch.setattr(handles, "_HANDLES", False)
    if request.param != "one step":
        monkeypatch.setattr(openat2, "is_available", lambda: False)
    elif not openat2.is_available():
        pytest.skip("this kernel has no openat2")
    return str(request.param)


class Ground:
    """A workspace and a folder outside, made anew for each moment."""

    def __init__(self, above: Path) -> None:
        self.above = above
        self.root, self.outside = above / "root", above / "outside"
        self.file, self.victim = self.root / "sub" / "a", self.outside / "a"
        self.make()

    def make(self) -> None:
        shutil.rmtree(self.above, ignore_errors=True)
        for folder, content in ((self.root / "sub", b"mine"), (self.outside, SECRET), (self.root / "twin", b"mine")):
            folder.mkdir(parents=True)
            (folder / "a").write_bytes(content)
        (self.outside / "only here").touch()

    def names(self, folder: Path) -> list[str]:
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))

    def check_outside(self) -> None:
        assert self.names(self.outside) == ["a", "only here"]
        assert self.victim.read_bytes() == SECRET

    def link_folder(self) -> None:
        (self.root / "sub").rename(self.root / "was")
        (self.root / "sub").symlink_to(self.outside)

    def link_file(self) -> None:
        self.file.unlink(missing_ok=True)
        self.file.symlink_to(self.victim)

    def link_new_folder(self) -> None:
        new = self.root / "sub" / "new"
        if new.is_dir():
            new.rename(self.root / "sub" / "was")
        new.symlink_to(self.outside)

    def swap_folder(self) -> None:
        (self.root / "sub").rename(self.root / "was")
        (self.root / "twin").rename(self.root / "sub")

    def move_root(self) -> None:
        self.root.rename(self.above / "was")
        self.root.symlink_to(self.outside)

    def pipe(self) -> None:
        self.file.unlink(missing_ok=True)
        os.mkfifo(self.file)

    def edit(self) -> None:
        self.file.write_bytes(b"an edit of the user")


@pytest.fixture
def ground() -> Iterator[Ground]:
    with folder_in_memory() as folder:
        yield Ground(folder / "ground")


SWAPS: dict[str, Callable[[Ground], None]] = {
    "folder becomes a link": Ground.link_folder,
    "file becomes a link": Ground.link_file,
    "new folder becomes a link": Ground.link_new_folder,
    "folder becomes another": Ground.swap_folder,
    "file becomes a pipe": Ground.pipe,
}


WRITE = (WriteFile, {"content": "new"})
EDIT = (EditFile, {"edits": [{"old": "mine", "new": "new"}]})
Writing = tuple[type[WriteFile] | type[EditFile], dict[str, Any]]


async def outcome(tool: Tool, args: dict[str, Any]) -> ToolAnswer | ToolFault | None:
    """What comes of it; None where the gate would have shown a place outside to the user."""
    call = await tool.prepare(args)
    return await performed(call) if call.paths[0].inside else None


async def performed(call: Prepared) -> ToolAnswer | ToolFault:
    try:
        return await call.perform()
    except ToolFault as fault:
        return fault


def once(moment: int, act: Callable[[], object]) -> Callable[[int, str], None]:
    """Acts right before the call of this number."""
    return lambda number, _name: act() if number == moment else None


@pytest.mark.parametrize(
    ("writing", "path", "swap"),
    [
        *(
            (writing, "sub/a", swap)
            for writing in (WRITE, EDIT)
            for swap in SWAPS
            if swap != "new folder becomes a link"
        ),
        (WRITE, "sub/new/deep/b", "folder becomes a link"),
        (WRITE, "sub/new/deep/b", "new folder becomes a link"),
        (WRITE, "sub/new/deep/b", "folder becomes another"),
    ],
)
async def test_writing_while_something_is_swapped(
    ground: Ground,
    calls: Calls,
    opening: str,
    writing: Writing,
    path: str,
    swap: str,
) -> None:
    if opening == "no handles":
        pytest.skip("without handles the instant between a check and its use stays open, and that is said")
    kind, args = writing
    tool, results = kind(lambda: (str(ground.root),)), []
    for moment in range(MOST_CALLS):
        ground.make()
        calls.restart(once(moment, lambda: SWAPS[swap](ground)))
        results.append(await outcome(tool, {"path": path, **args}))
        ground.check_outside()
        assert not [name for name in ground.names(ground.above) if name.endswith(".tmp")]
        if len(calls.names) <= moment:
            break
    assert isinstance(results[-1], ToolAnswer)
    assert sum(isinstance(result, ToolFault) for result in results) > 3


@pytest.mark.parametrize("swap", SWAPS)
async def test_reading_while_something_is_swapped(ground: Ground, calls: Calls, opening: str, swap: str) -> None:
    tool, results = ReadFile(lambda: (str(ground.root),)), []
    for moment in range(MOST_CALLS):
        ground.make()
        calls.restart(once(moment, lambda: SWAPS[swap](ground)))
        results.append(await outcome(tool, {"path": "sub/a"}))
        if len(calls.names) <= moment:
            break
    if opening != "no handles":
        assert {result.text for result in results if isinstance(result, ToolAnswer)} == {"mine"}
    assert isinstance(results[-1], ToolAnswer)


@pytest.mark.parametrize(("writing", "path"), [(WRITE, "sub/a"), (WRITE, "sub/new/deep/b"), (EDIT, "sub/a")])
async def test_writing_while_the_workspace_becomes_a_link(
    ground: Ground,
    calls: Calls,
    opening: str,
    writing: Writing,
    path: str,
) -> None:
    if opening == "no handles":
        pytest.skip("without handles the instant between a check and its use stays open, and that is said")
    kind, args = writing
    tool, results = kind(lambda: (str(ground.root),)), []
    for moment in range(MOST_CALLS):
        ground.make()
        call = await tool.prepare({"path": path, **args})
        calls.restart(once(moment, ground.move_root))
        results.append(await performed(call))
        ground.check_outside()
        if len(calls.names) <= moment:
            break
    assert isinstance(results[0], ToolFault)
    assert isinstance(results[-1], ToolAnswer)


@pytest.mark.parametrize("swap", ["folder becomes a link"])
async def test_listing_while_something_is_swapped(ground: Ground, calls: Calls, opening: str, swap: str) -> None:
    if opening == "no handles":
        pytest.skip("without handles the instant between a check and its use stays open, and that is said")
    tool, results = ListFiles(lambda: (str(ground.root),)), []
    for moment in range(MOST_CALLS):
        ground.make()
        calls.restart(once(moment, lambda: SWAPS[swap](ground)))
        results.append(await outcome(tool, {"path": "sub"}))
        if len(calls.names) <= moment:
            break
    assert {result.text for result in results if isinstance(result, ToolAnswer)} == {"a"}


@pytest.mark.parametrize(("writing", "exists"), [(WRITE, True), (WRITE, False), (EDIT, True)])
async def test_an_edit_at_any_moment_is_kept(
    ground: Ground, calls: Calls, opening: str, writing: Writing, exists: bool
) -> None:
    """Only in the last instant before the exchange an edit of an existing file can be lost; a new file never is."""
    kind, args = writing
    tool = kind(lambda: (str(ground.root),))
    for moment in range(MOST_CALLS):
        ground.make()
        if not exists:
            ground.file.unlink()
        calls.restart(lambda _number, _name: None)
        call = await tool.prepare({"path": "sub/a", **args})
        calls.restart(once(moment, ground.edit))
        result = await performed(call)
        if len(calls.names) <= moment:
            break
        if isinstance(result, ToolAnswer):
            placed = calls.names.index("replace" if exists else "link")
            assert moment > placed or (exists and moment == placed), calls.names[moment]
        else:
            assert ground.file.read_bytes() == b"an edit of the user"
    assert moment > 10


@pytest.mark.parametrize("action", ["read", "write", "list"])
async def test_a_link_on_the_way_is_refused_even_where_it_leads_to_the_same_folder(
    ground: Ground, opening: str, action: str
) -> None:
    folder, file = resolve(str(ground.root / "sub")), resolve(str(ground.file))
    (ground.root / "sub").rename(ground.root / "was")
    (ground.root / "sub").symlink_to("was")
    acts: dict[str, Callable[[], object]] = {
        "read": lambda: read_regular(file, 100),
        "write": lambda: replace_file(file, b"new", expected=frozenset({MISSING}), limit=100),
        "list": lambda: list_folder(folder, 100),
    }

    with pytest.raises(ToolFault) as fault:
        acts[action]()
    assert fault.value.code in ("changed_since", "not_a_directory")
    assert (ground.root / "was" / "a").read_bytes() == b"mine"


@pytest.mark.parametrize(("tool", "more"), [(ReadFile, {}), WRITE, EDIT, (ListFiles, {})])
async def test_what_is_no_longer_inside_is_not_touched(ground: Ground, tool: type, more: dict[str, Any]) -> None:
    """Under its full name it is the same file; what was decided was decided about a file inside."""
    roots = [str(ground.root)]
    args = {"path": str(ground.root if tool is ListFiles else ground.file)}
    call = await tool(lambda: tuple(roots)).prepare(args | more)
    roots[:] = [str(ground.outside)]

    with pytest.raises(ToolFault) as fault:
        await call.perform()
    assert fault.value.code == "changed_since"
    assert ground.file.read_bytes() == b"mine"


FAULTS = [errno.ENOSPC, errno.EIO, errno.EACCES]


@pytest.mark.parametrize("number", FAULTS, ids=errno.errorcode.get)
@pytest.mark.parametrize(
    ("writing", "path"), [(WRITE, "sub/a"), (WRITE, "sub/b"), (WRITE, "sub/new/deep/b"), (EDIT, "sub/a")]
)
async def test_a_fault_at_any_moment_leaves_all_or_nothing(
    ground: Ground,
    calls: Calls,
    opening: str,
    writing: Writing,
    path: str,
    number: int,
) -> None:
    kind, args = writing
    tool, told = kind(lambda: (str(ground.root),)), []
    for moment in range(MOST_CALLS):
        ground.make()
        before, handles_before = ground.names(ground.root), len(os.listdir("/dev/fd"))  # noqa: PTH208
        calls.restart(lambda _number, _name: None)
        call = await tool.prepare({"path": path, **args})
        calls.restart(once(moment, lambda: fail(number)))
        result = await performed(call)
        if len(calls.names) <= moment:
            break
        told.append(result)
        assert len(os.listdir("/dev/fd")) == handles_before, calls.names[moment:]  # noqa: PTH208
        if isinstance(result, ToolAnswer):
            assert (ground.root / path).read_bytes() == b"new", calls.names[moment]
            left = [name for name in ground.names(ground.root) if name.endswith(".tmp")]
            assert not left or calls.names[moment] == "unlink"
        else:
            assert ground.names(ground.root) == before, calls.names[moment]
            assert ground.file.read_bytes() == b"mine"
    assert sum(isinstance(result, ToolFault) for result in told) > 8


def fail(number: int) -> None:
    raise OSError(number, os.strerror(number))


async def test_a_folder_that_cannot_be_synced_is_said(ground: Ground, calls: Calls) -> None:
    tool = WriteFile(lambda: (str(ground.root),))
    call = await tool.prepare({"path": "sub/a", "content": "new"})
    calls.restart(lambda _number, name: fail(errno.EIO) if name == "fsync" and "replace" in calls.names else None)

    answer = await call.perform()

    assert "loss of power" in answer.text
    assert ground.file.read_bytes() == b"new"


async def test_file_and_folder_are_synced_before_the_result_is_told(ground: Ground, calls: Calls) -> None:
    tool = WriteFile(lambda: (str(ground.root),))
    for path, placing, syncs_after in (("sub/a", "replace", 1), ("sub/b", "link", 1), ("sub/x/y/b", "link", 3)):
        call = await tool.prepare({"path": path, "content": "new"})
        calls.restart(lambda _number, _name: None)
        await call.perform()
        placed = calls.names.index(placing)
        assert calls.names[:placed].count("fsync") == 1
        assert calls.names[placed:].count("fsync") == syncs_after
