"""Private keys in their armour, also on one line and cut off."""

import re
from collections.abc import Iterator

from assent.masking.marks import Span

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: ?[0-9a-f]+")
_BODY = re.compile(
    r"(?>(?:[ \t\r\n+|>*#-]|\\[nr])*+"
    r"(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]*+|[A-Za-z0-9/=][A-Za-z0-9+/=]{15,}+))*+"
    r"(?:[ \t\r\n]|\\[nr])*+[A-Za-z0-9+/=]*+"
)
_LONGEST = 65536
NAME = "private key"


def private_keys(text: str) -> Iterator[Span]:
    """The keys from their first line to their last, or as far as what follows the first line can be part of one."""
    if "PRIVATE KEY" not in text and "PuTTY" not in text:
        return
    ends = _END.finditer(text)
    end = next(ends, None)
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        while end is not None and end.start() < begin.end():
            end = next(ends, None)
        if end is not None and end.start() - begin.end() <= _LONGEST:
            done = end.end()
        else:
            body = _BODY.match(text, begin.end())
            done = body.end() if body else begin.end()
        yield Span(begin.start(), done, NAME)
