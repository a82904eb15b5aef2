"""The packed extension: one .vsix that brings its own server, and makes the server's environment by itself."""

import json
import re
import shutil
from pathlib import Path

from devtools import client, node_packages, notices, python_packages, wheelhouse
from devtools.console import Trouble, say, step
from devtools.places import BOOTSTRAP, CACHE, CLIENT, DIST, ROOT, shown
from devtools.processes import Command, quietly
from devtools.stamps import Stamp, one_at_a_time

_FROM_CLIENT = ("package.json", "dist", "media", "l10n", "walkthrough", "package.nls.json")
_FROM_ROOT = ("README.md", "LICENSE", "CHANGELOG.md", notices.NOTICES.name)
_PLAIN = ("--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links")
_SIZE_GOAL = 15
_PICTURE = re.compile(r"<img\b[^>]*>[ \n]*")


def package_for_linux() -> Path:
    """The .vsix for Linux x64, which needs no network at its first activation."""
    with one_at_a_time("package"):
        _prepare()
        downloaded = wheelhouse.download_for_linux()
        notices.require_current(downloaded)
        wheels = [wheelhouse.build_own_wheel(), *downloaded]
        return _package("linux-x64", wheels, ("--target", "linux-x64"))


def package_universal() -> Path:
    """The .vsix for every machine: pip fetches the compiled packages, of the locked versions and hashes."""
    with one_at_a_time("package"):
        _prepare()
        downloaded = wheelhouse.download_for_linux()
        notices.require_current(downloaded)
        wheels = [wheelhouse.build_own_wheel(), *wheelhouse.pure(downloaded)]
        return _package("universal", wheels, ())


def _prepare() -> None:
    python_packages.ensure()
    client.build()


def _package(kind: str, wheels: list[Path], options: tuple[str, ...]) -> Path:
    vsix = DIST / f"assent-{_version()}-{kind}.vsix"
    staged = _stage(kind, wheels)
    stamp = Stamp(DIST / f".{kind}-packed-from", [staged])
    if not (stamp.fresh and vsix.exists()):
        DIST.mkdir(exist_ok=True)
        with step(f"Packing {shown(vsix)}"):
            vsce = node_packages.client_program("@vscode/vsce/vsce")
            pack: Command = ("package", *_PLAIN, *options, "--out", vsix)
            quietly([*vsce, *pack], cwd=staged, env=node_packages.node_environment(node_packages.node_folder()))
        stamp.set()
    _tell_size(vsix)
    return vsix


def _stage(kind: str, wheels: list[Path]) -> Path:
    """A folder with exactly what is shipped, so that nothing else can slip in."""
    folder = CACHE / "extension" / kind
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source in (*(CLIENT / name for name in _FROM_CLIENT), *(ROOT / name for name in _FROM_ROOT)):
        if source.is_dir():
            shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns(".*", "*.map", "playground"))
        elif source.exists():
            shutil.copyfile(source, folder / source.name)
    (folder / "server").mkdir()
    for source in sorted(BOOTSTRAP.glob("*.py")):
        shutil.copyfile(source, folder / "server" / source.name)
    wheelhouse.stage(wheels, folder / "server" / "wheels")
    _make_manifest_shippable(folder / "package.json")
    _leave_out_pictures(folder / "README.md")
    return folder


def _leave_out_pictures(page: Path) -> None:
    """Where the editor shows the page of an extension, it reaches none of the files beside it."""
    page.write_text(_PICTURE.sub("", page.read_text(encoding="utf-8")), encoding="utf-8")


def _make_manifest_shippable(manifest: Path) -> None:
    """The packed extension has no packages to install and no scripts to run."""
    described = json.loads(manifest.read_text(encoding="utf-8"))
    for only_for_development in ("scripts", "devDependencies", "dependencies", "private"):
        described.pop(only_for_development, None)
    for needed in ("main", "engines", "publisher"):
        if needed not in described:
            raise Trouble(f"{shown(CLIENT / 'package.json')} lacks {needed!r}, without which there is no extension.")
    manifest.write_text(json.dumps(described, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _version() -> str:
    version: str = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))["version"]
    return version


def _tell_size(vsix: Path) -> None:
    size = vsix.stat().st_size / 1_000_000
    over = f", more than the goal of {_SIZE_GOAL}" if size > _SIZE_GOAL else ""
    say(f"{shown(vsix)}: {size:.1f} MB{over}")
