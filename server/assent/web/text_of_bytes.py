"""The bytes of a page as text: by its mark at the beginning, by what its server says, by what it says itself."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Others that are known here are no encodings of texts, or cost far more than the text is long.
_KNOWN = re.compile(
    r"utf-?8|utf-?16(?:-?[lb]e)?|(?:us-)?ascii|iso-?8859-?\d{1,2}|latin-?\d|windows-?125\d|cp125\d|koi8-[ru]"
    r"|gbk|gb2312|gb18030|big5(?:-hkscs)?|shift[_-]jis|euc-(?:jp|kr)|iso-2022-jp|x-sjis|tis-620|macintosh"
)
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_IN_PAGE = re.compile(
    rb"<meta[^>]{0,512}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})|<\?xml[^>]{0,200}?encoding=[\"']([\w.:-]{2,40})",
    re.IGNORECASE,
)
_WHERE_PAGES_SAY_IT = 4_096
_OTHER_NAMES = {"x-sjis": "shift_jis", "macintosh": "mac_roman", "iso-8859-1": "cp1252", "ascii": "cp1252"}
_OTHERWISE = "cp1252"


def text_of(data: bytes, content_type: str, *, cut: bool = False) -> str:
    """The text. What does not fit its encoding becomes the sign for that. `cut`: its last sign may be half a one."""
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(marked, "replace")
    encoding = _named(_IN_HEADER.search(content_type)) or _said_by(data)
    if encoding is not None:
        return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        return data.decode("utf-8" if cut and fault.start >= len(data) - 3 else _OTHERWISE, "replace")


def _said_by(data: bytes) -> str | None:
    found = _IN_PAGE.search(data[:_WHERE_PAGES_SAY_IT])
    if found is None:
        return None
    name: bytes = found[1] or found[2]
    encoding = _usable(name.decode("ascii", "replace"))
    # A page that could be read so far is in no encoding of two bytes a sign.
    return "utf-8" if encoding is not None and encoding.startswith("utf-16") else encoding


def _named(found: re.Match[str] | None) -> str | None:
    return _usable(found[1]) if found is not None else None


def _usable(name: str) -> str | None:
    plain = name.lower().replace("utf8", "utf-8")
    if not _KNOWN.fullmatch(plain):
        return None
    plain = _OTHER_NAMES.get(plain, plain)
    try:
        return codecs.lookup(plain).name
    except LookupError:
        return None
