"""Tools at work while another process swaps what they look at for ways out: what they told, and what became of it."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent.agent.ports import Tool
from assent.model.errors import ToolFault
from assent.runtime.processes import Processes
from assent.tools.edit_file import EditFile
from assent.tools.glob import Glob
from assent.tools.grep import Grep
from assent.tools.list_files import ListFiles
from tests.support.ripgrep import ripgrep
from tests.support.scale import limit

SWAPPER = Path(__file__).parent / "swapper.py"
SECRET = "not yours"
WAYS = ("the folder and a link out", "a folder below and a link out", "the file and a link out", "the file and a pipe")
AT_ONCE = 4
"""Tries at the same time, as calls of one turn are."""
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
Arguments = Callable[[int], dict[str, Any]]


@dataclass
class Race:
    """What came of one."""

    codes: Counter[str] = field(default_factory=Counter)
    """How often what was tried ended in which way."""
    swaps: int = 0
    escapes: list[str] = field(default_factory=list)
    """What of the outside was told or changed, and what was left lying about."""


@contextmanager
def swapping(*what: str) -> Iterator[list[int]]:
    """The other process works until the block ends; then this says how often it did, which is at least once."""
    command = [sys.executable, "-S", "-E", str(SWAPPER), *what]
    done: list[int] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n", "the swapper did not start"
        try:
            yield done
        finally:
            told, words = process.communicate()
    assert process.returncode == 0, f"the swapper died: {words.decode(errors='replace')}"
    done.append(int(told))
    assert done[0] > 0


def _root(folder: Path) -> Path:
    outside, made = folder / "outside", folder / "root"
    for place, text in ((outside, SECRET), (made / "sub", "mine")):
        (place / "deep").mkdir(parents=True)
        for name in ("a", "deep/a", f"only {text}", f"deep/only {text}"):
            (place / name).write_text(f"{text} treasure\n")
    (made / "link").symlink_to(outside)
    (made / "sub/deeper").symlink_to(outside / "deep")
    return made


def _swaps(root: Path, way: str) -> str:
    sub = root / "sub"
    return {
        "the folder and a link out": f"{sub}={root / 'link'}",
        "a folder below and a link out": f"{sub / 'deep'}={sub / 'deeper'}",
        "the file and a link out": f"{sub / 'a'}=link={root.parent / 'outside/a'}",
        "the file and a pipe": f"{sub / 'a'}=pipe=",
    }[way]


def _searches(number: int) -> dict[str, Any]:
    return {"pattern": "treasure", "path": ("sub", ".", "sub/deep", "sub/a")[number % 4]}


def _finds(number: int) -> dict[str, Any]:
    return ({"pattern": "*", "path": "sub"}, {"pattern": "**/*"}, {"pattern": "only*", "path": "sub/deep"})[number % 3]


def _edits(number: int) -> dict[str, Any]:
    texts = ("mine treasure", "other treasure")
    old, new = texts[number // 2 % 2], texts[1 - number // 2 % 2]
    return {"path": ("sub/a", "sub/deep/a")[number % 2], "edits": [{"old": old, "new": new}]}


def _lists(number: int) -> dict[str, Any]:
    return {"path": ("sub", "sub/deep")[number % 2]}


def _contest(kind: str, root: Path, processes: Processes) -> tuple[Tool, Arguments]:
    def roots() -> tuple[str, ...]:
        return (str(root),)

    match kind:
        case "grep":
            return Grep(roots, processes, program=lambda _: None), _searches
        case "grep with ripgrep":
            return Grep(roots, processes, program=lambda _: ripgrep()), _searches
        case "glob":
            return Glob(roots, processes), _finds
        case "edit_file":
            return EditFile(roots), _edits
    return ListFiles(roots), _lists


KINDS = ("grep", "grep with ripgrep", "glob", "edit_file", "list_files")


async def race(kind: str, folder: Path, way: str, tries: int) -> Race:
    """So many calls of this tool, in a folder of their own, while things are swapped in this way."""
    root, found, processes = _root(folder), Race(), Processes()
    outside = _contents(folder / "outside")
    tool, arguments = _contest(kind, root, processes)
    try:
        with swapping(_swaps(root, way)) as swaps:
            for first in range(0, tries, AT_ONCE):
                numbers = range(first, min(first + AT_ONCE, tries))
                for code, told in await asyncio.gather(*(_carried_out(tool, arguments(one)) for one in numbers)):
                    found.codes[code] += 1
                    if SECRET in told:
                        found.escapes.append(f"{kind} told of the outside ({way}): {told[:200]!r}")
    finally:
        processes.end_all()
    found.swaps = swaps[0]
    if _contents(folder / "outside") != outside:
        found.escapes.append(f"{kind} changed the outside ({way})")
    found.escapes += [f"{kind} left {path.name} ({way})" for path in root.rglob("*.tmp")]
    return found


async def _carried_out(tool: Tool, args: dict[str, Any]) -> tuple[str, str]:
    """Looks and does, as the gate would for a place inside; a place outside is shown to the user and not done here."""
    call = await asyncio.wait_for(tool.prepare(args), limit(60))
    if not call.paths[0].inside:
        return "outside", ""
    try:
        answer = await asyncio.wait_for(call.perform(), limit(60))
    except ToolFault as fault:
        return fault.code, str(fault)
    return "done", answer.text


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
