"""Looks up on the disk what settings speak of: where directories really lead, and which files a definition names."""

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.model.json import JsonObject
from assent.settings.collections import collection_texts_in
from assent.settings.definitions import definitions_in
from assent.settings.directories import texts_in, writable_texts_in
from assent.settings.facts import Facts, FilesOf
from assent.settings.file_content import MOST_BYTES
from assent.settings.findings import Findings
from assent.settings.hooks import hook_commands_in
from assent.settings.layers import Layer, Layers
from assent.settings.mcp_servers import servers_in
from assent.settings.named_files import NamedFiles
from assent.settings.named_paths import NamedPath, names_a_share, paths_of, says_too_much, words_of
from assent.settings.shell_limits import shell_texts_in

# A hostile workspace can name anything any number of times; what is beyond this permits nothing.
_MOST_NAMES = 256
_MOST_PATHS = 1_024


@dataclass(frozen=True, slots=True)
class _Named:
    """A definition, and every file that a word of it may name; None where they are too many."""

    folder: str | None
    digest: str
    paths: tuple[NamedPath, ...] | None


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
        self._files = NamedFiles()

    def wanted(self, layers: Layers, *, of_user: bool = False) -> Wanted:
        """What these layers speak of; where the workspace is not trusted, only the user's."""
        layers = Layers(layers.user) if of_user else layers
        texts = ((layer.folder, text) for layer in layers.all for text in _places_in(layer))
        defining = (layer for layer in reversed(layers.all) if not layer.only_restricts)
        named = tuple(one for layer in defining for one in self._named_in(layer))
        return Wanted(tuple(dict.fromkeys(texts)), named)

    def facts(self, wanted: Wanted) -> Facts:
        """Where it leads and what it holds now."""
        return self.with_files(wanted, self.places(wanted))

    def places(self, wanted: Wanted) -> Facts:
        """Where directories lead now; nothing of the files that definitions name."""
        roots = tuple(os.path.realpath(folder) for folder in self._folders)
        places = {
            (folder, text): real
            for folder, text in wanted.directories
            if (real := _real_directory(text, self._folder(folder), self._home)) is not None
        }
        return Facts(roots, places)

    def with_files(self, wanted: Wanted, places: Facts) -> Facts:
        """The same with what the files hold now that definitions name."""
        roots = dict(zip(self._folders, places.roots, strict=True))
        files: dict[tuple[str | None, str], FilesOf] = {}
        budget = MOST_BYTES
        for named in wanted.definitions:
            folder = self._folder(named.folder)
            if named.paths is None:
                continue
            found = self._files.found(named.paths, folder, roots, budget) if folder is not None else ((), 0)
            if found is not None:
                files[named.folder, named.digest] = found[0]
                budget -= found[1]
        return replace(places, files=files)

    def _folder(self, name: str | None) -> Path | None:
        if name is not None:
            return Path(name)
        return self._folders[0] if self._folders else None

    def _named_in(self, layer: Layer) -> Iterator[_Named]:
        folder = self._folder(layer.folder)
        # Whichever folder a definition is from: its program is started in the first.
        folders = tuple(dict.fromkeys((folder, *self._folders[:1]))) if folder is not None else ()
        names, places = _MOST_NAMES, _MOST_PATHS
        for definition, digest in _definitions_in(layer):
            reads = min(names, places) > 0 and not says_too_much(definition)
            words = tuple(islice(words_of(definition), names)) if reads else ()
            names -= len(words)
            fits = reads and names > 0 and folder is not None
            paths = tuple(islice(paths_of(definition, words, folders, self._home), places)) if fits else ()
            places -= len(paths)
            yield _Named(layer.folder, digest, paths if reads and min(names, places) > 0 else None)


def _definitions_in(layer: Layer) -> Iterator[tuple[JsonObject, str]]:
    """What programs the layer defines, and reaches, each with its digest."""
    for agent in definitions_in(layer, Findings()):
        yield agent.definition, agent.digest
    for server in servers_in(layer, Findings()):
        yield server.definition, server.digest
    yield from hook_commands_in(layer)


def _places_in(layer: Layer) -> tuple[str, ...]:
    """All paths that a layer speaks of."""
    return (
        *(texts_in(layer) or ()),
        *(writable_texts_in(layer) or ()),
        *shell_texts_in(layer),
        *collection_texts_in(layer),
    )


def _real_directory(text: str, folder: Path | None, home: Path) -> str | None:
    """Where the text leads: from the home directory, from the folder, or absolute."""
    if names_a_share(text):
        return None
    try:
        if text == "~" or text.startswith(("~/", "~\\")):
            return os.path.realpath(f"{home}{text[1:]}")
        if Path(text).is_absolute():
            return os.path.realpath(text)
        return os.path.realpath(folder / text) if folder is not None and text.strip() else None
    except (OSError, ValueError):
        return None
