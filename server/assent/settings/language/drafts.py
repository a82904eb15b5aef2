"""A settings file as it stands in an editor, saved or not: what would be wrong with it, were it saved like this.

It is looked at in the place of what the settings of its scope are now, as if the user had agreed to all of it. Nothing
is decided by a draft.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.model.json import JsonObject
from assent.settings.consent import Consent, ConsentLookup
from assent.settings.effective import Effective, effective
from assent.settings.faults import JsonFault
from assent.settings.gathering import Gatherer
from assent.settings.inspection import Entry, entries_of, inspect
from assent.settings.jsonc import Document, Place, parse
from assent.settings.language.overlaps import ToolKinds, overlaps
from assent.settings.language.places import SettingsPlace
from assent.settings.layers import Diagnostic, Kind, Layer, Layers, Origin, Scope
from assent.settings.repeated import NOTHING_SAID, Said, said_in

MOST_CHARACTERS = 500_000
MOST_RULES = 2_000
_MOST_COMPARED = 500
_TOO_LARGE = (
    "This file is too large to be looked at while it is edited: more than {}. All that it says about Assent counts all"
    " the same."
)
_IN_WORKSPACE_FILE = "settings"


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of one settings file."""

    place: SettingsPlace
    text: str

    @property
    def too_large(self) -> str | None:
        """Why it is not looked at at all."""
        return _TOO_LARGE.format(f"{MOST_CHARACTERS:,} characters") if len(self.text) > MOST_CHARACTERS else None

    def parsed(self) -> Document:
        """The text with its settings as the root. Raises JsonFault."""
        document = parse(self.text)
        root = document.root
        if root is not None and root.members is None:
            raise JsonFault(
                "the file should hold { } and holds something else", *document.place(root.start), root.start
            )
        if not self.place.in_workspace_file:
            return document
        settings = document.find(_IN_WORKSPACE_FILE)
        return replace(document, root=settings if settings is not None and settings.members is not None else None)

    def readable(self) -> Document | None:
        """The same; None where it cannot be read, as while it is typed."""
        try:
            return self.parsed() if self.too_large is None else None
        except JsonFault:
            return None


@dataclass(frozen=True, slots=True)
class Around:
    """What else is known when a draft is looked at."""

    layers: Layers
    folders: tuple[Path, ...]
    home: Path
    trusted: bool | None
    builtin: Mapping[str, JsonObject]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in a draft."""

    diagnostics: tuple[Diagnostic, ...]
    layer: Layer | None = None
    """What it says; None where it cannot be read, or is too large."""
    effective: Effective | None = None
    """What all settings would come to."""


def look_at(draft: Draft, around: Around, tools: Collection[str], kinds: ToolKinds) -> Looked:
    """Takes some milliseconds, and reads which files definitions name: to be done in a thread."""
    if draft.too_large is not None:
        return Looked((_about_all(draft, draft.too_large),))
    try:
        document = draft.parsed()
    except JsonFault as fault:
        return Looked((_broken(draft, fault),))
    own, unclear = _layers_of(draft, document)
    entries = list(islice(entries_of(own), MOST_RULES + 1))
    if len(entries) > MOST_RULES:
        return Looked((_about_all(draft, _TOO_LARGE.format(f"{MOST_RULES:,} rules")),))
    layers = _with(around, draft, own, unclear)
    gatherer = Gatherer(around.folders, around.home)
    facts = gatherer.facts(gatherer.wanted(layers, of_user=around.trusted is False))
    now = effective(
        layers,
        consents=_agreed_to_all,
        workspace_trusted=around.trusted,
        builtin_agents=around.builtin,
        facts=facts,
    )
    looked_at = [layer for layer in (own, unclear) if layer is not None]
    remarks = inspect(layers, tools=tools, agents=tuple(now.agents_if_agreed), of=looked_at)
    found = (*now.diagnostics, *remarks, *_overlaps(layers, entries, own, kinds, facts.roots, around.home))
    return Looked(_of(draft.place.name, found), own, now)


def _overlaps(
    layers: Layers, entries: list[Entry], own: Layer, kinds: ToolKinds, roots: tuple[str, ...], home: Path
) -> tuple[Diagnostic, ...]:
    others = [entry for layer in layers.all if layer is not own for entry in islice(entries_of(layer), _MOST_COMPARED)]
    if len(entries) + len(others) > _MOST_COMPARED:
        return ()
    return overlaps([*others, *entries], (own,), kinds, roots, str(home)).diagnostics


def _of(name: str, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What stands in this file. Of one stretch of text, one thing of a kind is said: the first."""
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for one in found:
        if one.origin is not None and one.origin.file == name:
            where = one.origin.where
            kept.setdefault((one.kind, one.origin.line, where.start if where else one.text), one)
    return tuple(kept.values())


def _agreed_to_all(_: str | None) -> ConsentLookup:
    return _yes


def _yes(_: Consent) -> bool:
    return True


def _layers_of(draft: Draft, document: Document) -> tuple[Layer, Layer | None]:
    said = said_in(document) if document.root is not None else NOTHING_SAID
    own = Layer(draft.place.scope, said.values, draft.place.name, document, said=said, folder=draft.place.folder)
    if not said.unclear:
        return own, None
    apart = Said(said.unclear)
    return own, replace(own, values=apart.values, said=apart)


def _with(around: Around, draft: Draft, own: Layer, unclear: Layer | None) -> Layers:
    """The settings with the draft in its place, and nothing of what the same file said before."""
    layers = around.layers
    if draft.place.scope is Scope.USER:
        # Of two readings of one setting the stricter one counts, which is the layer itself.
        return replace(layers, user=own, loaded=True)
    if draft.place.folder is not None:
        others = tuple(layer for layer in layers.others if layer.folder != draft.place.folder)
        return replace(layers, others=(*others, own, *((unclear,) if unclear else ())))
    if draft.place.scope is Scope.FOLDER:
        return replace(layers, folder=own, disk=None, unclear=unclear)
    if draft.place.in_workspace_file:
        others = tuple(layer for layer in layers.others if layer.file != draft.place.name)
        return replace(layers, workspace=own, others=others, unclear=unclear or layers.unclear)
    return replace(layers, workspace=own, folder=Layer(Scope.FOLDER), disk=None, unclear=unclear)


def _broken(draft: Draft, fault: JsonFault) -> Diagnostic:
    text = draft.text
    offset = fault.offset or 0
    start = max(min(offset, len(text) - 1), 0)
    place = Place(Document(text, None), start, min(start + 1, len(text)))
    words = f"These settings cannot be read: {fault}. Saved like this, they would permit nothing."
    return Diagnostic(words, Origin(draft.place.scope, draft.place.name, fault.line, place), Kind.UNREADABLE)


def _about_all(draft: Draft, text: str) -> Diagnostic:
    return Diagnostic(text, Origin(draft.place.scope, draft.place.name, 1), Kind.TOO_LARGE)
