"""Which secrets may be hidden from whoever decides about the text: those that can do nothing where they stand.

A mark on a card must not hide what would run. A value that is one plain word can neither start a program nor end the
argument that it stands in; anything else that looks like a secret is shown as it is.
"""

import re

_PLAIN = re.compile(r"(?:(?:Bearer|Basic|Token) )?[A-Za-z0-9._~+=-]{6,}")
_PLAIN_BY_ITSELF = re.compile(r"[A-Za-z0-9._~+/=-]{6,}")
"""What shows by its own form that it is a secret is no path."""
_PRIVATE_KEY = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40})-----\s[A-Za-z0-9+/=\s]+-----END \1-----")


def is_harmless(text: str, *, certain: bool) -> bool:
    """Whether this secret is nothing but a value; `certain` says that its own form shows it."""
    plain = _PLAIN_BY_ITSELF if certain else _PLAIN
    return plain.fullmatch(text) is not None or _PRIVATE_KEY.fullmatch(text.strip()) is not None
