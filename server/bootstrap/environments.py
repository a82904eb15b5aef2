"""Environments on the disk: which Python one belongs to, whether it is whole, and what may be cleared away."""

import hashlib
import json
import os
import shutil
import sys
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MARKER = "assent-environment.json"
UNUSED_AFTER_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True)
class Environment:
    """One environment's folder, made or still to be made, for the packages with this digest."""

    folder: Path
    packed: str

    @staticmethod
    def of_this_python(target: Path, packed: str) -> "Environment":
        """Every set of packages and every Python has a folder of its own: nothing in use is ever replaced."""
        return Environment(target / f"{packed[:12]}-{_this_python()}", packed)

    def aside(self) -> "Environment":
        """The same one, where it is made before it is moved into its place."""
        return Environment(self.folder.with_name(f".making-{self.folder.name}-{os.getpid()}"), self.packed)

    @property
    def python(self) -> Path:
        return self.folder / "Scripts" / "python.exe" if os.name == "nt" else self.folder / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        if os.name == "nt":
            return self.folder / "Lib" / "site-packages"
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.folder / "lib" / version / "site-packages"

    def is_whole(self) -> bool:
        """Whether it was completed, and no file of it was lost, added or cut since."""
        try:
            marker = json.loads((self.folder / MARKER).read_text(encoding="ascii"))
            if marker != self._marker() or not os.access(self.python, os.X_OK):
                return False
            os.utime(self.folder / MARKER)  # it is in use: see clear_away_unused
        except (OSError, ValueError):
            return False
        return True

    def mark_whole(self) -> None:
        (self.folder / MARKER).write_text(json.dumps(self._marker()), encoding="ascii")

    def move_to(self, place: "Environment") -> None:
        """The rename is the moment from which the environment exists."""
        if place.folder.exists():
            broken = place.folder.with_name(f".broken-{place.folder.name}-{os.getpid()}")
            place.folder.rename(broken)
            self.folder.rename(place.folder)
            shutil.rmtree(broken, ignore_errors=True)
        else:
            self.folder.rename(place.folder)

    def _marker(self) -> dict[str, str]:
        census = "".join(sorted(_names_and_sizes(str(self.site_packages), "")))
        return {"packed": self.packed, "files": hashlib.sha256(census.encode("utf-8", "replace")).hexdigest()}


def clear_away_leftovers(target: Path) -> None:
    """What a killed maker left; called with the lock held, so none of it is being worked on."""
    for leftover in (*target.glob(".making-*"), *target.glob(".broken-*")):
        shutil.rmtree(leftover, ignore_errors=True)


def clear_away_unused(target: Path, in_use: Environment) -> None:
    """Environments of earlier versions, once no window has started one for long."""
    for marker in target.glob(f"*/{MARKER}"):
        old = time.time() - marker.stat().st_mtime > UNUSED_AFTER_SECONDS
        if old and marker.parent != in_use.folder:
            shutil.rmtree(marker.parent, ignore_errors=True)


def _this_python() -> str:
    base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    identity = f"{base}|{sysconfig.get_config_var('SOABI')}"
    return f"py{sys.version_info.major}{sys.version_info.minor}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}"


def _names_and_sizes(folder: str, prefix: str) -> Iterator[str]:
    """Of all files but the compiled ones, which may come and go."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _names_and_sizes(entry.path, f"{prefix}{entry.name}/")
            else:
                yield f"{prefix}{entry.name}:{entry.stat().st_size}\n"
