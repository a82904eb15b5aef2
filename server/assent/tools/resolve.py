"""Where a path leads once every link is followed, and which folder was there when it was looked at."""
# ruff: noqa: PTH112, PTH115, PTH119, PTH120, PTH206 - pathlib tidies what it is given; here every segment counts as it stands

import os
import stat
from collections.abc import Callable, Iterator
from typing import NamedTuple

from assent.lazy_dataclasses import dataclass

MOST_LINKS = 40
"""As many as a kernel follows. A chain or a web of links costs no more than this."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The deepest folder on the way that was there. Whoever comes later must find the same one."""

    path: str
    device: int
    inode: int

    @property
    def identity(self) -> str:
        return f"{self.device}:{self.inode}"


@dataclass(frozen=True, slots=True)
class Target:
    """What a path means: a real path without links, and what stood there at that moment."""

    real: str
    anchor: Anchor
    mode: int | None = None
    """Type and rights of what is there; None where there is nothing."""
    cut_by: str | None = None
    """Something on the way that is no folder, so that nothing can lie below it."""
    loops: bool = False
    """More links than a kernel follows: `real` is the path of the first one too many, and leads nowhere."""

    @property
    def folder(self) -> str:
        return os.path.dirname(self.real)

    @property
    def name(self) -> str:
        return os.path.basename(self.real)

    @property
    def is_folder(self) -> bool:
        return self.mode is not None and stat.S_ISDIR(self.mode)

    @property
    def missing(self) -> tuple[str, ...]:
        """The segments below the anchor."""
        return tuple(part for part in self.real[len(self.anchor.path) :].split(os.sep) if part)


class _Step(NamedTuple):
    path: str
    """Without a slash at its end: that of the root is empty."""
    status: os.stat_result | None

    @property
    def is_folder(self) -> bool:
        return self.status is not None and stat.S_ISDIR(self.status.st_mode)


def status_of(path: str) -> os.stat_result | None:
    """What stands there itself, link or not, where it can be looked at."""
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None


Look = Callable[[str], os.stat_result | None]
"""Looks at one place on the way. Whoever follows several paths at one moment need not look at any place twice."""


def resolve(path: str, look: Look = status_of) -> Target:
    """Follows an absolute path, changing nothing. It never fails: what cannot be looked at counts as missing."""
    return _by_system(path) if os.name == "nt" else _own_thread_as_process(_by_steps(path, look), look)


def _by_steps(path: str, look: Look) -> Target:
    # Not os.path.realpath: until Python 3.13 a long chain of links exhausts its stack, and no version limits the work.
    ahead = _segments(path)[::-1]
    steps = [_Step("", look("/"))]
    links = 0
    while ahead:
        name = ahead.pop()
        above = steps[-1]
        if name == "..":
            steps = steps[: max(1, len(steps) - 1)]
            continue
        below = f"{above.path}/{name}"
        step = _Step(below, look(below) if above.is_folder else None)
        body = _link(step)
        if body is None:
            steps.append(step)
            continue
        links += 1
        if links > MOST_LINKS:
            return _target([*steps, step, *_missing(step, ahead)], loops=True)
        steps = steps[:1] if body.startswith("/") else steps
        ahead += _segments(body)[::-1]
    return _target(steps)


def _segments(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def _link(step: _Step) -> str | None:
    if step.status is None or not stat.S_ISLNK(step.status.st_mode):
        return None
    try:
        return os.readlink(step.path)
    except OSError:
        return None


def _missing(step: _Step, ahead: list[str]) -> Iterator[_Step]:
    """The names that were still ahead, as if nothing were there."""
    path = step.path
    for name in reversed(ahead):
        if name != "..":
            path = f"{path}/{name}"
            yield _Step(path, None)


def _target(steps: list[_Step], *, loops: bool = False) -> Target:
    # Below what is no folder nothing was looked at: the folders are those at the beginning.
    depth = len(steps)
    while depth and not steps[depth - 1].is_folder:
        depth -= 1
    blocking = not loops and depth < len(steps) - 1 and steps[depth].status is not None
    last, deepest = steps[-1], steps[depth - 1] if depth else _Step("", None)
    return Target(
        real=last.path or "/",
        anchor=_anchor(deepest.path or "/", deepest.status),
        mode=None if last.status is None else last.status.st_mode,
        cut_by=steps[depth].path if blocking else None,
        loops=loops,
    )


def _anchor(path: str, status: os.stat_result | None) -> Anchor:
    # Nothing is number 0: where the folder cannot be looked at, nothing will be found to be the same one.
    return Anchor(path, status.st_dev, status.st_ino) if status is not None else Anchor(path, 0, 0)


def _own_thread_as_process(target: Target, look: Look) -> Target:
    """A thread has a folder of its own in /proc, in no list: what lies there is this process's all the same."""
    if not target.real.startswith("/proc/"):
        return target
    parts = target.real.split("/")
    number = parts[2]
    if not (number.isascii() and number.isdigit()) or number == str(os.getpid()):
        return target
    if not os.path.lexists(f"/proc/self/task/{number}"):
        return target
    return _by_steps("/".join([f"/proc/{os.getpid()}/task", *parts[2:]]), look)


def _by_system(path: str) -> Target:
    """The same where paths have drives and shares: the system follows the links, the folders are asked one by one."""
    real = os.path.realpath(path)
    status, above = status_of(real), real
    while not os.path.isdir(above) and os.path.dirname(above) != above:
        above = os.path.dirname(above)
    return Target(real, _anchor(above, status_of(above)), None if status is None else status.st_mode)
