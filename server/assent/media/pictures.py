"""Pictures that go along with messages: of which kinds, how large, how many, and which of them stay at hand."""

from collections.abc import Sequence

from assent.media.kinds import PICTURES, Kind, recognise

MOST_PICTURES = 10
"""That go along with one message."""
LARGEST_PICTURE = 5_000_000
"""Bytes."""
MOST_PICTURE_BYTES = 20_000_000
"""Of all that go along with one message."""
MOST_AT_HAND = 20
"""Pictures of one chat that its model is sent, again with every request."""


def picture_kind(data: bytes) -> Kind | None:
    """Which kind of picture these bytes are, of those that agents and models take."""
    recognised = recognise(data)
    return recognised.kind if recognised is not None and recognised.kind in PICTURES else None


def too_much(sizes: Sequence[int]) -> str | None:
    """Why pictures of these sizes cannot go along with one message."""
    largest, whole = max(sizes, default=0), sum(sizes)
    if largest > LARGEST_PICTURE:
        return f"a picture has {largest:,} bytes; pictures of up to {LARGEST_PICTURE:,} can go along"
    if len(sizes) > MOST_PICTURES:
        return f"{len(sizes)} pictures cannot go along with one message: at most {MOST_PICTURES} can"
    if whole > MOST_PICTURE_BYTES:
        return f"its pictures have {whole:,} bytes together; {MOST_PICTURE_BYTES:,} can go along with one message"
    return None


def stays_at_hand(messages: Sequence[Sequence[int]]) -> int:
    """From which of these messages on the pictures stay, given their sizes: the newest do, as far as they fit.

    The first that does not fit goes with all before it, so that what is left is what was said last.
    """
    count = size = 0
    for place in range(len(messages) - 1, -1, -1):
        count += len(messages[place])
        size += sum(messages[place])
        if count > MOST_AT_HAND or size > MOST_PICTURE_BYTES:
            return place + 1
    return 0
