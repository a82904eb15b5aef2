"""Encodings of texts other than UTF-8: what they are called, and which one bytes are in, told only where that is sure.

The process that searches files imports this with nothing but the standard library at hand: the library that guesses is
imported when the first text is met that needs it.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.media.kinds import recognise

UTF_8, UTF_16_LE, UTF_16_BE = "utf-8", "utf-16-le", "utf-16-be"

_NAMES = {
    UTF_8: "UTF-8",
    UTF_16_LE: "UTF-16",
    UTF_16_BE: "UTF-16, big-endian,",
    "cp1252": "Windows-1252",
    "latin-1": "ISO 8859-1",
    "iso8859_2": "ISO 8859-2",
    "iso8859_15": "ISO 8859-15",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "cp1257": "Windows-1257",
    "cp1258": "Windows-1258",
    "cp437": "CP437",
    "cp850": "CP850",
    "cp852": "CP852",
    "cp866": "CP866",
    "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",
    "mac_roman": "Mac Roman",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "gbk": "GBK",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "big5hkscs": "Big5-HKSCS",
    "euc_kr": "EUC-KR",
}
_OF_EDITORS = {
    "utf8": UTF_8,
    "utf8bom": UTF_8,
    "utf16le": UTF_16_LE,
    "utf16be": UTF_16_BE,
    "windows1250": "cp1250",
    "windows1251": "cp1251",
    "windows1252": "cp1252",
    "windows1253": "cp1253",
    "windows1254": "cp1254",
    "windows1255": "cp1255",
    "windows1256": "cp1256",
    "windows1257": "cp1257",
    "windows1258": "cp1258",
    "iso88591": "latin-1",
    "iso88592": "iso8859_2",
    "iso885915": "iso8859_15",
    "cp437": "cp437",
    "cp850": "cp850",
    "cp852": "cp852",
    "cp866": "cp866",
    "koi8r": "koi8_r",
    "koi8u": "koi8_u",
    "macroman": "mac_roman",
    "shiftjis": "cp932",
    "eucjp": "euc_jp",
    "gbk": "gbk",
    "gb2312": "gbk",
    "gb18030": "gb18030",
    "big5hkscs": "big5hkscs",
    "cp950": "big5",
    "euckr": "euc_kr",
}
"""What `files.encoding` says. Each but UTF-16 keeps ASCII as it is, so no setting gives a program other words."""

_GUESSED = (
    # Where several say the same of a text, the first counts: what is written later has to fit into it.
    "cp1252",
    "cp1250",
    "cp1251",
    "koi8_r",
    "cp866",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp932",
    "euc_jp",
    "gb18030",
    "big5",
    "euc_kr",
    "cp850",
    "cp437",
    "mac_roman",
)
_WIDE = frozenset({"cp932", "euc_jp", "gbk", "gb18030", "big5", "euc_kr"})
_OLD = frozenset({"cp437", "cp850", "mac_roman"})
"""Of systems that are gone: only where no other makes a text of it."""
_MOST_LOOKED_AT = 4_096
_BEYOND_ASCII = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")
_OF_UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{1,2}|[\xf0-\xf4][\x80-\xbf]{1,3}")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
"""Bytes that stand in no text of these encodings. ESC is left: programs colour what they print into files."""
_LEAST_WIDE = 4
"""Fewer characters of two bytes can as well be letters of one byte each."""
_CLOSE = 0.05


def name_of(encoding: str) -> str:
    """For people."""
    return _NAMES.get(encoding, encoding)


def encoding_of_editor(said: str) -> str | None:
    """The encoding that an editor's settings mean by this word."""
    return _OF_EDITORS.get(said.lower())


def holds_binary(data: bytes) -> bool:
    """Whether bytes without a mark at their beginning hold what no text holds, in UTF-8 or any that is guessed."""
    return _NO_TEXT.search(data) is not None or recognise(data) is not None


def wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark: each of its characters is one that people write, and some are plain ASCII."""
    if len(data) < 8 or len(data) % 2:
        return None
    zeros_first, zeros_second = data[0::2].count(0), data[1::2].count(0)
    if bool(zeros_first) == bool(zeros_second):
        return None
    encoding = UTF_16_BE if zeros_first else UTF_16_LE
    # Blanks, digits and line ends are in texts of every language, and have a zero each.
    if (zeros_first or zeros_second) * 16 < len(data):
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    plain = sum(map(str.isascii, text))
    return encoding if 8 * plain >= len(text) and all(map(_is_written, set(text))) else None


def _is_written(char: str) -> bool:
    return char.isprintable() or char in "\t\n\r\f\x1b"


def guessed(data: bytes) -> str | None:
    """The one encoding in which these bytes are a text, where there is no doubt about what they say.

    Only lines beyond ASCII are looked at, and no more of them than a few pages: the rest looks the same in all.
    """
    sample = _sample(data)
    return _guessed(sample) if sample and not _is_damaged_utf_8(sample) else None


def same_again(data: bytes, encoding: str) -> str | None:
    """The text, where all of it is in this encoding and the same bytes come of it again."""
    try:
        text = data.decode(encoding)
        return text if text.encode(encoding) == data else None
    except UnicodeError:
        return None


def _sample(data: bytes) -> bytes:
    lines, size = [], 0
    for found in _BEYOND_ASCII.finditer(data):
        line = found[0]
        if size + len(line) > _MOST_LOOKED_AT:
            break
        lines.append(line)
        size += len(line)
    # A first line that is longer than all that is looked at is cut, perhaps within a character: nothing is sure of it.
    return b"".join(lines)


def _is_damaged_utf_8(sample: bytes) -> bool:
    """Nearly all of what is beyond ASCII are characters of UTF-8, whole or begun: then that is what it was."""
    beyond = sum(byte > 0x7F for byte in sample)
    return 10 * sum(map(len, _OF_UTF_8.findall(sample))) >= 9 * beyond


@dataclass(frozen=True, slots=True)
class _Reading:
    encoding: str
    text: str
    doubt: float
    likeness: float
    """To a language."""


@lru_cache(maxsize=64)
def _guessed(sample: bytes) -> str | None:
    found = list(_readings(sample))
    readings = [one for one in found if one.encoding not in _OLD] or found
    if not readings:
        return None
    best = min(readings, key=lambda one: (one.doubt, -one.likeness))
    for other in readings:
        close = other.doubt - best.doubt <= _CLOSE and best.likeness - other.likeness < 3 * _CLOSE
        if close and other.text != best.text:
            return None
    same = {one.encoding for one in readings if one.text == best.text}
    first = next(one for one in _GUESSED if one in same)
    return "gbk" if first == "gb18030" and same_again(sample, "gbk") is not None else first


def _readings(sample: bytes) -> Iterator[_Reading]:
    from charset_normalizer import from_bytes

    for match in from_bytes(sample, cp_isolation=list(_GUESSED), threshold=0.3, preemptive_behaviour=False):
        for encoding in {match.encoding, *match.could_be_from_charset}:
            text = same_again(sample, encoding)
            if text is not None and encoding in _GUESSED and _plausible(text, encoding):
                yield _Reading(encoding, text, match.chaos, match.coherence)


def _plausible(text: str, encoding: str) -> bool:
    """Whether a person may have written it: words of one script each, and no odd signs inside of them."""
    if not all(map(_is_written, set(text))):
        return False
    if encoding in _WIDE:
        return sum(char > "\xff" for char in text) >= _LEAST_WIDE
    if _SAME_AGAIN.search(text):
        return False
    words = set(_WORDS.findall(text))
    if not words or _ODD.search(text) or (encoding == "cp1250" and _NOT_CENTRAL.search(text)):
        return False
    strange = [word for word in words if not word.isascii()]
    alone = bool(strange) and all(len(word) == 1 for word in strange)
    return not alone and all(len({_script(char) for char in word}) == 1 for word in words)


_SAME_AGAIN = re.compile(r"([^\x00-\x7f])\1{5}")
"""Padding, and no word of any language."""
_WORDS = re.compile(r"[^\W\d_]+")
_SIGNS = "\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2013-\u2018\u201a-\u203a\u20ac\u2122"
_ODD = re.compile(
    rf"[\u02d0-\u02df\u2200-\u22ff\u2310-\u23ff\u2500-\u25ff]|[^\W\d_][{_SIGNS}][^\W\d_]|(?<!\w)[\u0591-\u05c7\u064b-\u0652]"
)
"""What frames and formulas are made of, signs in the midst of a word, marks of no letter: text of another encoding."""
_NOT_CENTRAL = re.compile("[ŕĺŔĹ]|[ńŃ][aeiouáéíóúAEIOU]|ăo|őe|(?<!\\w)č(?!\\w)")
"""What Western texts look like in the encoding of Central Europe, in which most of their letters are the same."""


@lru_cache(maxsize=1024)
def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]
