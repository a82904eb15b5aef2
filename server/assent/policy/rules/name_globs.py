"""Many patterns of one name, and which of them match a name.

`NameGlobs` compares a name with all of its patterns at once: each token has its own bit of one number, so that every
character of the name is looked at once, however many patterns there are and however many stars they have.

`NameIndex` is for so many patterns that even this would take long. Whatever a pattern matches holds the letters that
the pattern says in a row; some of them are the key under which it is found. A pattern whose letters do not occur in a
name is not looked at.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from assent.policy.rules.segment import CharacterClass, Pieces, Token, Tokens, Wild, pieces_of
from assent.policy.rules.spelling import Segment, Spelling

T = TypeVar("T")
Character = tuple[str, str]
"""As it is written in a name, and as letters of a pattern are compared with it."""
_NOT_ZERO = re.compile(rb"[^\0]")

FEW_CLASSES = 8
KEPT_CHARACTERS = 256
"""With more classes than a few, what they say of so many characters is kept."""
KEY_LENGTHS = (6, 4, 2, 1)
"""Of what a pattern says in a row, as much as there is becomes a key. Each length costs a look at all of a name."""
KEPT_NAME = 80
EDGE = "/"
"""Stands before the first and after the last character of a name, which cannot hold it itself."""


class NameGlobs(Generic[T]):
    """Patterns with a value each, made ready when they are first compared with a name."""

    __slots__ = (
        "_any",
        "_caseless",
        "_end_bits",
        "_ends",
        "_few",
        "_kept",
        "_letters",
        "_loops",
        "_many",
        "_starts",
        "_todo",
    )

    def __init__(self, *, caseless: bool) -> None:
        self._caseless = caseless
        self._todo: list[tuple[Pieces, T]] | None = []
        self._starts = self._loops = self._any = self._end_bits = 0
        self._letters: dict[str, int] = {}
        self._few: list[tuple[CharacterClass, int]] = []
        # Not as numbers: many patterns with many classes would take the square of the memory.
        self._many: dict[CharacterClass, list[int]] = {}
        self._kept: dict[Character, int] = {}
        self._ends: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._ends) if self._todo is None else len(self._todo)

    def add(self, pieces: Pieces, value: T) -> None:
        """Takes up a pattern, its letters already in the spelling that names are compared in."""
        if self._todo is None:
            raise AssertionError("a pattern comes before the first comparison")
        self._todo.append((pieces, value))

    def matching(self, name: Segment) -> Iterator[T]:
        """The values of the patterns that mean this name."""
        if self._todo is not None:
            self._make_ready(self._todo)
            self._todo = None
        state = self._starts
        for character in zip(name.text, name.key, strict=True):
            accepted = self._letters.get(character[1], 0) | self._any
            for one, bits in self._few:
                if state & bits and self._accepts(one, character):
                    accepted |= bits
            if self._many:
                accepted |= self._of_many(character)
            state = ((state & accepted) << 1) | (state & self._loops)
            if not state:
                return
        yield from self._at(state & self._end_bits)

    def _at(self, bits: int) -> Iterator[T]:
        """The values of the patterns that end at these bits."""
        if not bits:
            return
        for found in _NOT_ZERO.finditer(bits.to_bytes((bits.bit_length() + 7) // 8, "little")):
            first, byte = 8 * found.start(), found[0][0]
            yield from (self._ends[first + bit] for bit in range(8) if byte >> bit & 1)

    def _of_many(self, character: Character) -> int:
        """The bits whose class accepts the character; finding them takes long, so they are kept."""
        known = self._kept.get(character)
        if known is None:
            accepting = (bits for one, bits in self._many.items() if self._accepts(one, character))
            known = _number([bit for bits in accepting for bit in bits])
            if len(self._kept) >= KEPT_CHARACTERS:
                self._kept.clear()
            self._kept[character] = known
        return known

    def _accepts(self, one: CharacterClass, character: Character) -> bool:
        # “All but a” leaves out A as well where case does not count; it still means the A that it means by itself.
        text, key = character
        return one.accepts(text) or (self._caseless and one.accepts(text, key, key.upper(), key.lower()))

    def _make_ready(self, patterns: list[tuple[Pieces, T]]) -> None:
        """A star lets the bit of its position stay; every other token moves it on by one."""
        starts: list[int] = []
        places: dict[str | Token, list[int]] = {}
        at = 0
        for pieces, value in patterns:
            starts.append(at)
            for piece in pieces:
                for token in piece if isinstance(piece, str) else (piece,):
                    places.setdefault(token, []).append(at)
                    at += token is not Wild.MANY
            self._ends[at] = value
            at += 1
        self._starts, self._end_bits = _number(starts), _number(list(self._ends))
        self._loops, self._any = _number(places.get(Wild.MANY, [])), _number(places.get(Wild.ONE, []))
        self._letters = {one: _number(bits) for one, bits in places.items() if isinstance(one, str)}
        classes = {one: bits for one, bits in places.items() if isinstance(one, CharacterClass)}
        if len(classes) > FEW_CLASSES:
            self._many = classes
        else:
            self._few = [(one, _number(bits)) for one, bits in classes.items()]


class NameIndex(Generic[T]):
    """Patterns with a value each, in one spelling."""

    __slots__ = ("_by_key", "_others", "_spelling")

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._by_key: dict[str, NameGlobs[T]] = {}
        self._others: NameGlobs[T] = NameGlobs(caseless=spelling.caseless)
        """Those that say no letter."""

    def add(self, tokens: Tokens, value: T) -> None:
        """Takes up a pattern, under that of its keys which leads to the fewest others."""
        pieces = pieces_of(tokens, self._spelling)
        self._least_crowded(pieces).add(pieces, value)

    def _least_crowded(self, pieces: Pieces) -> NameGlobs[T]:
        best, fewest = None, 0
        for key in keys_of(pieces):
            known = self._by_key.get(key)
            if known is None:
                made = self._by_key[key] = NameGlobs(caseless=self._spelling.caseless)
                return made
            if best is None or len(known) < fewest:
                best, fewest = known, len(known)
        return self._others if best is None else best

    def matching(self, name: Segment) -> Iterator[T]:
        """The values of the patterns that mean this name."""
        if len(self._others):
            yield from self._others.matching(name)
        for key in self._by_key.keys() & keys_in(name.key):
            yield from self._by_key[key].matching(name)


def keys_of(pieces: Pieces) -> Iterator[str]:
    """Texts each of which occurs in every name that these match, with edges where the name begins and ends."""
    last = len(pieces) - 1
    runs = [(at, run) for at, run in enumerate(pieces) if isinstance(run, str) and run]
    texts = [EDGE * (at == 0) + run + EDGE * (at == last) for at, run in runs]
    for text in sorted(texts, key=len, reverse=True):
        length = next(length for length in KEY_LENGTHS if length <= len(text))
        for start in range(len(text) - length + 1):
            yield text[start : start + length]


def keys_in(name: str) -> frozenset[str]:
    """Every key under which a pattern may stand that means this name."""
    # The names along a path come again and again: for the next effect, and in the next call.
    return _kept_keys_in(name) if len(name) <= KEPT_NAME else _keys_in(name)


def _keys_in(name: str) -> frozenset[str]:
    text = f"{EDGE}{name}{EDGE}"
    return frozenset(text[at : at + length] for length in KEY_LENGTHS for at in range(len(text) - length + 1))


_kept_keys_in = lru_cache(maxsize=512)(_keys_in)


def _number(bits: list[int]) -> int:
    """The number in which these bits are set."""
    if not bits:
        return 0
    found = bytearray(max(bits) // 8 + 1)
    for bit in bits:
        found[bit // 8] |= 1 << bit % 8
    return int.from_bytes(found, "little")
