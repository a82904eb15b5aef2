"""Huge, endless and strange things on the disk: a clear answer, little memory, and nobody else waits."""

import asyncio
import os
import resource
import stat
import subprocess
import sys
import textwrap
import threading
from itertools import product
from pathlib import Path

import pytest

from assent.agent.ports import ToolAnswer
from assent.model.errors import ToolFault
from assent.tools import resolve
from assent.tools.list_files import MAX_NAMES, ListFiles
from assent.tools.names import LONGEST
from assent.tools.places import Roots
from assent.tools.read_file import BLOCK, MAX_BYTES, ReadFile
from assent.tools.write_file import WriteFile
from tests.support.in_memory import folder_in_memory
from tests.support.processes import ROOT
from tests.support.scale import limit

MOST_GROWTH = 256 * 1024 * 1024

GROWTH = """
    import asyncio, resource, sys
    from assent.model.errors import ToolFault
    from assent.tools.list_files import ListFiles
    from assent.tools.read_file import ReadFile
    from assent.tools.write_file import WriteFile

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    async def use(tool, **args):
        call = await tool(lambda: (sys.argv[1],)).prepare(args)
        try:
            return await call.perform()
        except ToolFault as fault:
            return fault

    async def main():
        await use(ReadFile, path="none")
        before = peak()
        {work}
        print(peak() - before)

    asyncio.run(main())
"""


def growth(root: Path, work: str) -> int:
    """By how much the most memory that a process held grows over this work."""
    code = textwrap.dedent(GROWTH).replace("{work}", work)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


