"""Work that is done once for its inputs: a stamp beside the result says which inputs it was made from."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.places import CACHE, ROOT

if os.name == "posix":
    import fcntl


@contextmanager
def one_at_a_time(work: str) -> Iterator[None]:
    """Waits until no other process of this checkout is at this work: two parts of the tests may want it at once."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{work}.lock").open("a") as lock:
        if os.name == "posix":
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Stamp:
    """Says whether a result is still the one its inputs would give. It lies inside the result, and goes with it."""

    def __init__(self, file: Path, inputs: Iterable[Path], *facts: str) -> None:
        self._file = file
        self._digest = digest_of(inputs, *facts)

    @property
    def fresh(self) -> bool:
        return self._file.is_file() and self._file.read_text(encoding="ascii") == self._digest

    def set(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(self._digest, encoding="ascii")


def digest_of(inputs: Iterable[Path], *facts: str) -> str:
    """One hash over the facts and the names and contents of all files, folders with everything in them."""
    total = hashlib.sha256("\0".join(facts).encode())
    for file in sorted(_files(inputs)):
        total.update(f"\0{file.relative_to(ROOT).as_posix()}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _files(inputs: Iterable[Path]) -> Iterable[Path]:
    for path in inputs:
        if path.is_dir():
            yield from (file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
        elif path.exists():
            yield path
