"""Masking of a text."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from assent.masking.commands import in_commands
from assent.masking.known import known_values
from assent.masking.marks import Span, mark, replace
from assent.masking.pairs import HINTS, pairs
from assent.masking.pem import private_keys
from assent.masking.shape import Shape
from assent.masking.shapes import SHAPES

_ROUNDS = 6
"""What stood in the shadow of one secret is found in the next round. A text that needs more than these was made to."""
_SHORT = 48
_AROUND = 65_536
"""Characters around a part: the longest key."""
UNREADABLE = "text of secrets"


def mask_text(text: str, known: frozenset[str] = frozenset()) -> tuple[str, int]:
    """The text with every secret masked, and how many there were."""
    # The same names and words come again with every entry.
    return _masked_before(text, known) if len(text) <= _SHORT else _masked(text, known)


def mask_tokens(text: str, known: frozenset[str] = frozenset()) -> tuple[str, int]:
    """Only what says by its own looks what it is: private keys, tokens of known services, and known values. Every line
    keeps its place. What merely stands under a name such as `password` stays: in code that is seldom a secret."""
    return _masked(text, known, keep_lines=True, certain=True)


def masked_part(text: str, start: int, end: int) -> tuple[str, int]:
    """A part of a text with marks for its private keys and tokens, and how many reach into it; those that begin before
    it are known by what stands around it."""
    first, last = max(0, start - _AROUND), end + _AROUND
    spans = [*_certain(text[first:last], frozenset())]
    if not spans:
        return text[start:end], 0
    inside = [
        Span(max(one.start + first, start) - start, min(one.end + first, end) - start, one.kind)
        for one in spans
        if one.start + first < end and one.end + first > start
    ]
    return replace(text[start:end], inside, keep_lines=True)


def mask_lines(text: str, known: frozenset[str] = frozenset()) -> tuple[str, int]:
    """The same, with every line in the place that it had: for who must say where something stands."""
    return _masked(text, known, keep_lines=True)


@lru_cache(maxsize=2048)
def _masked_before(text: str, known: frozenset[str]) -> tuple[str, int]:
    return _masked(text, known)


def _masked(text: str, known: frozenset[str], *, keep_lines: bool = False, certain: bool = False) -> tuple[str, int]:
    total = 0
    for _ in range(_ROUNDS):
        spans = [*(_certain if certain else _spans)(text, known)]
        if not spans:
            return text, total
        text, count = replace(text, spans, keep_lines=keep_lines)
        if not count:
            return text, total
        total += count
    return mark(UNREADABLE, len(text)) + ("\n" * text.count("\n") if keep_lines else ""), total + 1


def _certain(text: str, known: frozenset[str]) -> Iterator[Span]:
    yield from known_values(text, known)
    yield from private_keys(text)
    for shape in _possible(text):
        yield from shape.spans(text)


def _spans(text: str, known: frozenset[str]) -> Iterator[Span]:
    yield from _certain(text, known)
    low = text.lower()
    if any(hint in low for hint in HINTS):
        yield from pairs(text)
    yield from in_commands(text)


def _possible(text: str) -> Iterable[Shape]:
    """The shapes that this text can hold: nearly always none, and finding that out must be cheap."""
    return dict.fromkeys(shape for hint, shapes in _BY_HINT.items() if hint in text for shape in shapes)


def _by_hint() -> dict[str, tuple[Shape, ...]]:
    found: dict[str, tuple[Shape, ...]] = {}
    for shape in SHAPES:
        for hint in shape.hints:
            found[hint] = (*found.get(hint, ()), shape)
    return found


_BY_HINT = _by_hint()
