"""Collections of documents. One in the workspace's folders is harmless; what lies elsewhere needs the user's word.

The word is about the place and about which files of it, as they are written: other globs are another collection.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath

from assent.lazy_dataclasses import dataclass
from assent.model.collections import DOCUMENTS, Collection
from assent.model.json import Json
from assent.policy.protected import is_secret
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.judging import check_item
from assent.settings.layers import Kind, Layer, Layers, Scope
from assent.settings.loosening import COLLECTIONS as KEY
from assent.settings.loosening import At, LooseningEntry, collection_entry
from assent.settings.scales import Scales, Standing

# Each is looked up on the disk for every question, and walked through for every query.
_MOST = 32
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class _Said:
    """What one layer says of one collection, well enough to be one."""

    name: str
    path: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    description: str


def collections_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> tuple[Collection, ...]:
    """Those that count, by name; a workspace's stands in the place of the user's."""
    counting: dict[str, Collection] = {}
    for layer in reversed(layers.all):
        if layer.only_restricts:
            continue
        for said in _said_in(layer, found):
            real = facts.directories.get((layer.folder, said.path))
            if real is None:
                found.add("This is no directory that could be told: it does not count.", layer, KEY, said.name, "path")
                continue
            if is_secret(real):
                found.add(
                    "What lies there looks like secrets: nothing of it is indexed.", layer, KEY, said.name, "path"
                )
                continue
            wanted = Collection(said.name, (real,), said.include, said.exclude, said.description)
            known = _is_known(wanted, counting.get(said.name)) or not _is_apart(real, facts)
            if known or scales.standing(layer, _entry(layer, said, real)) is Standing.COUNTS:
                counting[said.name] = wanted
    return tuple(counting.values())


def collection_texts_in(layer: Layer) -> tuple[str, ...]:
    """The paths that a layer names, to be looked up on the disk."""
    return tuple(said.path for said in _said_in(layer, Findings()))


def loosening_collections_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[LooseningEntry]:
    """What in this layer a user would have to agree to: the places outside the workspace's folders."""
    for said in _said_in(layer, found):
        real = facts.directories.get((layer.folder, said.path))
        if real is not None and _is_apart(real, facts):
            yield _entry(layer, said, real)


def _is_known(wanted: Collection, known: Collection | None) -> bool:
    """Whether it is what counts already, whatever is said about it."""
    return known is not None and replace(wanted, description=known.description) == known


def _is_apart(real: str, facts: Facts) -> bool:
    return not any(PurePath(real).is_relative_to(root) for root in facts.roots)


def _entry(layer: Layer, said: _Said, real: str) -> LooseningEntry:
    return collection_entry(At(layer, KEY, (said.name,)), said.name, real, (said.include, said.exclude))


def _said_in(layer: Layer, found: Findings) -> Iterator[_Said]:
    entries = layer.get(KEY)
    if entries is None:
        return
    if not isinstance(entries, Mapping):
        found.wrong(layer, "an object that maps a name to a collection; until it is, there are none", KEY)
        return
    for number, (name, value) in enumerate(entries.items()):
        if number == _MOST and layer.scope is not Scope.USER:
            found.add(f"Only {_MOST} collections are looked at; the others do not count.", layer, KEY)
            return
        if not name.strip() or len(name) > _LONGEST_NAME:
            words = f"A collection's name has 1 to {_LONGEST_NAME} characters: this one does not count."
            found.add(words, layer, KEY, name, kind=Kind.WRONG_VALUE)
        elif isinstance(value, Mapping) and check_item(KEY, dict(value)) is None:
            yield _Said(name, *_parts(value))
        else:
            found.wrong(layer, f"{check_item(KEY, 0)}; it does not count", KEY, name)


def _parts(value: Mapping[str, Json]) -> tuple[str, tuple[str, ...], tuple[str, ...], str]:
    include = _texts(value.get("include")) or DOCUMENTS
    return str(value["path"]), include, _texts(value.get("exclude")), str(value.get("description") or "")


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
