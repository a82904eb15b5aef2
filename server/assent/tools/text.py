"""Telling text from other content, and showing bytes that are none."""

import codecs

from assent.tools.encodings import UTF_8, UTF_16_BE, UTF_16_LE, guessed, holds_binary, same_again, wide_encoding

BOMS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, UTF_16_LE), (codecs.BOM_UTF16_BE, UTF_16_BE))
"""Marks at the beginning of a file, and how what follows them is encoded."""
_WIDE = (UTF_16_LE, UTF_16_BE)


def decode(data: bytes, *, cut: bool = False, declared: str | None = None) -> str | None:
    """The text, or None where the bytes are not text. `cut` forgives a character that the end of the bytes splits;
    `declared` is the encoding that the settings of the file's folder name."""
    found = decoded(data, cut=cut, declared=declared)
    return found[0] if found is not None else None


def decoded(data: bytes, *, cut: bool = False, declared: str | None = None) -> tuple[str, str, bytes] | None:
    """The text, its encoding and the mark at its beginning."""
    for bom, encoding in BOMS:
        if data.startswith(bom):
            text = _strictly(data[len(bom) :], encoding, cut=cut)
            return (text, encoding, bom) if text is not None else None
    if b"\0" in data:
        wide = wide_encoding(data[: len(data) & ~1] if cut else data)
        text = _strictly(data, wide, cut=cut) if wide is not None else None
        return (text, wide, b"") if text is not None and wide is not None else None
    return _narrow(data, declared, cut=cut)


def _narrow(data: bytes, declared: str | None, *, cut: bool) -> tuple[str, str, bytes] | None:
    """Text without a mark and without a zero: what the settings say goes before everything that can only be told."""
    plain = _strictly(data, UTF_8, cut=cut)
    if declared is not None and declared not in (UTF_8, *_WIDE):
        text = _as(data, declared, cut=cut)
        if text is not None and (plain is not None or not holds_binary(data)):
            return text, declared, b""
    if plain is not None:
        return plain, UTF_8, b""
    other = None if holds_binary(data) else guessed(data)
    text = _as(data, other, cut=cut) if other is not None else None
    return (text, other, b"") if text is not None and other is not None else None


def may_be_text(data: bytes) -> bool:
    """Whether these bytes, of which no text could be made, are one after all, and only its encoding is in doubt."""
    return not holds_binary(data) and not data.startswith(tuple(bom for bom, _ in BOMS))


def why_no_text(data: bytes) -> str:
    """Why no text could be made of these bytes: the rest of a sentence about their file."""
    if not may_be_text(data):
        return "it is not text"
    return "it is in an encoding that cannot be told from it (`files.encoding` in the editor's settings would tell)"


def _as(data: bytes, encoding: str, *, cut: bool) -> str | None:
    """In this encoding, where the same bytes come of the text again: what nobody edits is then written as it was."""
    text = same_again(data, encoding)
    return same_again(data[:-1], encoding) if text is None and cut else text


def _strictly(data: bytes, encoding: str, *, cut: bool) -> str | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        return decoder.decode(data, final=not cut)
    except UnicodeDecodeError:
        return None


def hex_head(data: bytes, count: int = 64) -> str:
    """The first bytes, for a person who must recognise a format."""
    return data[:count].hex(" ")
