"""The names of hosts in the one form in which they are compared, and where nobody can be sure which one is meant.

Programs differ in how they read a strange name: what is not read alike by all of them is in doubt.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from unicodedata import normalize
from urllib.parse import unquote

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))
_READ_IN_TWO_WAYS = frozenset("\u00df\u1e9e\u03c2\u200c\u200d")
"""Letters and joiners that the newer rules for names keep, and the older ones replace or leave out."""
_LONGEST = 253

_NO_NAME = "it has no host that every program would understand"
_NO_IPV6 = "what stands in brackets is no address of a host"
_NO_IPV4 = "its host looks like a number, and is none"
_ODD_NUMBER = "its host is a number that programs read in different ways"
_ENCODED = "its host is encoded in a way that not every program takes back"
_SCRIPT = "its host has signs that programs read in different ways"


def read_host(text: str) -> tuple[str, str]:
    """The name as it is compared, empty where there is none, and why it is in doubt, empty where it is not."""
    if text.startswith("["):
        return _ipv6(text[1:-1]) if text.endswith("]") else ("", _NO_IPV6)
    doubt = ""
    if "%" in text:
        text = unquote(text, errors="replace")
        if "%" in text or "\ufffd" in text:
            return "", _ENCODED
    if not text.isascii():
        text, doubt = _without_other_scripts(text)
    name = text.lower().removesuffix(".")
    labels = name.split(".")
    if len(name) > _LONGEST or not all(map(_LABEL.fullmatch, labels)):
        return "", doubt or _NO_NAME
    if _NUMBER.fullmatch(labels[-1]):
        name, strange = _ipv4(name, labels)
        return name, doubt or strange
    return name, doubt


def _ipv6(text: str) -> tuple[str, str]:
    try:
        found = IPv6Address(text)
    except AddressValueError:
        return "", _NO_IPV6
    if found.scope_id is not None:
        return "", _NO_IPV6
    return (str(found.ipv4_mapped), "") if found.ipv4_mapped is not None else (f"[{found.compressed}]", "")


def _ipv4(name: str, labels: list[str]) -> tuple[str, str]:
    """Four plain numbers are clear. Fewer, and those that begin with a zero, mean another host to some programs."""
    numbers = [_number(label) for label in labels]
    known = [one for one in numbers if one is not None]
    if len(numbers) > 4 or len(known) < len(numbers):
        return "", _NO_IPV4
    if any(one > 255 for one in known[:-1]) or known[-1] >= 256 ** (5 - len(known)):
        return "", _NO_IPV4
    value = known[-1] + sum(one * 256 ** (3 - at) for at, one in enumerate(known[:-1]))
    plain = str(IPv4Address(value))
    return plain, "" if plain == name else _ODD_NUMBER


def _number(label: str) -> int | None:
    """As the first programs read it: hexadecimal after `0x`, octal after a zero."""
    if not _NUMBER.fullmatch(label):
        return None
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    if label.startswith("0"):
        return int(label, 8) if not {"8", "9"}.intersection(label) else None
    return int(label)


def _without_other_scripts(text: str) -> tuple[str, str]:
    """The name with `xn--` for labels in other scripts, where the older and the newer rules for them agree."""
    doubt = _SCRIPT if _READ_IN_TWO_WAYS.intersection(text) else ""
    found = []
    for label in text.translate(_DOTS).split("."):
        older, newer = _by_older_rules(label), _by_newer_rules(label)
        if older is None:
            return "", _SCRIPT
        found.append(newer)
        doubt = doubt or ("" if older == newer else _SCRIPT)
    return ".".join(found), doubt


def _by_older_rules(label: str) -> str | None:
    # Few addresses need them, and they are much to load.
    from encodings.idna import ToASCII

    try:
        return ToASCII(label).decode("ascii").lower() if label else ""
    except UnicodeError:
        return None


def _by_newer_rules(label: str) -> str:
    plain = normalize("NFKC", normalize("NFKC", label).casefold())
    if plain.isascii():
        return plain
    return f"xn--{plain.encode('punycode').decode('ascii')}"
