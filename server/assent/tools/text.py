"""Telling text from other content, and showing bytes that are none."""

import codecs

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
"""Marks at the beginning of a file, and how what follows them is encoded."""


def decode(data: bytes, *, cut: bool = False) -> str | None:
    """The text, or None where the bytes are not text. `cut` forgives a character that the end of the bytes splits."""
    for bom, encoding in BOMS:
        if data.startswith(bom):
            return _strictly(data[len(bom) :], encoding, cut=cut)
    if b"\0" in data:
        return None
    return _strictly(data, "utf-8", cut=cut)


def _strictly(data: bytes, encoding: str, *, cut: bool) -> str | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        return decoder.decode(data, final=not cut)
    except UnicodeDecodeError:
        return None


def hex_head(data: bytes, count: int = 64) -> str:
    """The first bytes, for a person who must recognise a format."""
    return data[:count].hex(" ")
