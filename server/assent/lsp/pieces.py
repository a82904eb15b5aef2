"""Long texts, piece by piece."""

PIECE = 256 * 1024
"""Characters of one piece: other messages do not wait long behind it."""


def piece_of(text: str, offset: int) -> tuple[str, int | None]:
    """The piece from this character on, and where the next one begins; None after the last."""
    end = offset + PIECE
    return text[offset:end], end if end < len(text) else None
