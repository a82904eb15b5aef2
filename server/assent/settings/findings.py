"""Collects what is wrong with settings while they are put together: each thing once, and not without end."""

from itertools import islice

from assent.settings.jsonc import Document
from assent.settings.layers import Diagnostic, Kind, Layer, Layers, Origin
from assent.settings.likeness import meant
from assent.settings.repetitions import repetitions

# A hostile file can hold tens of thousands of wrong entries; nobody reads more than a few.
MAX_DIAGNOSTICS = 50
# They are looked for first, and must leave room.
_MAX_REPETITIONS = 20


class Findings:
    """The diagnostics so far, in the order in which they were found."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], Diagnostic] = {}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._found.values())

    @property
    def full(self) -> bool:
        """Whether nothing more is taken: then nothing more needs to be looked for."""
        return len(self._found) >= MAX_DIAGNOSTICS

    def add(self, text: str, layer: Layer, key: str, *path: str | int, kind: Kind = Kind.NO_EFFECT) -> None:
        """Something to say about the value that stands here."""
        # Places are looked up for those that will be shown only.
        if not self.full:
            self.add_at(text, layer.origin(key, *path), kind)

    def add_at(
        self,
        text: str,
        origin: Origin,
        kind: Kind = Kind.NO_EFFECT,
        *,
        instead: str | None = None,
        beside: Origin | None = None,
    ) -> None:
        # The editor's block of a scope and the server's own reading may hold the same place of the same file.
        place = (origin.where.start if origin.where else None, origin.line)
        same = (text, origin.file, place) if origin.line else (text, origin)
        if not self.full:
            self._found.setdefault(same, Diagnostic(text, origin, kind, instead, beside))

    def wrong(self, layer: Layer, expected: str, key: str, *path: str | int, like: str | None = None) -> None:
        """A value that is not what its setting takes, and the one that was probably meant."""
        named = ".".join((f"assent.{key}", *(str(step) for step in path)))
        self.misnamed(f"{named} should be {expected}.", layer, key, *path, like=like)

    def misnamed(self, text: str, layer: Layer, key: str, *path: str | int, like: str | None) -> None:
        """A value with which its setting does nothing, most often a name that nobody has."""
        if not self.full:
            self.add_at(text + meant(like), layer.origin(key, *path), Kind.WRONG_VALUE, instead=like)

    def report_unreadable(self, layers: Layers) -> None:
        """The texts that cannot be read, and those that can be read in more than one way."""
        seen: list[Document] = []
        for layer in layers.all:
            if layer.fault is not None:
                counts = (
                    "What they last restricted still counts, what they permit does not."
                    if layer.restricts_as_last_read
                    else "What they restrict is not known, so until they can be read nothing that is stored in any"
                    " settings permits anything: no rule, no bypass, and no mode looser than “ask”."
                )
                self.add(
                    f"These settings cannot be read: {layer.fault}. {counts}",
                    layer,
                    "",
                    kind=Kind.UNREADABLE,
                )
            if layer.document is not None and not any(layer.document is known for known in seen):
                seen.append(layer.document)
                self._report_repetitions(layer, layer.document)

    def _report_repetitions(self, layer: Layer, document: Document) -> None:
        for name, member in islice(repetitions(document), _MAX_REPETITIONS):
            text = f"{name} stands here more than once. The stricter reading counts; keep one of them."
            self.add_at(text, layer.at(member.start, member.key_end), Kind.REPEATED)
