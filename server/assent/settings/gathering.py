"""Looks up on the disk what settings speak of: where directories really lead, and which files a definition names."""

import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from assent.model.json import Json
from assent.settings.definitions import definitions_in
from assent.settings.directories import texts_in, writable_texts_in
from assent.settings.facts import Facts, FilesOf
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers
from assent.settings.shell_limits import shell_texts_in

# A hostile workspace can name anything any number of times; what is beyond this permits nothing.
_MOST_NAMES = 256
_MOST_BYTES = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_MOST_REMEMBERED = 4_096
_TICK = 2_000_000_000
# Parts of a command line in which a file can be named: `--require=./x.js`, `sh -c "./run.sh; true"`.
_WORDS = re.compile(r"[^\s\"'=,:;|&()<>`]+")

_Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Path:
    """Where a word of a definition would name a file, spelled as far as that is known without a look."""

    asked: str
    spelled: str
    name: str
    """From the folder on."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A definition, and every file that a word of it may name; None where they are too many."""

    folder: str | None
    digest: str
    paths: tuple[_Path, ...] | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the settings speak of: found once for the same settings, looked up again and again."""

    directories: tuple[tuple[str | None, str], ...]
    definitions: tuple[_Named, ...]


class Gatherer:
    """Looks again at each question; reads a file anew only when it changed."""

    def __init__(self, folders: tuple[Path, ...], home: Path) -> None:
        self._folders = folders
        self._home = home
        self._digests: dict[str, tuple[_Stamp, str]] = {}
        self._led_to: dict[str, tuple[_Stamp, str]] = {}
        """Where a name led when it was this very file."""

    def wanted(self, layers: Layers, *, of_user: bool = False) -> Wanted:
        """What these layers speak of; where the workspace is not trusted, only the user's."""
        layers = Layers(layers.user) if of_user else layers
        texts = ((layer.folder, text) for layer in layers.all for text in _places_in(layer))
        defining = (layer for layer in reversed(layers.all) if not layer.only_restricts)
        named = tuple(one for layer in defining for one in _named_in(layer, self._folder(layer.folder)))
        return Wanted(tuple(dict.fromkeys(texts)), named)

    def facts(self, wanted: Wanted) -> Facts:
        """Where it leads and what it holds now."""
        roots = {folder: os.path.realpath(folder) for folder in self._folders}
        places = {
            (folder, text): real
            for folder, text in wanted.directories
            if (real := _real_directory(text, self._folder(folder), self._home)) is not None
        }
        files: dict[tuple[str | None, str], FilesOf] = {}
        budget = _MOST_BYTES
        for named in wanted.definitions:
            found = self._files_of(named, budget, roots)
            if found is not None:
                files[named.folder, named.digest] = tuple((file, digest) for file, digest, _ in found)
                budget -= sum(size for *_, size in found)
        return Facts(tuple(roots[folder] for folder in self._folders), places, files)

    def _folder(self, name: str | None) -> Path | None:
        if name is not None:
            return Path(name)
        return self._folders[0] if self._folders else None

    def _files_of(self, named: _Named, budget: int, roots: Mapping[Path, str]) -> list[tuple[str, str, int]] | None:
        """Name, digest and size of each file of the folder that is named; None where that is too much."""
        folder = self._folder(named.folder)
        if named.paths is None:
            return None
        if folder is None:
            return []
        root = roots.get(folder) or os.path.realpath(folder)
        sizes = dict(self._regular_files(named.paths, folder, root))
        if sum(info.st_size for _, info in sizes.values()) > budget:
            return None
        return [(name, self._digest(real, info, root), info.st_size) for name, (real, info) in sorted(sizes.items())]

    def _regular_files(
        self, paths: tuple[_Path, ...], folder: Path, root: str
    ) -> Iterator[tuple[str, tuple[str, os.stat_result]]]:
        """The files that a workspace can change: those that stand in it, or that a name in it leads to."""
        roots = {os.path.abspath(folder), root}  # noqa: PTH100
        for path in paths:
            with suppress(OSError, ValueError):
                info = os.stat(path.asked)  # noqa: PTH116 - for every word of every definition, at every look
                if not stat.S_ISREG(info.st_mode):
                    continue
                real = self._real(path.asked, info)
                if any(_lies_in(place, root) for place in (path.spelled, real) for root in roots):
                    yield path.name, (real, info)

    def _real(self, path: str, info: os.stat_result) -> str:
        """Another way to the same file, such as a link that is new, shows in the file's own stamp or in its number."""
        stamp = _stamp(info)
        known = self._led_to.get(path)
        if known is None or known[0] != stamp:
            if len(self._led_to) >= _MOST_REMEMBERED:
                self._led_to.clear()
            known = self._led_to[path] = (stamp, os.path.realpath(path))
        return known[1]

    def _digest(self, real: str, info: os.stat_result, root: str) -> str:
        if not _lies_in(real, root):
            # A link of the workspace to a file elsewhere: that file is not the workspace's to change, nor ours to read.
            return f"outside: {real}"
        stamp = _stamp(info)
        known = self._digests.get(real)
        if known is None or known[0] != stamp or _is_young(info):
            known = self._digests[real] = (stamp, _content_digest(real))
        return known[1]


