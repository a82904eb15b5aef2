"""Protected things that a command has made where nothing was: moved out of the workspace, and never deleted."""
# ruff: noqa: PTH101, PTH103, PTH106, PTH108, PTH118, PTH119, PTH120, PTH123 - names as the system spells them

import json
import logging
import os
import shutil
import stat
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import UTC, datetime

from assent.lazy_dataclasses import dataclass
from assent.runtime.ids import new_id
from assent.sandbox.layout import ways_to

logger = logging.getLogger(__name__)

LIST = "what-was-where.json"
"""Beside what was taken out: the path that each had."""
_MOST_OF_A_NAME = 40


@dataclass(frozen=True, slots=True)
class Appeared:
    """Protected things that are there after a command and were not before."""

    taken: tuple[str, ...] = ()
    """The paths that they had: each is out of the workspace now."""
    left: tuple[str, ...] = ()
    """Still where they were made, because they could not be moved or were only to be told."""
    place: str = ""
    """The folder in which those that were taken out are now; empty where there are none."""

    @property
    def all(self) -> tuple[str, ...]:
        """Every path, in order."""
        return tuple(sorted((*self.taken, *self.left)))


def take_out(paths: Iterable[str], state: str) -> Appeared:
    """Moves each into one new folder below the state directory. Names there are short: a path of any length has room.

    What could not be moved stays, and is told as left.
    """
    found = _outermost(paths)
    if not found:
        return Appeared()
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    place = os.path.join(state, "taken-out", f"{stamp}-{new_id()[:8]}")
    names = {path: f"{number}-{os.path.basename(path)[:_MOST_OF_A_NAME]}" for number, path in enumerate(found, 1)}
    try:
        os.makedirs(place, mode=0o700)
        _listed(names, place)
    except OSError as fault:
        logger.warning("there is no place for what a command has made: %s", type(fault).__name__)
        return Appeared(left=tuple(found))
    gone = {path: _moved(path, os.path.join(place, name)) for path, name in names.items()}
    taken = tuple(path for path in found if gone[path])
    if not taken:
        _not_needed(place)
    return Appeared(taken, tuple(path for path in found if not gone[path]), place if taken else "")


def none_of(keep: Collection[str], paths: Iterable[str]) -> tuple[str, ...]:
    """Without those that are one of these, or hold one of these."""
    real = {os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in keep}
    kept = {*keep, *real}
    return tuple(path for path in paths if not any(one == path or one.startswith(path + "/") for one in kept))


def _listed(names: dict[str, str], place: str) -> None:
    with open(os.path.join(place, LIST), "x", encoding="ascii") as file:
        json.dump({name: path for path, name in names.items()}, file, indent=2)


def _not_needed(place: str) -> None:
    """Nothing is deleted: what was copied, and could not be removed where it was, stays here as well."""
    with suppress(OSError):
        if os.listdir(place) == [LIST]:  # noqa: PTH208 - names, not paths
            os.unlink(os.path.join(place, LIST))
            os.rmdir(place)


def _moved(path: str, target: str) -> bool:
    try:
        if stat.S_ISDIR(os.lstat(path).st_mode):
            # A folder that nobody may write to cannot be moved to another one either.
            with suppress(OSError):
                os.chmod(path, stat.S_IRWXU)
        shutil.move(path, target, copy_function=_copied)
    except (OSError, RecursionError) as fault:
        # Another disk, and no way to copy it there, or a folder that nobody may write to.
        logger.warning("something protected could not be taken out: %s", type(fault).__name__)
    # Whether it is gone counts, and nothing else: a part of it may have been copied.
    return not os.path.lexists(path)


def _copied(source: str, target: str) -> None:
    """To another disk. What is no file has nothing to be kept, and must not keep all else from being taken out."""
    if stat.S_ISREG(os.lstat(source).st_mode):
        shutil.copy2(source, target)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Without what lies in another of them."""
    found = set(paths)
    return sorted(path for path in found if not any(way in found for way in ways_to(path)))
