"""The test files of pytest in parts that can run beside each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_FILES_AT_MOST = 20
HEAVY = frozenset({"agents", "e2e"})
"""Folders whose tests drive programs that each want a core, in as many parts as there are lanes for them."""
_BEFORE_OTHERS = ("faults", "integration", "laws", "contract")
"""Folders whose files take longest: begun early, so that no lane is left with one of them in the end."""


@dataclass(frozen=True)
class Part:
    """Test files that one run of pytest takes."""

    name: str
    folder: str
    files: tuple[Path, ...]

    @property
    def heavy(self) -> bool:
        return self.folder in HEAVY


def files(tests: Path) -> list[Path]:
    """Every test file under the folder."""
    return sorted({*tests.rglob("test_*.py"), *tests.rglob("*_test.py")})


def parts(tests: Path, chosen: Iterable[Path], heavy_lanes: int) -> list[Part]:
    """The chosen files of those under the folder, each in exactly one part; those of heavy folders come last.

    A folder of many files is dealt out, so that slow neighbours do not stay together.
    """
    folders: dict[str, list[Path]] = {}
    for file in chosen:
        inside = file.relative_to(tests).parts
        folders.setdefault(inside[0] if len(inside) > 1 else "", []).append(file)
    dealt = [part for folder, files in folders.items() for part in _dealt(tests.name, folder, files, heavy_lanes)]
    return sorted(dealt, key=_turn)


def _dealt(tests: str, folder: str, files: Sequence[Path], heavy_lanes: int) -> list[Part]:
    name = f"{tests}/{folder}".rstrip("/")
    count = min(heavy_lanes, len(files)) if folder in HEAVY else -(-len(files) // _FILES_AT_MOST)
    names = [f"{name} {number} of {count}" for number in range(1, count + 1)] if count > 1 else [name]
    return [Part(each, folder, tuple(files[number::count])) for number, each in enumerate(names)]


def _turn(part: Part) -> tuple[bool, int]:
    early = part.folder in _BEFORE_OTHERS
    return part.heavy, _BEFORE_OTHERS.index(part.folder) if early else len(_BEFORE_OTHERS)
