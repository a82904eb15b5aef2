"""Finding the few rules whose words a part can have, however many rules there are for its program."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from assent.policy.rules.commands.words import PatternWord

T = TypeVar("T")

DEPTH = 4
"""So many words of a permission are looked up; the others are compared."""


def literal_words(words: Iterable[PatternWord], most: int) -> tuple[str, ...]:
    """The first words, up to one that stands for others."""
    found: list[str] = []
    for word in words:
        if word.wild or word.tilde or len(found) == most:
            break
        found.append(word.text)
    return tuple(found)


class ByBeginning(Generic[T]):
    """Values by the words that must come first."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], list[T]] = {}

    def add(self, words: tuple[str, ...], value: T) -> None:
        self._found.setdefault(words, []).append(value)

    def starting(self, ways: Iterable[Sequence[str]]) -> Iterator[T]:
        """All whose words are the beginning of one of these ways."""
        if not self._found:
            return
        for beginning in dict.fromkeys(tuple(way[:count]) for way in ways for count in range(DEPTH + 1)):
            yield from self._found.get(beginning, ())


class BySome(Generic[T]):
    """Values by one or two words that must be somewhere."""

    def __init__(self) -> None:
        self._found: dict[str | None, dict[str | None, list[T]]] = {}

    def add(self, words: tuple[str, ...], value: T) -> None:
        first, second, *_ = (*words, None, None)
        self._found.setdefault(first, {}).setdefault(second, []).append(value)

    def all(self) -> Iterator[T]:
        """Every value."""
        for below in self._found.values():
            for values in below.values():
                yield from values

    def among(self, words: Iterable[str]) -> Iterator[T]:
        """All whose words are among these."""
        names = (None, *dict.fromkeys(words))
        for first in names:
            below = self._found.get(first)
            if below is not None:
                for second in names:
                    yield from below.get(second, ())
