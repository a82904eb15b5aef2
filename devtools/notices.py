"""The notices about what is shipped of others: made from what the bundles and wheels really hold, with whole licences.

`python -m devtools.notices` says whether the notices name exactly what is shipped.
"""

import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path, PurePosixPath

from devtools import client, wheelhouse
from devtools.console import Trouble, say, step
from devtools.places import CLIENT, ROOT, shown

NOTICES = ROOT / "THIRD-PARTY-NOTICES.md"
PERMITTED = frozenset({"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "PSF-2.0"})
"""Licences that let a program be shipped with what they are about, if it is told."""

_LICENCE_FILE = re.compile(r"(?:licen[cs]es?|copying|notices?|third-?party-?\w*)(?:[.-][\w.-]*)?", re.IGNORECASE)
_HEADING = re.compile(r"^### (\S+) (\S+)$", re.MULTILINE)
_OLD_NAMES = {"MIT License": "MIT", "Apache 2.0": "Apache-2.0", "BSD License": "BSD-3-Clause"}
_AGAIN = "Run `python3 dev.py notices`, read what it changed, and commit it."


@dataclass(frozen=True, order=True)
class Package:
    """Something of others, with the licence that it names and the texts of it."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]

    def fault(self) -> str | None:
        """Why it may not be shipped like this, or None."""
        if not any(text.strip() for text in self.texts):
            return f"{self.name} {self.version} has no text of its licence ({self.licence or 'none is named'})"
        unknown = [word for word in re.split(r"[\s()]+", self.licence) if word not in PERMITTED | {"AND", "OR", ""}]
        if unknown or not self.licence:
            named = self.licence or "none"
            return f"{self.name} {self.version} has a licence that nobody has permitted here: {named}"
        return None


def bundled() -> list[Package]:
    """What is in the extension's bundles."""
    client.build()
    folders = json.loads((CLIENT / "dist" / ".bundled.json").read_text(encoding="utf-8"))
    return sorted(of_node(CLIENT / folder) for folder in folders)


def of_node(folder: Path) -> Package:
    """An npm package as it is installed."""
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    files = sorted(file for file in folder.iterdir() if file.is_file() and _LICENCE_FILE.fullmatch(file.name))
    texts = tuple(file.read_text(encoding="utf-8") for file in files)
    return Package(described["name"], described["version"], str(described.get("license", "")), texts)


def of_wheel(wheel: Path) -> Package:
    """A Python package as it is packed."""
    with zipfile.ZipFile(wheel) as packed:
        # Some wheels hold entries for their folders, too.
        names = [PurePosixPath(name) for name in packed.namelist() if not name.endswith("/")]
        about = next(name for name in names if name.name == "METADATA" and name.parent.name.endswith(".dist-info"))
        headers = Parser().parsestr(packed.read(str(about)).decode())
        told = {PurePosixPath(name) for name in headers.get_all("License-File", [])}
        files = [name for name in names if about.parent in name.parents and _is_licence(name, about.parent, told)]
        texts = tuple(packed.read(str(name)).decode() for name in sorted(files))
    licence = headers["License-Expression"] or headers["License"] or ""
    if not licence or "\n" in licence:
        classifiers = [one.rpartition(" :: ")[2] for one in headers.get_all("Classifier", []) if "License ::" in one]
        licence = " AND ".join(classifiers)
    return Package(headers["Name"], headers["Version"], _OLD_NAMES.get(licence, licence), texts)


def _is_licence(name: PurePosixPath, info: PurePosixPath, told: set[PurePosixPath]) -> bool:
    inside = name.relative_to(info)
    named = inside in told or (inside.parts[0] == "licenses" and PurePosixPath(*inside.parts[1:]) in told)
    return named or _LICENCE_FILE.fullmatch(inside.name) is not None


def packed(wheels: Iterable[Path]) -> list[Package]:
    """What is in these wheels, each package once: those for several Pythons and machines have one licence."""
    found: dict[tuple[str, str], Package] = {}
    for package in (of_wheel(wheel) for wheel in wheels if not wheel.name.startswith("assent-")):
        found.setdefault((package.name.lower(), package.version), package)
    return sorted(found.values(), key=lambda package: package.name.lower())


def text_about(bundles: Iterable[Package], wheels: Iterable[Package]) -> str:
    """The notices. A Trouble where something may not be shipped."""
    parts = (("In the extension and its page", list(bundles)), ("In the server\u2019s environment", list(wheels)))
    faults = [fault for _, packages in parts for package in packages if (fault := package.fault())]
    if faults:
        raise Trouble("\n".join((*faults, "Leave it out, or read its licence and permit that in devtools/notices.py.")))
    return "\n".join((_BEGINNING, *(line for title, packages in parts for line in _part(title, packages))))


def _part(title: str, packages: list[Package]) -> Iterator[str]:
    yield f"## {title}\n"
    for package in packages:
        yield f"### {package.name} {package.version}\n\nLicense: {package.licence}\n"
        for text in package.texts:
            lines = (line.rstrip() for line in text.replace("\f", "").strip("\n").splitlines())
            yield "\n".join(("````text", *lines, "````\n"))


_BEGINNING = """# Third-party notices

Assent is under the license in `LICENSE`. The packed extension also holds the following packages of others, unchanged or
in part; each is under its own license. This file is made by `python3 dev.py notices` from what is packed.
"""


def write() -> None:
    """Writes the notices anew."""
    with step(f"Writing {shown(NOTICES)}"):
        text = text_about(bundled(), packed(wheelhouse.download_for_linux()))
        NOTICES.write_text(text, encoding="utf-8")


def require_current(wheels: Iterable[Path]) -> None:
    """A Trouble where the notices do not say what is shipped now, word by word."""
    if not NOTICES.exists() or NOTICES.read_text(encoding="utf-8") != text_about(bundled(), packed(wheels)):
        raise Trouble(f"{shown(NOTICES)} is not about what is packed now. {_AGAIN}")


def unlike(text: str, shipped: Iterable[tuple[str, str]]) -> list[str]:
    """In which packages and versions the notices differ from what is shipped."""
    told, there = {_named(*found) for found in _HEADING.findall(text)}, {_named(*one) for one in shipped}
    missing = [f"{name} {version} is shipped and not in there" for name, version in sorted(there - told)]
    return missing + [f"{name} {version} is in there and not shipped" for name, version in sorted(told - there)]


def _named(name: str, version: str) -> tuple[str, str]:
    return re.sub(r"[-_.]+", "-", name.lower()), version


def main() -> int:
    """Says what is stale, from the lock and the bundles alone: nothing is downloaded for it."""
    shipped = [(package.name, package.version) for package in wheelhouse.locked_packages()]
    shipped += [(package.name, package.version) for package in bundled()]
    faults = unlike(NOTICES.read_text(encoding="utf-8") if NOTICES.exists() else "", shipped)
    for line in faults:
        say(line)
    if faults:
        say(f"{shown(NOTICES)} is stale. {_AGAIN}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
