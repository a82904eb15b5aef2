"""glob: files by their paths, the newest first, and what is left out."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from assent.model.calls import PathUse
from assent.model.errors import ToolFault
from assent.runtime.processes import Processes
from assent.tools.glob import MOST_KEPT, MOST_TOLD, Glob
from tests.support.scale import limit


@pytest.fixture
async def tool(tmp_path: Path) -> AsyncIterator[Glob]:
    processes = Processes()
    (tmp_path / "root").mkdir()

    def withheld(use: PathUse, _searched: PathUse) -> bool:
        return "kept" in use.real.split("/")

    yield Glob(lambda: (str(tmp_path / "root"),), processes, lambda: withheld)
    processes.end_all()


@pytest.fixture
def root(tmp_path: Path, tool: Glob) -> Path:
    root = tmp_path / "root"
    names = ["a.py", "src/b.py", "src/deep/c.py", "src/deep/d.ts", "src/e.tsx", ".hidden/f.py", "build/g.py"]
    names += ["node_modules/h.py", ".git/i.py", "kept/j.py", ".env", "src/k l.py", "odd\nname.py"]
    for age, name in enumerate(names):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
        os.utime(root / name, (1_000_000 - age, 1_000_000 - age))
    (root / ".gitignore").write_text("build/\n")
    (root / "link.py").symlink_to("/etc/passwd")
    (root / "away").symlink_to("/etc")
    return root


async def found(tool: Glob, pattern: str, **args: Any) -> list[str]:
    args = {"pattern": pattern, **args}
    assert tool.fault(args) is None
    answer = await asyncio.wait_for((await tool.prepare(args)).perform(), limit(60))
    return answer.text.split("\n")


PY = ["a.py", "src/b.py", "src/deep/c.py", ".hidden/f.py", "src/k l.py", "odd\\nname.py"]


@pytest.mark.parametrize(
    ("pattern", "more", "files"),
    [
        ("/*.py", {}, ["link.py", "a.py", "odd\\nname.py"]),
        ("./a.py", {}, ["a.py"]),
        ("src/*", {}, ["src/b.py", "src/e.tsx", "src/k l.py"]),
        ("src/", {}, ["src/b.py", "src/deep/c.py", "src/deep/d.ts", "src/e.tsx", "src/k l.py"]),
        ("src/**", {}, ["src/b.py", "src/deep/c.py", "src/deep/d.ts", "src/e.tsx", "src/k l.py"]),
        ("**/deep/*", {}, ["src/deep/c.py", "src/deep/d.ts"]),
        ("*.{ts,tsx}", {}, ["src/deep/d.ts", "src/e.tsx"]),
        ("{a,src/[b-c]}.py", {}, ["a.py", "src/b.py"]),
        ("*", {"path": "src/deep"}, ["src/deep/c.py", "src/deep/d.ts"]),
        ("*", {"path": "build"}, ["build/g.py"]),
        ("*.py", {"path": ".git"}, [".git/i.py"]),
        (".env", {}, [".env"]),
        ("j.py", {}, ["[no file fits]"]),
        ("passwd", {}, ["[no file fits]"]),
        ("h.py", {"ignored": True}, ["node_modules/h.py"]),
    ],
)
async def test_what_fits(tool: Glob, root: Path, pattern: str, more: dict[str, Any], files: list[str]) -> None:
    assert await found(tool, pattern, **more) == files


async def test_the_newest_first(tool: Glob, root: Path) -> None:
    assert await found(tool, "*.py") == ["link.py", *PY]
    os.utime(root / "src/deep/c.py", (2_000_000_000, 2_000_000_000))
    assert (await found(tool, "c.py")) == ["src/deep/c.py"]
    assert (await found(tool, "*.py")).index("src/deep/c.py") < 2


async def test_a_long_list_is_cut_and_says_so(tool: Glob, root: Path) -> None:
    (root / "many").mkdir()
    for number in range(MOST_TOLD + 7):
        (root / "many" / f"{number}.x").write_text("")
    text = await found(tool, "*.x")
    assert len(text) == MOST_TOLD + 1 and text[-1].startswith("[7 more files fit")
    assert MOST_KEPT > MOST_TOLD


@pytest.mark.parametrize(
    ("path", "code"),
    [("none", "not_found"), ("a.py", "not_a_directory"), ("loop", "link_loop"), ("pipe", "not_a_directory")],
)
async def test_what_is_no_folder(tool: Glob, root: Path, path: str, code: str) -> None:
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe")
    with pytest.raises(ToolFault) as fault:
        await found(tool, "*", path=path)
    assert fault.value.code == code


@pytest.mark.parametrize("pattern", ["[a", "a{b,c", "!a", "", "/", "a\\", "[[:nope:]]", "x" * 2_000, "{a,b}" * 7])
def test_patterns_that_are_none(tool: Glob, pattern: str) -> None:
    assert (tool.fault({"pattern": pattern}) or "").startswith("The arguments do not fit. pattern")


async def test_a_folder_that_became_a_link_is_not_looked_through(tool: Glob, root: Path) -> None:
    call = await tool.prepare({"pattern": "*", "path": "src"})
    (root / "src").rename(root / "gone")
    (root / "src").symlink_to("/etc")
    with pytest.raises(ToolFault) as fault:
        await call.perform()
    assert fault.value.code == "changed_since"


async def test_another_folder_of_the_same_name_is_not_looked_through(tool: Glob, root: Path) -> None:
    call = await tool.prepare({"pattern": "*", "path": "src"})
    (root / "src").rename(root / "gone")
    (root / "src").mkdir()
    (root / "src/x").write_text("")
    answer = await call.perform()
    assert "src/x" not in answer.text and answer.truncated
