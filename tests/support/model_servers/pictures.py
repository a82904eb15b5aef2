"""Pictures in requests, as every kind of server takes them: base64 of bytes that are what they are said to be."""

import base64
import binascii
import re
from typing import Any

Picture = tuple[str, bytes]
"""What it is said to be, and its bytes."""

_BEGINNINGS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
}


def picture(mime: Any, data: Any) -> Picture:
    """Raises ValueError for what is answered with 400."""
    if mime not in _BEGINNINGS or not isinstance(data, str):
        raise ValueError(f"{mime!r} is no kind of picture that is taken")
    content = decoded(data)
    if not content.startswith(_BEGINNINGS[mime]):
        raise ValueError(f"the picture is not {mime}")
    return mime, content


def of_bytes(data: Any) -> Picture:
    """For servers that are not told what it is."""
    content = decoded(data)
    mime = next((mime for mime, start in _BEGINNINGS.items() if content.startswith(start)), None)
    return picture(mime, data)


def of_data_url(url: Any) -> Picture:
    """A picture that stands in its address."""
    found = re.fullmatch(r"data:([a-z/]+);base64,(.*)", url, re.DOTALL) if isinstance(url, str) else None
    if found is None:
        raise ValueError("the address of a picture is expected")
    return picture(found[1], found[2])


def decoded(data: Any) -> bytes:
    """The bytes."""
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, TypeError, ValueError) as fault:
        raise ValueError("a picture is no base64") from fault
