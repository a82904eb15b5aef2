"""The wheels that an installed extension makes its environment from, and the manifest that binds them."""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from devtools.console import Trouble, step
from devtools.places import CACHE, ROOT, SERVER, SHIPPED_LOCK, SHIPPED_PYTHONS, VENV_PYTHON
from devtools.processes import quietly
from devtools.stamps import Stamp

_LINUX = ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux1_x86_64")
_EVERYWHERE = " ; sys_platform != 'emscripten'"
"""Said of packages that a browser without a system has no use for: every system that is shipped to has."""
_NOWHERE = re.compile(r" ; (?:[a-z_]+ [<>=!]+ '[\d.]+' and )?sys_platform == 'emscripten'\s+--hash")
_OWN_FILES = ("pyproject.toml", "README.md", "LICENSE", "THIRD-PARTY-NOTICES.md")
_PROOF = "import assent.cli.serve, attrs, cattrs, charset_normalizer, lsprotocol.types, pydantic, pygls.lsp.server"


@dataclass(frozen=True)
class Locked:
    """A package in the version, and with the hashes, that the lock names."""

    name: str
    version: str
    hashes: tuple[str, ...]


def locked_packages() -> list[Locked]:
    """The lock, read strictly: a line of a kind that is not known here is a fault, not a guess."""
    text = SHIPPED_LOCK.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [locked for line in lines if (locked := _locked(line.replace(_EVERYWHERE, ""))) is not None]


def _locked(line: str) -> Locked | None:
    """What the line names, or None where it is for a platform that nothing is shipped to."""
    if _NOWHERE.search(line):
        return None
    found = re.fullmatch(r"([A-Za-z0-9._-]+)==([^\s;]+)((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*", line)
    if found is None:
        raise Trouble(f"{SHIPPED_LOCK.name} has a line that packaging does not know how to ship: {line[:80]}")
    name, version, hashes = found.groups()
    return Locked(name, version, tuple(re.findall(r"sha256:([0-9a-f]{64})", hashes)))


def build_own_wheel() -> Path:
    """The wheel of the server itself, made anew only when its sources changed."""
    folder = CACHE / "own-wheel"
    stamp = Stamp(folder / ".built-from", [SERVER / "assent", *(ROOT / name for name in _OWN_FILES)])
    if not stamp.fresh:
        shutil.rmtree(folder, ignore_errors=True)
        with step("Building the server's wheel"):
            quietly([VENV_PYTHON, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT])
        stamp.set()
    return next(folder.glob("assent-*.whl"))


def download_for_linux() -> list[Path]:
    """The locked packages as wheels for every Python that is shipped for, checked against the lock's hashes."""
    folder = CACHE / "linux-wheels"
    stamp = Stamp(folder / ".downloaded-from", [SHIPPED_LOCK], *_LINUX, *SHIPPED_PYTHONS)
    if not stamp.fresh:
        shutil.rmtree(folder, ignore_errors=True)
        with step(f"Downloading the server's wheels for Python {SHIPPED_PYTHONS[0]} to {SHIPPED_PYTHONS[-1]}"):
            for version in SHIPPED_PYTHONS:
                quietly(_download(folder, version))
        stamp.set()
    return sorted(folder.glob("*.whl"))


def _download(folder: Path, version: str) -> list[str | Path]:
    platforms = [word for platform in _LINUX for word in ("--platform", platform)]
    python = ["--implementation", "cp", "--python-version", version, "--abi", f"cp{version.replace('.', '')}"]
    only = ["--abi", "abi3", "--abi", "none", "--only-binary=:all:", "--no-deps", "--require-hashes"]
    pip: list[str | Path] = [
        VENV_PYTHON,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    ]
    return [*pip, *platforms, *python, *only, "-r", SHIPPED_LOCK, "--dest", folder]


def pure(wheels: list[Path]) -> list[Path]:
    return [wheel for wheel in wheels if wheel.name.endswith("-none-any.whl")]


def stage(wheels: list[Path], target: Path) -> None:
    """Puts wheels into a folder together with the manifest that says what they are and what they must hash to."""
    target.mkdir(parents=True)
    for wheel in wheels:
        shutil.copyfile(wheel, target / wheel.name)
    manifest = {
        "format": 1,
        "proof": _PROOF,
        "packages": [*_registry_packages(), {"name": "assent", "version": _version_of(wheels, "assent")}],
        "wheels": [_entry(wheel) for wheel in sorted(wheels)],
    }
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _registry_packages() -> Iterator[dict[str, object]]:
    for package in locked_packages():
        yield {"name": package.name, "version": package.version, "hashes": sorted(package.hashes)}


def _entry(wheel: Path) -> dict[str, object]:
    name, version, *_, pythons, abis, platforms = wheel.stem.split("-")
    tags = [f"{p}-{a}-{m}" for p in pythons.split(".") for a in abis.split(".") for m in platforms.split(".")]
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return {
        "file": wheel.name,
        "sha256": digest,
        "name": name.lower().replace("_", "-"),
        "version": version,
        "tags": tags,
    }


def _version_of(wheels: list[Path], name: str) -> str:
    return next(wheel.stem.split("-")[1] for wheel in wheels if wheel.name.startswith(f"{name}-"))
