"""Which of the entries that would loosen something count, and which wait for the user's word."""

from collections.abc import Callable
from enum import Enum

from assent.settings.consent import ConsentLookup, never_asked
from assent.settings.findings import Findings
from assent.settings.layers import Kind, Layer, Layers
from assent.settings.loosening import LooseningEntry

Consents = Callable[[str | None], ConsentLookup | None]
"""The user's answers for a folder (None stands for the workspace's first); None where none can be kept."""

# A person answers a few at a time.
_MOST_WAITING = 50


def nobody_answered(_: str | None) -> ConsentLookup | None:
    """The consents where there is no ledger."""
    return never_asked


class Standing(Enum):
    """What becomes of an entry: it counts, it waits for an answer, or it does not count."""

    COUNTS = "counts"
    WAITS = "waits"
    IGNORED = "ignored"


class Scales:
    """Weighs entries one after the other and keeps those that wait."""

    def __init__(
        self,
        layers: Layers,
        consents: Consents,
        found: Findings,
        *,
        trusted: bool,
        in_doubt: bool,
        withheld: ConsentLookup | None,
    ) -> None:
        self._user = layers.user
        self._answers = {layer.folder: consents(layer.folder) for layer in layers.of_workspace}
        self._found = found
        self._withheld = withheld
        self._trusted = trusted
        readable = all(layer.fault is None for layer in layers.all)
        self._clear = layers.loaded and readable and not in_doubt
        self._said: set[str] = set()
        self._waiting: dict[tuple[object, ...], LooseningEntry] = {}
        self._answered: dict[tuple[object, ...], LooseningEntry] = {}

    @property
    def waiting(self) -> tuple[LooseningEntry, ...]:
        """The entries that wait for an answer, in the order in which they were met."""
        return tuple(self._waiting.values())

    @property
    def answered(self) -> tuple[LooseningEntry, ...]:
        """The entries of workspaces on which the user has given an answer, whatever it was."""
        return tuple(self._answered.values())

    def standing(self, layer: Layer, entry: LooseningEntry, *, asks: bool = True) -> Standing:
        """What becomes of this entry. With `asks` false it never waits: something else stands in its way."""
        if layer is self._user:
            held = self._withheld is not None and self._withheld(entry.consent) is True
            return Standing.IGNORED if held else Standing.COUNTS
        if layer.only_restricts or not self._clear:
            return Standing.IGNORED
        if not self._trusted:
            self._say_once("This workspace is not trusted: what its settings permit does not count.", entry)
            return Standing.IGNORED
        answer = self._answer(layer, entry)
        if answer is None and asks:
            self._wait(entry)
            return Standing.WAITS
        if answer is not None:
            self._answered.setdefault((entry.folder, entry.consent), entry)
        return Standing.COUNTS if answer else Standing.IGNORED

    def _answer(self, layer: Layer, entry: LooseningEntry) -> bool | None:
        lookup = self._answers[layer.folder]
        if lookup is None:
            self._say_once("No folder is open for which you could agree to settings: they permit nothing.", entry)
            return False
        return lookup(entry.consent)

    def _say_once(self, sentence: str, entry: LooseningEntry) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._found.add_at(sentence, entry.origin)

    def _wait(self, entry: LooseningEntry) -> None:
        if len(self._waiting) < _MOST_WAITING:
            self._waiting.setdefault((entry.folder, entry.consent), entry)
            words = f"{entry.words} This has no effect until you agree to it."
            self._found.add_at(words, entry.origin, Kind.AWAITING)
