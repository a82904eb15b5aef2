"""Texts of strangers on a card: quoted, on one line, with nothing in them that cannot be seen, and not without end."""

MOST = 600


def quoted(text: str, most: int = MOST) -> str:
    """The text between quotation marks."""
    clipped = text if len(text) <= most else f"{text[:most]}…"
    return f"“{plainly(' '.join(clipped.split()))}”"


def plainly(text: str) -> str:
    """The text with every sign that cannot be seen, or moves others, spelled out."""
    return "".join(sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}" for sign in text)
