"""Which secrets may be hidden from whoever decides about the text: those that can do nothing where they stand.

A mark on a card must not hide what would run. One word that means nothing can neither start a program, nor name a
machine, nor end the argument that it stands in; anything else that looks like a secret is shown as it is.
"""

import re

_SCHEME = re.compile(r"^(?:Bearer|Basic|Token) ")
_WORD = re.compile(r"[A-Za-z0-9_+=-]{8,}")
_LETTER, _DIGIT = re.compile(r"[A-Za-z]"), re.compile(r"[0-9]")
_AROUND_A_DIGIT = re.compile(r"[A-Za-z][_+=-]*[0-9][0-9_+=-]*[A-Za-z]")
_LONG = 20
_PLAIN = re.compile(r"[A-Za-z0-9._~+/=-]{6,}")
_PRIVATE_KEY = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40})-----\s[A-Za-z0-9+/=\s]+-----END \1-----")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=[\"']?$")
_NAME_LENGTH = 128


def is_harmless(text: str, *, certain: bool) -> bool:
    """Whether this secret is nothing but a value; `certain` says that its own form shows that it is a secret."""
    plain = _PLAIN.fullmatch(text) is not None if certain else _means_nothing(_SCHEME.sub("", text, count=1))
    return plain or _PRIVATE_KEY.fullmatch(text.strip()) is not None


def _means_nothing(text: str) -> bool:
    """Whether this is a word of letters and digits as hardly any program or machine is called."""
    if _WORD.fullmatch(text) is None:
        return False
    is_long = len(text) >= _LONG and _LETTER.search(text) is not None and _DIGIT.search(text) is not None
    return is_long or _AROUND_A_DIGIT.search(text) is not None


def is_used(text: str, start: int) -> bool:
    """Whether what begins here is given to a variable that the same text makes use of, for whatever."""
    assigned = _ASSIGNED.search(text, max(0, start - _NAME_LENGTH), start)
    return assigned is not None and re.search(rf"\$\{{?[!#]?{assigned[1]}\b", text) is not None
