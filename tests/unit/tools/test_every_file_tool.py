"""Every tool for files, at everything that is no ordinary file: a named answer, soon, and nothing done."""

import asyncio
import os
import resource
import stat
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Tool
from assent.model.errors import ToolFault
from assent.runtime.processes import Processes
from assent.tools.edit_file import EditFile
from assent.tools.glob import Glob
from assent.tools.grep import Grep
from assent.tools.list_files import ListFiles
from assent.tools.read_file import ReadFile
from assent.tools.write_file import WriteFile
from tests.support.ripgrep import ripgrep
from tests.support.scale import limit
from tests.unit.tools.test_odd_files import MOST_GROWTH, growth

Make = Callable[[Path], object]
HUGE = 50 << 30
NUL_NAME = "a\0b"


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    made = Processes()
    yield made
    made.end_all()


def tools(root: Path, processes: Processes) -> dict[str, tuple[Tool, dict[str, Any]]]:
    def roots() -> tuple[str, ...]:
        return (str(root),)

    return {
        "read": (ReadFile(roots), {}),
        "write": (WriteFile(roots), {"content": "new"}),
        "edit": (EditFile(roots), {"edits": [{"old": "old", "new": "new"}]}),
        "list": (ListFiles(roots), {}),
        "glob": (Glob(roots, processes), {"pattern": "*"}),
        "grep": (Grep(roots, processes), {"pattern": "old"}),
        "ripgrep": (Grep(roots, processes, program=lambda _: ripgrep()), {"pattern": "old"}),
    }


def device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except (AttributeError, PermissionError):
        pytest.skip("devices cannot be made here")


def sparse(path: Path) -> None:
    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        pytest.skip("files are limited")
    path.touch()
    os.truncate(path, HUGE)


MADE: dict[str, Make] = {
    "a pipe": os.mkfifo,
    "a device": device,
    "a huge file": sparse,
    "a loop": lambda path: path.symlink_to(path),
    "a folder": Path.mkdir,
    "nothing": lambda path: None,
    "a link to nothing": lambda path: path.symlink_to(path.parent / "none"),
    "below a file": lambda path: path.parent.joinpath("file").write_text("old"),
    "a long name": lambda path: None,
    "a long way": lambda path: None,
}
NAMES = {"below a file": "file/x", "a long name": "x" * 300, "a long way": "x/" * 1_500 + "x"}
NO_FILE, NO_FOLDER, MISSING, LOOP = {"not_a_file"}, {"not_a_directory"}, {"not_found"}, {"link_loop"}
TOO_LONG = {"name_too_long", "not_found", "too_deep"}
DONE = {"done"}
EXPECTED: dict[str, dict[str, set[str]]] = {
    "a pipe": {"files": NO_FILE, "list": NO_FOLDER, "glob": NO_FOLDER},
    "a device": {"files": NO_FILE, "list": NO_FOLDER, "glob": NO_FOLDER},
    "a huge file": {
        "read": {"binary"},
        "write": DONE,
        "edit": {"not_text"},
        "list": NO_FOLDER,
        "glob": NO_FOLDER,
        "files": DONE,
    },
    "a loop": {"files": LOOP, "list": LOOP, "glob": LOOP},
    "a folder": {"read": {"is_a_directory"}, "write": {"is_a_directory"}, "edit": {"is_a_directory"}, "files": DONE}
    | {"list": DONE, "glob": DONE},
    "nothing": {"write": DONE, "files": MISSING, "list": MISSING, "glob": MISSING},
    "a link to nothing": {"write": DONE, "files": MISSING, "list": MISSING, "glob": MISSING},
    "below a file": {"files": NO_FOLDER, "list": NO_FOLDER, "glob": NO_FOLDER},
    "a long name": {"files": TOO_LONG, "list": TOO_LONG, "glob": TOO_LONG},
    "a long way": {"files": TOO_LONG, "list": TOO_LONG, "glob": TOO_LONG},
}


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("name", ["read", "write", "edit", "list", "glob", "grep", "ripgrep"])
async def test_a_named_answer(tmp_path: Path, processes: Processes, kind: str, name: str) -> None:
    tool, args = tools(tmp_path, processes)[name]
    MADE[kind](tmp_path / "x")
    before = sorted(os.listdir(tmp_path))  # noqa: PTH208
    args = {**args, "path": NAMES.get(kind, "x")}
    assert tool.fault(args) is None
    call = await asyncio.wait_for(tool.prepare(args), limit(10))
    try:
        await asyncio.wait_for(call.perform(), limit(10))
        code = "done"
    except ToolFault as fault:
        code = fault.code
        assert len(str(fault)) > 10
    expected = EXPECTED[kind]
    assert code in expected.get(name, expected["files"])
    if name != "write":
        assert sorted(os.listdir(tmp_path)) == before  # noqa: PTH208


@pytest.mark.parametrize("name", ["read", "write", "edit", "list", "glob", "grep"])
async def test_a_name_with_nul_touches_nothing(tmp_path: Path, processes: Processes, name: str) -> None:
    """The gate blocks it. Looking at it beforehand must not fail."""
    tool, args = tools(tmp_path, processes)[name]
    call = await tool.prepare({**args, "path": NUL_NAME})
    assert "\0" in call.paths[0].real
    with pytest.raises((ToolFault, ValueError)):
        await call.perform()
    assert os.listdir(tmp_path) == []  # noqa: PTH208


@pytest.mark.parametrize("name", ["read", "write", "edit", "list", "glob", "grep"])
@pytest.mark.parametrize("path", ["../x", "/etc", "~", "link", "file:///etc", "sub/../../x", "link/x"])
async def test_what_lies_outside_is_told_as_such(tmp_path: Path, processes: Processes, name: str, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    tool, args = tools(root, processes)[name]
    call = await tool.prepare({**args, "path": path})
    assert not call.paths[0].inside and call.impossible is None


async def test_a_full_disk_leaves_the_old_file(
    tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_text("old")
    tool, args = tools(tmp_path, processes)["edit"]
    call = await tool.prepare({**args, "path": "x"})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ToolFault) as fault:
        await call.perform()
    assert fault.value.code == "disk_full"
    assert (tmp_path / "x").read_text() == "old" and len(os.listdir(tmp_path)) == 1  # noqa: PTH208


CONTENTS: dict[str, Make] = {
    "sparse": sparse,
    "lines": lambda path: path.write_bytes(b"a\n" * 5_000_000),
    "wide lines": lambda path: path.write_bytes(b"\r\n" * 5_000_000 + b"old"),
    "one line": lambda path: path.write_bytes(b"a" * 10_000_000),
}
WORK = """from assent.tools.edit_file import EditFile
    from assent.tools.grep import Grep
    from assent.runtime.processes import Processes
    await use(EditFile, path="x", edits=[{"old": "old", "new": "new"}])
    await use(EditFile, path="x", edits=[{"old": "a", "new": "b", "all": True}])
    await use(EditFile, path="x", edits=[{"old": "  none at all", "new": "b"}])
    processes = Processes()
    await use(lambda roots: Grep(roots, processes), pattern="a", mode="lines", limit=1000)
    await use(lambda roots: Grep(roots, processes), pattern="a", mode="count")
    processes.end_all()"""


@pytest.mark.parametrize("content", CONTENTS)
def test_memory_for_a_file(tmp_path: Path, content: str) -> None:
    CONTENTS[content](tmp_path / "x")
    assert growth(tmp_path, WORK) < MOST_GROWTH
