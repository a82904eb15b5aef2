"""A process of its own that swaps what a path leads to, as fast as it can, until it is stopped.

    python swapper.py PAIRS...      each pair: NAME=OTHER, two paths in one folder that change places
    python swapper.py --fresh NAME=KIND=SOURCE    makes NAME anew each time, in turn as a file and as KIND of SOURCE

With nothing but the standard library, because it starts often.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path


def exchange(one: Path, other: Path) -> None:
    """Each goes where the other was: at any moment a path leads to one of them, or nowhere."""
    aside = one.with_name(f"{one.name}.aside")
    one.rename(aside)
    other.rename(one)
    one.rename(other)
    aside.rename(one)


def replace_with(kind: str, name: Path, source: Path) -> None:
    """A plain file of our own, and then something else in its place, each put there in one step."""
    beside = name.with_name(f"{name.name}.beside")
    makers: dict[str, Callable[[], object]] = {
        "link": lambda: beside.symlink_to(source),
        "hard": lambda: beside.hardlink_to(source),
        "pipe": lambda: os.mkfifo(beside),
        "folder": lambda: (name.unlink(), beside.mkdir()),
    }
    makers[kind]()
    beside.replace(name)
    if kind == "folder":
        name.rmdir()
    beside.write_bytes(b"mine")
    beside.replace(name)


def step(argument: str) -> None:
    """One swap."""
    parts = argument.split("=")
    if len(parts) == 2:
        exchange(Path(parts[0]), Path(parts[1]))
    else:
        replace_with(parts[1], Path(parts[0]), Path(parts[2]))


def main() -> None:
    """Swaps until standard input ends, and then says how often it did."""
    os.set_blocking(0, False)
    print("ready", flush=True)
    for number in count(1):
        for argument in sys.argv[1:]:
            with suppress(OSError):
                step(argument)
        if number % 64 == 0 and _told_to_stop():
            print(number, flush=True)
            return


def _told_to_stop() -> bool:
    try:
        return os.read(0, 1) == b""
    except BlockingIOError:
        return False


if __name__ == "__main__":
    main()
