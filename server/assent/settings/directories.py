"""The directories beside the workspace's folders that count as part of it."""

from collections.abc import Iterator
from pathlib import PurePath

from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import DIRECTORIES, At, LooseningEntry, directory_entry
from assent.settings.scales import Scales, Standing

# Each is looked up on the disk for every question.
_MOST = 32


def texts_in(layer: Layer) -> tuple[str, ...] | None:
    """The directories as one layer spells them; None where they are no list of texts."""
    value = layer.get(DIRECTORIES)
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(text for text in value if isinstance(text, str))[:_MOST]
    return None


def directories_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> tuple[str, ...]:
    """The user's directories, and those of the workspace to which the user agreed, by their real paths."""
    counting: dict[str, None] = {}
    for layer in reversed(layers.all):
        for real, entry in directories_in(layer, facts, found):
            covered = any(PurePath(real).is_relative_to(known) for known in (*facts.roots, *counting))
            if not covered and scales.standing(layer, entry) is Standing.COUNTS:
                counting[real] = None
    return tuple(counting)


def directories_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[tuple[str, LooseningEntry]]:
    """What a layer takes into the workspace, by its real path."""
    texts = texts_in(layer)
    if texts is None:
        found.wrong(layer, "a list of directories; until it is, it adds none", DIRECTORIES)
        return
    if layer.fault is not None:
        return
    for index, text in enumerate(texts):
        real = facts.directories.get((layer.folder, text))
        if real is None:
            found.add("This is no directory that could be told: it does not count.", layer, DIRECTORIES, index)
        else:
            yield real, directory_entry(At(layer, DIRECTORIES, (index,)), real)
    value = layer.get(DIRECTORIES)
    if isinstance(value, list) and len(value) > _MOST:
        found.add(f"Only {_MOST} directories can be added; the others do not count.", layer, DIRECTORIES)
