"""Permissions that appeared in the user's own settings while an agent was at work: they wait for the user's word."""

from collections.abc import Iterable, Set

from assent.settings.consent import Consent
from assent.settings.loosening import LooseningEntry


class Newcomers:
    """Holds them back, in memory: at the next start, what stands in the user's settings is the user's."""

    def __init__(self) -> None:
        self._waiting: dict[Consent, LooseningEntry] = {}
        self._refused: set[Consent] = set()
        self._clicked: set[Consent] = set()
        self._there: Set[Consent] = frozenset()

    @property
    def waiting(self) -> tuple[LooseningEntry, ...]:
        """Those that nobody has said anything about."""
        return tuple(self._waiting.values())

    @property
    def withheld(self) -> frozenset[Consent]:
        """Those that do not count."""
        return frozenset(self._waiting) | frozenset(self._refused)

    def expect(self, consent: Consent) -> None:
        """The user clicked this, and it is being written into the user's settings: it will appear, and counts."""
        self._clicked.add(consent)
        self._waiting.pop(consent, None)
        self._refused.discard(consent)

    def not_written(self, consent: Consent) -> None:
        """It will not appear after all."""
        self._clicked.discard(consent)

    def take_back(self, consent: Consent) -> None:
        """The user took it back, and it is being taken out of the settings: it counts no more while it still stands."""
        self._waiting.pop(consent, None)
        self._refused.add(consent)
        self._there = self._there | {consent}

    def weigh(self, appeared: Iterable[LooseningEntry], there: Set[Consent]) -> None:
        """Takes in what is new. What stands in the settings no more is forgotten: were it to come again, it is new."""
        gone, self._there = self._there - there, there
        self._waiting = {consent: entry for consent, entry in self._waiting.items() if consent not in gone}
        self._refused -= gone
        for entry in appeared:
            if entry.consent not in self._clicked and entry.consent not in self._refused:
                self._waiting.setdefault(entry.consent, entry)
        # A click is good for one appearance.
        self._clicked -= there

    def answered(self, agreed: Iterable[LooseningEntry], refused: Iterable[LooseningEntry]) -> None:
        """The user's word on some of them."""
        for entry in agreed:
            self._waiting.pop(entry.consent, None)
        for entry in refused:
            if self._waiting.pop(entry.consent, None) is not None:
                self._refused.add(entry.consent)
