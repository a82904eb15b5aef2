"""Directories beside the workspace's folders: those that count as part of it, and those that a sandbox leaves open."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import DIRECTORIES, At, LooseningEntry, directory_entry, writable_entry
from assent.settings.scales import Scales, Standing

SANDBOX = "sandbox"
WRITABLE = "writable"

# Each is looked up on the disk for every question.
_MOST = 32


@dataclass(frozen=True, slots=True)
class _List:
    """Where a list of directories stands, and what it is to agree to one of them."""

    setting: str
    path: tuple[str, ...]
    entry: Callable[[At, str], LooseningEntry]

    def value(self, layer: Layer) -> Json:
        value = layer.get(self.setting)
        for name in self.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value

    def texts(self, layer: Layer) -> tuple[str, ...] | None:
        value = self.value(layer)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return tuple(text for text in value if isinstance(text, str))[:_MOST]
        return None

    def counting(self, layers: Layers, facts: Facts, scales: Scales, found: Findings) -> tuple[str, ...]:
        counting: dict[str, None] = {}
        for layer in reversed(layers.all):
            for real, entry in self.entries(layer, facts, found):
                covered = any(PurePath(real).is_relative_to(known) for known in (*facts.roots, *counting))
                if not covered and scales.standing(layer, entry) is Standing.COUNTS:
                    counting[real] = None
        return tuple(counting)

    def entries(self, layer: Layer, facts: Facts, found: Findings) -> Iterator[tuple[str, LooseningEntry]]:
        texts = self.texts(layer)
        if texts is None:
            found.wrong(layer, "a list of directories; until it is, it adds none", self.setting, *self.path)
            return
        if layer.fault is not None:
            return
        for index, text in enumerate(texts):
            real = facts.directories.get((layer.folder, text))
            place: tuple[str | int, ...] = (*self.path, index)
            if real is None:
                found.add("This is no directory that could be told: it does not count.", layer, self.setting, *place)
            else:
                yield real, self.entry(At(layer, self.setting, place), real)
        value = self.value(layer)
        if isinstance(value, list) and len(value) > _MOST:
            words = f"Only {_MOST} directories can be added; the others do not count."
            found.add(words, layer, self.setting, *self.path)


_ADDITIONAL = _List(DIRECTORIES, (), directory_entry)
_WRITABLE = _List(SANDBOX, (WRITABLE,), writable_entry)


def texts_in(layer: Layer) -> tuple[str, ...] | None:
    """What one layer takes into the workspace, as it spells it; None where that is no list of texts."""
    return _ADDITIONAL.texts(layer)


def writable_texts_in(layer: Layer) -> tuple[str, ...] | None:
    """The same of what it leaves open to commands in a sandbox."""
    return _WRITABLE.texts(layer)


def directories_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> tuple[str, ...]:
    """The user's directories, and those of the workspace to which the user agreed, by their real paths."""
    return _ADDITIONAL.counting(layers, facts, scales, found)


def writable_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> tuple[str, ...]:
    """The same of those that commands in a sandbox may change."""
    return _WRITABLE.counting(layers, facts, scales, found)


def directories_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[tuple[str, LooseningEntry]]:
    """What a layer takes into the workspace, by its real path."""
    return _ADDITIONAL.entries(layer, facts, found)


def writable_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[tuple[str, LooseningEntry]]:
    """What a layer leaves open to commands in a sandbox, by its real path."""
    return _WRITABLE.entries(layer, facts, found)
