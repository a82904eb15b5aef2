"""Names and their values in any text: settings, shell, YAML, .env, source, JSON also inside of strings."""

import re
from collections.abc import Iterator

from assent.masking.extent import quoted_end, rest_of_line, unquoted_end
from assent.masking.marks import Span
from assent.masking.names import kind_of_name
from assent.masking.values import is_code, is_opaque, is_path, is_placeholder, is_reference, is_type, is_whole_call

HINTS = (
    "pass",
    "pw",
    "secret",
    "token",
    "key",
    "credential",
    "creds",
    "authorization",
    "cookie",
    "string",
    "bearer",
    "otp",
)
"""In lower case. A text without any of these names no secret."""

_PAIR = re.compile(
    r"""(?<![\w.-])(?P<name>[\w.-]++)(?P<close>(?:%22)?+\\*+["'`]?+\]?+\)?+\??+)
        (?P<before>[ \t]*+)(?P<sign>%3[ADad]|=>|:=|!?={1,3}|:(?!:))(?P<after>[ \t]*+)""",
    re.VERBOSE,
)
_QUOTE = re.compile(r"""(?:\b[fFrRbBuU]{1,2})?(?P<open>\\*+(?:\"{3}|'{3}|["'`]))""")
_BLOCK = re.compile(r"[|>][+-]?\d?[ \t]*\r?\n")
_BELOW = re.compile(r"\r?\n[ \t]*+(?=[\"'])")
_QUOTED_NAME = re.compile(r"[\"']$")
_TIGHT_SIGNS = ("=", "%3D", "%3d", "%3A", "%3a")
_HEADERS = ("authorization", "proxy-authorization", "cookie", "set-cookie")
_LINE_SEEN = 400
_DIGITS_APART = re.compile(r"\d[A-Za-z_]*\d")
"""Few names have digits in two places, and most tokens do."""
_PROGRAM = re.compile(r"(?:\.{1,2}|~)/")
"""Behind `NAME= `, a program that is started with an empty variable."""
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9_]*")


def pairs(text: str) -> Iterator[Span]:
    """The values that stand under a name that promises a secret."""
    at = 0
    while (found := _PAIR.search(text, at)) is not None:
        at = found.end()
        kind = kind_of_name(found["name"].strip("-."))
        if kind is None:
            continue
        span = _value(text, found, kind)
        if span is not None:
            yield span
            at = max(at, span.end)


def _value(text: str, found: "re.Match[str]", kind: str) -> Span | None:
    start = _next_line(text, found)
    quote = _QUOTE.match(text, start)
    if quote is not None:
        end = quoted_end(text, quote.end(), quote["open"])
        nothing = is_placeholder(text[quote.end() : end]) or _closes(text, found, quote)
        return None if nothing else Span(quote.end(), end, kind, certain=False)
    if found["sign"] == ":" and _BLOCK.match(text, start):
        return _block(text, found, kind)
    if found["sign"] == ":" and "]" not in found["close"] and found["name"].lower().strip("-.") in _HEADERS:
        end = rest_of_line(text, start)
        return None if is_placeholder(text[start:end]) else Span(start, end, kind, certain=False)
    return _bare(text, found, kind)


def _next_line(text: str, found: "re.Match[str]") -> int:
    """Where the value begins: some writers of JSON put it on a line of its own."""
    below = _BELOW.match(text, found.end()) if found["sign"] == ":" and _QUOTED_NAME.search(found["close"]) else None
    return below.end() if below else found.end()


def _closes(text: str, found: "re.Match[str]", quote: "re.Match[str]") -> bool:
    """Whether the quote behind the name ends a text that the name stands in, as in `"--token=": "what it does"`."""
    if found["after"] or quote.end() >= len(text) or text[quote.end()] not in " \t\n:,)]}+%;|&>\\":
        return False
    line = text.rfind("\n", max(0, found.start() - _LINE_SEEN), found.start()) + 1
    if not line and found.start() > _LINE_SEEN:
        return False
    return text.count(quote["open"], line, found.start()) % 2 == 1


def _block(text: str, found: "re.Match[str]", kind: str) -> Span | None:
    """A block of lines under a name of YAML: all that are indented further."""
    line_start = text.rfind("\n", 0, found.start()) + 1
    indent = found.start() - line_start
    start = at = text.index("\n", found.end()) + 1
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        line = text[at:end]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        at = end
    end = start + len(text[start:at].rstrip())
    return Span(start, end, kind, certain=False) if end > start else None


def _bare(text: str, found: "re.Match[str]", kind: str) -> Span | None:
    start = found.end()
    tight = found["sign"] in _TIGHT_SIGNS and not found["before"] and not found["after"]
    environment = tight and _ENVIRONMENT.fullmatch(found["name"].strip("-.")) is not None
    option = tight and found["name"].startswith("--")
    end = unquoted_end(text, start, wide=environment or option)
    value = text[start:end]
    if is_placeholder(value) or text.startswith("$(", start):
        return None
    if environment or option:
        if is_whole_call(value):
            return None
        return Span(start, end, kind, certain=False)
    if _elsewhere(text, start, end):
        return None
    if found["sign"] == ":" and not found["after"] and not is_opaque(value):
        return None
    if _is_harmless(text, found, value, end, kind, tight=tight):
        return None
    return Span(start, end, kind, certain=False)


def _elsewhere(text: str, start: int, end: int) -> bool:
    """Whether it is a call or a look-up: these go on after what would end a value."""
    line = text[start : start + 300]
    line = line[: rest_of_line(line, 0)]
    return is_code(text[start:end]) or (is_code(line) and text[end : end + 1] in tuple("(["))


def _is_harmless(text: str, found: "re.Match[str]", value: str, end: int, kind: str, *, tight: bool) -> bool:
    """Source code and prose."""
    name, plain = found["name"].lower(), found["sign"] == ":"
    spaced = found["sign"] == "=" and not found["before"] and _ENVIRONMENT.fullmatch(found["name"]) is not None
    if spaced and _PROGRAM.match(value):
        return True
    if is_type(value) or (name == "pwd" and is_path(value)) or (value.startswith("--") and found["after"]):
        return True
    if value.isdigit():
        return kind in ("token", "key", "secret", "cookie") or name == "pass"
    word = value.rstrip(":;")
    if not is_reference(word):
        return not (tight or is_opaque(value) or (plain and _ends_line(text, end)))
    if kind_of_name(word.rsplit(".", 1)[-1]):
        return True
    if text[end : end + 1] in tuple("),([|"):
        return not (is_opaque(word) and _DIGITS_APART.search(word))
    if spaced and _ends_line(text, end):
        return False
    if plain and not tight:
        return (word[0].isupper() and word.isalpha()) or not (_ends_line(text, end) or is_opaque(word))
    return not (tight or is_opaque(word))


def _ends_line(text: str, at: int) -> bool:
    rest = text[at : at + 80].split("\n", 1)[0].strip()
    return not rest or rest.startswith("#") or rest[0] in "\"'\\"
