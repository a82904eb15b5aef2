"""A wheelhouse of tiny, real wheels, and the program under test run on it as the extension runs it."""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from devtools.places import BOOTSTRAP

PROGRAM = BOOTSTRAP / "make_environment.py"
HERE = f"cp{sys.version_info.major}{sys.version_info.minor}"


def write_wheel(folder: Path, name: str, files: dict[str, str] | None = None, tag: str = "py3-none-any") -> Path:
    """A wheel with one module of the package's name, or with exactly these entries."""
    wheel = folder / f"{name}-1.0-{tag}.whl"
    info = f"{name}-1.0.dist-info"
    entries = files or {f"{name}/__init__.py": f"NAME = {name!r}\n"}
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in entries.items():
            archive.writestr(path, text)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n")
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@dataclass
class Wheelhouse:
    """What comes with an extension: wheels and the manifest that binds them."""

    folder: Path
    proof: str = "import assent, other"
    wheels: list[dict[str, object]] = field(default_factory=list)
    packages: dict[str, list[str]] = field(default_factory=dict)

    def bring(self, name: str, files: dict[str, str] | None = None, tag: str = "py3-none-any") -> Path:
        self.folder.mkdir(exist_ok=True)
        wheel = write_wheel(self.folder, name, files, tag)
        entry = {"file": wheel.name, "sha256": sha256(wheel), "name": name, "version": "1.0", "tags": [tag]}
        self.wheels.append(entry)
        self.packages.setdefault(name, [])
        self.write()
        return wheel

    def from_registry(self, name: str, *hashes: str) -> None:
        self.packages[name] = list(hashes)
        self.write()

    def write(self) -> None:
        packages = [{"name": name, "version": "1.0", "hashes": hashes} for name, hashes in self.packages.items()]
        manifest = {"format": 1, "proof": self.proof, "packages": packages, "wheels": self.wheels}
        (self.folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


@dataclass(frozen=True)
class Said:
    """What the program printed, line by line, and how it ended."""

    lines: list[dict[str, object]]
    code: int
    stderr: str

    @property
    def python(self) -> Path:
        assert self.code == 0, (self.lines, self.stderr)
        assert self.lines[-1]["done"] is True
        return Path(str(self.lines[-1]["python"]))

    @property
    def steps(self) -> list[object]:
        return [line["step"] for line in self.lines if "step" in line]

    @property
    def error(self) -> str:
        assert self.code == 1, (self.lines, self.stderr)
        assert self.stderr == ""
        assert self.lines[-1]["hint"]
        return f"{self.lines[-1]['error']} {self.lines[-1]['hint']}"


def start(wheels: Path, target: Path, python: str = sys.executable, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [python, str(PROGRAM), "--wheels", str(wheels), "--target", str(target)],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> Said:
    stdout, stderr = process.communicate()
    return Said([json.loads(line) for line in stdout.splitlines()], process.returncode, stderr)


def make(wheels: Path, target: Path, python: str = sys.executable, **environment: str) -> Said:
    return finish(start(wheels, target, python, **environment))


def rubble(target: Path) -> list[str]:
    """Everything in the target but whole environments and the lock."""
    if not target.exists():
        return []
    whole = {marker.parent.name for marker in target.glob("*/assent-environment.json")}
    return sorted(entry.name for entry in target.iterdir() if entry.name not in {*whole, ".lock"})
