"""Masking of a text."""

from collections.abc import Iterator

from assent.masking.commands import in_commands
from assent.masking.known import known_values
from assent.masking.marks import Span, mark, replace
from assent.masking.pairs import HINTS, pairs
from assent.masking.pem import private_keys
from assent.masking.shapes import SHAPES

_ROUNDS = 6
"""What stood in the shadow of one secret is found in the next round. A text that needs more than these was made to."""
UNREADABLE = "text of secrets"


def mask_text(text: str, known: frozenset[str] = frozenset()) -> tuple[str, int]:
    """The text with every secret masked, and how many there were."""
    total = 0
    for _ in range(_ROUNDS):
        text, count = replace(text, _spans(text, known))
        if not count:
            return text, total
        total += count
    return mark(UNREADABLE, len(text)), total + 1


def _spans(text: str, known: frozenset[str]) -> Iterator[Span]:
    yield from known_values(text, known)
    yield from private_keys(text)
    for shape in SHAPES:
        yield from shape.spans(text)
    low = text.lower()
    if any(hint in low for hint in HINTS):
        yield from pairs(text)
    yield from in_commands(text)
