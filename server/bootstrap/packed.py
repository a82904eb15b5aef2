"""What came with the extension: which wheels, for which machines, and how they are unpacked safely."""

import hashlib
import json
import os
import shutil
import struct
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

FORMAT = 1
REINSTALL = "The extension is damaged. Uninstall it and install it again."


class Problem(Exception):
    """Why there is no environment, and what the user can do."""

    def __init__(self, error: str, hint: str) -> None:
        super().__init__(error)
        self.hint = hint


@dataclass(frozen=True)
class Package:
    """A package of the environment. Without `hashes` it may come from the extension only, never from a registry."""

    name: str
    version: str
    hashes: tuple[str, ...]


@dataclass(frozen=True)
class Wheel:
    """One wheel that came with the extension, and the machines that it fits."""

    file: Path
    sha256: str
    name: str
    version: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Manifest:
    """What the environment consists of; `digest` names it, so that a new set gets a new environment."""

    digest: str
    proof: str
    packages: tuple[Package, ...]
    wheels: tuple[Wheel, ...]

    @staticmethod
    def read(folder: Path) -> "Manifest":
        try:
            text = (folder / "manifest.json").read_bytes()
            found = json.loads(text)
            if found["format"] != FORMAT:
                raise Problem(f"{folder} was packed in a form that this program does not know.", REINSTALL)
            packages = tuple(Package(p["name"], p["version"], tuple(p.get("hashes", ()))) for p in found["packages"])
            wheels = tuple(Manifest._wheel(folder, entry) for entry in found["wheels"])
            return Manifest(hashlib.sha256(text).hexdigest(), found["proof"], packages, wheels)
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise Problem(f"The list of the extension's Python packages cannot be read: {fault}", REINSTALL) from fault

    @staticmethod
    def _wheel(folder: Path, entry: dict[str, Any]) -> Wheel:
        if PurePosixPath(entry["file"]).name != entry["file"] or "\\" in entry["file"]:
            raise Problem(f"The extension names a package file outside its own folder: {entry['file']}", REINSTALL)
        return Wheel(folder / entry["file"], entry["sha256"], entry["name"], entry["version"], tuple(entry["tags"]))


def choose(manifest: Manifest) -> tuple[list[Wheel], list[Package]]:
    """The wheels that fit this Python on this machine, and the packages that have none."""
    chosen: list[Wheel] = []
    missing: list[Package] = []
    for package in manifest.packages:
        of_it = [w for w in manifest.wheels if (w.name, w.version) == (package.name, package.version)]
        fitting = next((wheel for wheel in of_it if any(fits(tag) for tag in wheel.tags)), None)
        if fitting is not None:
            chosen.append(fitting)
        elif package.hashes:
            missing.append(package)
        else:
            raise Problem(f"The extension does not bring {package.name} for this machine.", REINSTALL)
    return chosen, missing


def fits(tag: str) -> bool:
    """Whether a wheel with this tag runs here."""
    python, abi, platform = tag.split("-")
    return _fits_platform(platform) and _fits_interpreter(python, abi)


def _fits_interpreter(python: str, abi: str) -> bool:
    major, minor = sys.version_info[:2]
    if abi == "none" and python in {f"py{major}", f"py{major}{minor}"}:
        return True
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if abi == "abi3":
        return python.startswith(f"cp{major}") and python[3:].isdigit() and int(python[3:]) <= minor
    return python == f"cp{major}{minor}" and abi in {python, "none"}


_OLD_NAMES = {"manylinux1": "manylinux_2_5", "manylinux2010": "manylinux_2_12", "manylinux2014": "manylinux_2_17"}


def _fits_platform(platform: str) -> bool:
    if platform == "any":
        return True
    if sys.platform != "linux" or struct.calcsize("P") != 8:
        return False
    for old, new in _OLD_NAMES.items():
        platform = platform.replace(f"{old}_", f"{new}_")
    parts = platform.split("_", 3)
    glibc = _glibc()
    if parts[0] != "manylinux" or len(parts) != 4 or glibc is None:
        return False
    return parts[3] == os.uname().machine and (int(parts[1]), int(parts[2])) <= glibc


def _glibc() -> tuple[int, int] | None:
    """The version of the C library, or None where it is another one than glibc."""
    try:
        said = os.confstr("CS_GNU_LIBC_VERSION") or ""
        major, minor = said.removeprefix("glibc ").split(".")[:2]
        return int(major), int(minor)
    except (ValueError, OSError, AttributeError):
        return None


def unpack(wheel: Wheel, site: Path) -> None:
    """Puts the wheel's files into site-packages, if it is byte for byte the one that was packed."""
    from zipfile import BadZipFile, ZipFile

    try:
        content = wheel.file.read_bytes()
        if hashlib.sha256(content).hexdigest() != wheel.sha256:
            raise Problem(f"{wheel.file.name} is not the file that was packed with the extension.", REINSTALL)
        with ZipFile(wheel.file) as archive:
            for entry in archive.infolist():
                place = _place_of(entry.filename, entry.external_attr >> 16, wheel)
                if place is None or entry.is_dir():
                    continue
                (site / place).parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as source, (site / place).open("wb") as copy:
                    shutil.copyfileobj(source, copy)
    except FileNotFoundError as fault:
        raise Problem(f"{wheel.file.name} is missing from the extension.", REINSTALL) from fault
    except BadZipFile as fault:
        raise Problem(f"{wheel.file.name} is no wheel: {fault}", REINSTALL) from fault


_SYMLINK = 0o120000


def _place_of(name: str, mode: int, wheel: Wheel) -> PurePosixPath | None:
    """Where under site-packages an entry goes; None for what an environment without scripts has no use for."""
    path = PurePosixPath(name)
    odd = "\\" in name or ":" in name or "\0" in name or path.is_absolute() or ".." in path.parts
    if odd or not path.parts or mode & 0o170000 == _SYMLINK:
        raise Problem(f"{wheel.file.name} holds an entry that would land elsewhere: {name!r}", REINSTALL)
    if not path.parts[0].endswith(".data"):
        return path
    if len(path.parts) > 2 and path.parts[1] in {"purelib", "platlib"}:
        return PurePosixPath(*path.parts[2:])
    return None
