"""Texts that nobody can read: bytes written as base64 or as hex digits, or put into a text as they are."""

import base64
import codecs
import re

from assent.lazy_dataclasses import dataclass
from assent.media.kinds import recognise

SHORTEST = 256
"""Characters. Digests, keys and names are shorter, and are looked at as they stand."""
HEAD = 16
"""Bytes that are shown, by which others may know what it is."""

_LOOKED_AT = 4096
"""Characters from its beginning, by which it is judged. A number of them that ends no digit of base64 half way."""

_LEAST_WIDTH = 60
"""Characters of a line, where there are several: such bytes are written in lines of 60, 64 or 76."""

_MARKS = (
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive, or a document that is one"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\x00", "xz archive"),
    (b"\x28\xb5\x2f\xfd", "Zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"\x7fELF", "program (ELF)"),
    (b"MZ", "program (Windows)"),
    (b"\xcf\xfa\xed\xfe", "program (macOS)"),
    (b"\xca\xfe\xba\xbe", "program (Java or macOS)"),
    (b"\x00asm", "program (WebAssembly)"),
    (b"#!", "script, a text"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"wOFF", "font (WOFF)"),
    (b"wOF2", "font (WOFF2)"),
    (b"\x00\x01\x00\x00\x00", "font (TrueType)"),
    (b"OggS", "sound or film (Ogg)"),
    (b"fLaC", "sound (FLAC)"),
    (b"BM", "BMP picture"),
    (b"II*\x00", "TIFF picture"),
    (b"MM\x00*", "TIFF picture"),
    (b"\x00\x00\x01\x00", "ICO picture"),
)
_WEAK = frozenset({b"MZ", b"BM", b"#!"})
"""So short that a text begins with them by chance: of a text they count only where it is one."""

_DATA_URL = re.compile(r"data:[\w.+-]{1,60}/[\w.+-]{1,60}(?:;[\w.+-]{1,60}=[\w.+-]{1,60})*;base64,")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}|[A-Za-z0-9_-]+={0,2}")
_URL_SAFE = re.compile("[-_]")
_HEX = re.compile(r"(?:[0-9a-f]{2})+|(?:[0-9A-F]{2})+")
_LINE_ENDS = str.maketrans("", "", "\r\n")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")
_SHARE = 10
"""Of so many characters one cannot be read: a text is less than that, whatever colours a terminal gives it."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """What such a text holds."""

    kind: str
    """By its first bytes, never by its name."""
    size: int
    """Bytes, once it is decoded."""
    written: str
    """How it is written, in words; empty where it stands there as it is."""
    head: bytes

    def words(self, *, cut: bool = False) -> str:
        """On one line, for a card. Cut: there is more of it than was looked at."""
        written = f", written as {self.written}" if self.written else ""
        least = "at least " if cut else ""
        return f"{self.kind}, {least}{self.size:,} bytes{written}, beginning with {self.head.hex(' ')}"


def opaque(text: str) -> Opaque | None:
    """What the text holds, where all of it is such a thing; None where a person can read it."""
    if len(text) < SHORTEST:
        return None
    prefix = _DATA_URL.match(text)
    body = text[prefix.end() :] if prefix is not None else text
    encoded = _encoded(body.translate(_LINE_ENDS), surely=prefix is not None) if _is_cut_evenly(body) else None
    return encoded or _as_it_is(text)


def _is_cut_evenly(body: str) -> bool:
    """Programs write all lines of bytes equally long; a list of names, one to a line, is to be read."""
    *lines, last = body.replace("\r\n", "\n").rstrip("\n").split("\n")
    widths = {len(line) for line in lines}
    return not lines or (len(widths) == 1 and min(widths) >= _LEAST_WIDTH and len(last) <= min(widths))


def _encoded(digits: str, *, surely: bool) -> Opaque | None:
    """Only its beginning is decoded: how long the rest is, its digits say."""
    if not surely and _HEX.fullmatch(digits) and _is_mixed(digits[:_LOOKED_AT], "[a-fA-F]", "[0-9]"):
        return _found(bytes.fromhex(digits[:_LOOKED_AT]), len(digits) // 2, "hex digits")
    bare = digits.rstrip("=")
    if not _BASE64.fullmatch(digits) or len(bare) % 4 == 1:
        return None
    start = bare[:_LOOKED_AT]
    data = base64.b64decode(start + "=" * (-len(start) % 4), b"-_" if _URL_SAFE.search(bare) else None)
    if not (surely or _mark(data) is not None or _is_mixed(start, "[A-Z]", "[a-z]", "[0-9]")):
        return None
    return _found(data, len(bare) * 3 // 4, "base64")


def _is_mixed(digits: str, *sorts: str) -> bool:
    """Bytes have all sorts of digits; a long word, a row of one sign and most paths have not."""
    return all(re.search(sort, digits) for sort in sorts)


def _as_it_is(text: str) -> Opaque | None:
    start = text[:_LOOKED_AT]
    if len(_NOT_TEXT.findall(start)) * _SHARE < len(start):
        return None
    coding = "latin-1" if text.isascii() or max(text) <= "\xff" else "utf-8"
    data = text.encode(coding, "surrogatepass" if coding == "utf-8" else "strict")
    return _found(data[:_LOOKED_AT], len(data), "")


def _found(start: bytes, size: int, written: str) -> Opaque:
    kind = _mark(start) or ("text" if written and _is_text(start) else "bytes of no kind that is known here")
    return Opaque(kind, size, written, start[:HEAD])


def _mark(data: bytes) -> str | None:
    known = recognise(data)
    if known is not None:
        return f"{known.kind.name} {'sound' if known.kind.is_sound else 'picture'}"
    mark, kind = next(((mark, kind) for mark, kind in _MARKS if data.startswith(mark)), (b"", None))
    if mark in _WEAK and _is_text(data) is not (mark == b"#!"):
        return None
    return kind


def _is_text(data: bytes) -> bool:
    try:
        return _NOT_TEXT.search(codecs.getincrementaldecoder("utf-8")().decode(data)) is None
    except UnicodeDecodeError:
        return False
