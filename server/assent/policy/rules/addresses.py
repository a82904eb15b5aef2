"""Takes addresses apart, the way that browsers do, and says where other programs could find another host in them."""

import re
from functools import lru_cache
from unicodedata import normalize
from urllib.parse import unquote

from assent.model.addresses import USUAL_PORTS, Address
from assent.policy.rules.hosts import read_host

_LONGEST = 8_192
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE | re.ASCII)
_BARE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+\.?(?:[/?#].*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_END_OF_AUTHORITY = re.compile(r"[/\\?#]")
_END_OF_NAME = re.compile(r"[/\\?#@:]")
_LEFT_OUT = re.compile(r"[\t\r\n]")
_AROUND = "".join(map(chr, range(0x21)))
_STILL_ENCODED = re.compile(r"%[0-9a-f]{2}", re.IGNORECASE)
_HIDDEN_SLASH = re.compile(r"%(?:2f|5c|00)", re.IGNORECASE)
_LARGEST_PORT = 65_535

_TOO_LONG = "it is too long to be looked at"
_LINES = "it has line ends or tabs, which some programs leave out"
_UNSEEN = "it has signs that cannot be seen"
_NO_HOST = "it does not say plainly where its host begins"
_BACKSLASH = "it has a backslash, which some programs take for a slash"
_SIGNS = "it has signs at which some programs begin or end the name of the host"
_PORT = "its port is no number"


@lru_cache(maxsize=512)
def read_address(text: str) -> Address:
    """The address as it is compared. One that nobody can be sure of says so, and still says what it most likely is."""
    if len(text) > _LONGEST:
        return Address(text, doubt=_TOO_LONG)
    plain = text.strip(_AROUND)
    doubt = _LINES if _LEFT_OUT.search(plain) else ""
    plain = _LEFT_OUT.sub("", plain)
    scheme, rest, unplain = _beginning(plain)
    doubt = doubt or unplain
    end = _END_OF_AUTHORITY.search(rest)
    authority, after = (rest[: end.start()], rest[end.start() :]) if end is not None else (rest, "")
    doubt = doubt or _strange(authority, after)
    host, port, unclear = _host_and_port(authority.rpartition("@")[2])
    path, path_doubt = read_path(re.split(r"[?#]", after, maxsplit=1)[0])
    return Address(
        text,
        scheme=scheme,
        host=host,
        port=USUAL_PORTS.get(scheme) if port is None else port,
        path=path,
        doubt=doubt or unclear,
        path_doubt=path_doubt,
    )


def _beginning(plain: str) -> tuple[str, str, str]:
    """Its scheme, all that comes behind it, and whether it is doubtful that a host comes there."""
    found = _SCHEME.match(plain)
    if found is None:
        return "", plain.lstrip("/\\"), "" if _BARE.fullmatch(plain) else _NO_HOST
    scheme, rest = found[1].lower(), plain[found.end() :]
    host = rest.lstrip("/\\")
    return scheme, host, "" if len(rest) - len(host) == 2 and rest.startswith("//") else _NO_HOST


def _strange(authority: str, after: str) -> str:
    if not all(sign.isprintable() and not sign.isspace() for sign in authority):
        return _UNSEEN
    if after.startswith("\\"):
        return _BACKSLASH
    folded = normalize("NFKC", "".join(sign for sign in authority if not sign.isascii()))
    if _END_OF_NAME.search(folded):
        return _SIGNS
    if authority.count("@") > 1 or (after.startswith(("?", "#")) and "@" in after):
        return _SIGNS
    return ""


def _host_and_port(text: str) -> tuple[str, int | None, str]:
    name, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        host, doubt = read_host(text)
        return host, None, doubt
    host, doubt = read_host(name)
    number = read_port(port)
    if port and number is None:
        return host, None, doubt or _PORT
    return host, number, doubt


def read_port(text: str) -> int | None:
    """The number of a port; None for anything else."""
    known = text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST_PORT))
    return int(text) if known and int(text) <= _LARGEST_PORT else None


def read_path(text: str) -> tuple[str, bool]:
    """The path as it is compared, and whether servers could take it for another one."""
    plain = text.replace("\\", "/")
    doubt = plain != text or _HIDDEN_SLASH.search(text) is not None
    plain = unquote(plain, errors="replace")
    doubt = doubt or _STILL_ENCODED.search(plain) is not None or "\ufffd" in plain or "\\" in plain
    names: list[str] = []
    told = plain.split("/")
    for at, name in enumerate(told):
        # What comes behind a semicolon is no part of the name for some servers.
        step = name.partition(";")[0]
        if step == ".." or step == ".":
            doubt = True
            names[1:] = names[1:-1] if step == ".." else names[1:]
        elif name or at in (0, len(told) - 1):
            names.append(name)
        else:
            doubt = True
    path = "/".join(names)
    return (path if path.startswith("/") else f"/{path}"), doubt