def _places_in(layer: Layer) -> tuple[str, ...]:
    """All paths that a layer speaks of."""
    return (*(texts_in(layer) or ()), *(writable_texts_in(layer) or ()), *shell_texts_in(layer))


def _named_in(layer: Layer, folder: Path | None) -> Iterator[_Named]:
    left = _MOST_NAMES
    for agent in definitions_in(layer, Findings()):
        names = tuple(_candidates(agent.definition)) if left > 0 else ()
        left -= len(names)
        directory = agent.definition.get("cwd")
        within = directory if isinstance(directory, str) else ""
        paths = tuple(_paths_of(names, folder, within)) if folder is not None else ()
        yield _Named(layer.folder, agent.digest, paths if left > 0 else None)


def _paths_of(names: tuple[str, ...], folder: Path, directory: str) -> Iterator[_Path]:
    for name in names:
        for base in ("", directory) if directory else ("",):
            path = os.path.join(folder, base, name)  # noqa: PTH118
            # Another drive is not below the folder, and some words are no path at all.
            with suppress(OSError, ValueError):
                if not _names_a_share(path):
                    spelled = os.path.abspath(path)  # noqa: PTH100
                    yield _Path(path, spelled, os.path.relpath(spelled, folder))


def _lies_in(path: str, folder: str) -> bool:
    """Whether the path is the folder or below it. Both are absolute and tidy already, as `os.path` gives them."""
    inner, outer = os.path.normcase(path), os.path.normcase(folder)
    return inner == outer or inner.startswith(outer if outer.endswith(os.sep) else outer + os.sep)


def _names_a_share(path: str) -> bool:
    """Only to look at it would call another machine."""
    return sys.platform == "win32" and Path(path).drive.startswith("\\\\")


def _stamp(info: os.stat_result) -> _Stamp:
    return (info.st_dev, info.st_ino, info.st_mtime_ns, info.st_ctime_ns, info.st_size)


def _is_young(info: os.stat_result) -> bool:
    """Two changes may share one tick of the file system: what changed just now is read again."""
    return 0 <= time.time_ns() - info.st_mtime_ns < _TICK


def _candidates(definition: Json) -> Iterator[str]:
    """Every text of a definition, and every part of one, that could be the name of a file; each once."""
    seen: set[str] = set()
    for text in _texts(definition):
        for name in (text, *_WORDS.findall(text)):
            if name not in seen and name.strip("."):
                seen.add(name)
                yield name


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _content_digest(file: str) -> str:
    """The digest of the content; of a file that cannot be read, one that no content has."""
    digest = sha256()
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as stream:
            left = _MOST_BYTES
            while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
                digest.update(chunk)
                left -= len(chunk)
    except OSError:
        return "unreadable"
    return digest.hexdigest()


def _real_directory(text: str, folder: Path | None, home: Path) -> str | None:
    """Where the text leads: from the home directory, from the folder, or absolute."""
    if _names_a_share(text):
        return None
    try:
        if text == "~" or text.startswith(("~/", "~\\")):
            return os.path.realpath(f"{home}{text[1:]}")
        if Path(text).is_absolute():
            return os.path.realpath(text)
        return os.path.realpath(folder / text) if folder is not None and text.strip() else None
    except (OSError, ValueError):
        return None