CONTENTS = {
    "sparse": lambda path: os.truncate(path, 50 << 30),
    "short lines": lambda path: path.write_bytes(b"a\n" * (MAX_BYTES // 2 + 10)),
    "no lines": lambda path: path.write_bytes(b"a" * (MAX_BYTES + 10)),
    "empty lines": lambda path: path.write_bytes(b"\n" * (MAX_BYTES + 10)),
    "wide": lambda path: path.write_bytes("😀\n".encode() * (MAX_BYTES // 5)),
}
WORK = """await use(ReadFile, path="a")
    await use(ReadFile, path="a", offset=4_000_000, limit=9)
    await use(WriteFile, path="a", content="x\\n" * 400_000)
    await use(WriteFile, path="a", content="x\\n" * 5_000_000)"""


@pytest.mark.parametrize("content", CONTENTS)
def test_memory_for_a_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "a").touch()
    CONTENTS[content](tmp_path / "a")
    assert growth(tmp_path, WORK) < MOST_GROWTH


def test_memory_for_a_folder_of_a_hundred_thousand() -> None:
    with folder_in_memory() as folder:
        for number in range(100_000):
            (folder / f"{number:06}").touch()
        assert growth(folder, 'assert "[99000 more names]" in (await use(ListFiles)).text') < MOST_GROWTH // 4


@pytest.mark.skipif(resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY, reason="files are limited")
async def test_a_sparse_file_is_said_to_be_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    CONTENTS["sparse"](tmp_path / "a")

    with pytest.raises(ToolFault, match=f"not text: {50 << 30} bytes"):
        await (await ReadFile(lambda: (str(tmp_path),)).prepare({"path": "a"})).perform()


def lines_of(text: str, offset: int, count: int | None) -> str:
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return "".join(lines[offset - 1 :][:count])


@pytest.mark.parametrize("line", ["", "ab", "x" * (BLOCK - 1), "y" * BLOCK, "z" * (BLOCK + 1)], ids=len)
async def test_parts_across_blocks(tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.tools.read_file.MAX_RESULT", 1_000_000)
    text = f"{line}\n\r\n{line}\n\u2028\x0c\n{line}"
    (tmp_path / "a").write_text(text, newline="")
    tool = ReadFile(lambda: (str(tmp_path),))

    for offset, count in product([1, 2, 3, 4, 5, 6, 100], [None, 1, 2, 4, 100]):
        answer = await (await tool.prepare({"path": "a", "offset": offset, "limit": count})).perform()
        assert answer.content == lines_of(text, offset, count), (offset, count)


@pytest.mark.parametrize("tool", [ReadFile, WriteFile, ListFiles])
async def test_a_name_as_long_as_may_be(tmp_path: Path, tool: type) -> None:
    for path in ("x/" * (LONGEST // 2), "y" * LONGEST, "../" * (LONGEST // 3)):
        if tool is ListFiles and path.startswith(".."):
            # That is the root of the disk, which can be listed.
            continue
        args = {"path": path, "content": ""} if tool is WriteFile else {"path": path}
        made = tool(lambda: (str(tmp_path),))
        assert made.fault(args) is None
        call = await made.prepare(args)
        with pytest.raises(ToolFault) as fault:
            await call.perform()
        assert fault.value.code in ("not_found", "name_too_long", "too_deep", "is_a_directory", "not_a_directory")
    assert os.listdir(tmp_path) == []  # noqa: PTH208


STRANGE = ["a\nb", "\x1b[2J", "\u202egnp.exe", "\u200b", " ", "a ", "..a", "\x7f", "-rf", "*", "~", "$(x)", "caf\udce9"]


@pytest.mark.parametrize("name", STRANGE)
async def test_strange_names_are_written_read_and_listed(tmp_path: Path, name: str) -> None:
    roots: Roots = lambda: (str(tmp_path),)  # noqa: E731
    path = f"./{name}"
    if "\udce9" in name:
        (tmp_path / "link").symlink_to(tmp_path / name)
        path = "link"
    wrote = await (await WriteFile(roots).prepare({"path": path, "content": "new"})).perform()
    call = await ReadFile(roots).prepare({"path": path})
    read = await call.perform()
    listed = await (await ListFiles(roots).prepare({})).perform()

    assert (tmp_path / name).read_text() == "new"
    assert read.text == "new"
    assert len(listed.text.split("\n")) == (2 if path == "link" else 1)
    for said in (wrote.text, call.headline, listed.text, call.paths[0].shown):
        said.encode("utf-8")
        assert not {"\x1b", "\u202e", "\u200b", "\x7f"} & set(said)
    assert call.paths[0].real == str(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mknod") or os.getuid() != 0, reason="needs the right to make devices")
async def test_a_device_in_the_workspace_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        os.mknod(tmp_path / "x", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices cannot be made here")
    opened: list[str] = []
    really_open = os.open

    def noting(path: str, *args: int, **named: int) -> int:
        opened.append(path)
        return really_open(path, *args, **named)

    monkeypatch.setattr(os, "open", noting)
    for tool, args in ((ReadFile, {"path": "x"}), (WriteFile, {"path": "x", "content": ""})):
        call = await tool(lambda: (str(tmp_path),)).prepare(args)
        with pytest.raises(ToolFault, match="not a regular file"):
            await call.perform()
    assert "x" not in opened
    assert "/" in opened


async def test_a_hard_link_to_an_outside_file_is_read_and_never_changed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.write_text("old")
    (root / "a").hardlink_to(outside)
    before = outside.stat()

    assert (await (await ReadFile(lambda: (str(root),)).prepare({"path": "a"})).perform()).text == "old"
    await (await WriteFile(lambda: (str(root),)).prepare({"path": "a", "content": "new"})).perform()

    after = outside.stat()
    assert outside.read_text() == "old"
    assert (after.st_ino, after.st_mtime_ns, after.st_mode) == (before.st_ino, before.st_mtime_ns, before.st_mode)
    assert (root / "a").read_text() == "new"


@pytest.mark.parametrize("tool", [ReadFile, WriteFile, ListFiles])
async def test_while_a_disk_does_not_answer_everything_else_goes_on(
    tmp_path: Path, tool: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look that hangs is let go only by the loop: a tool that looked in the loop's own thread would never end."""
    answers, hanging, really_look = threading.Event(), threading.Event(), os.lstat

    def slow(path: str) -> os.stat_result:
        hanging.set()
        assert answers.wait(limit(20)), "the loop did not go on"
        return really_look(path)

    monkeypatch.setattr(resolve.os, "lstat", slow)
    args = {"path": "a", "content": ""} if tool is WriteFile else {"path": "a"}
    looking = asyncio.ensure_future(tool(lambda: (str(tmp_path),)).prepare(args))
    while not hanging.is_set():  # noqa: ASYNC110 - set by a thread
        await asyncio.sleep(0)
    assert not looking.done()
    answers.set()
    call = await looking

    answers.clear()
    hanging.clear()
    doing = asyncio.ensure_future(call.perform())
    while not hanging.is_set():  # noqa: ASYNC110 - set by a thread
        await asyncio.sleep(0)
    answers.set()
    result = (await asyncio.gather(doing, return_exceptions=True))[0]
    assert isinstance(result, (ToolAnswer, ToolFault))


async def test_many_names_are_the_first_in_order(tmp_path: Path) -> None:
    for number in reversed(range(MAX_NAMES * 2)):
        (tmp_path / f"{number:05}").touch()

    answer = await (await ListFiles(lambda: (str(tmp_path),)).prepare({})).perform()

    assert answer.text.split("\n")[:-1] == [f"{number:05}" for number in range(MAX_NAMES)]
    assert answer.text.endswith(f"[{MAX_NAMES} more names]")
