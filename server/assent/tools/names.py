"""The text of a path, before any disk is asked: what it says, what it must not say, how it is shown.

Everything here is pure. What is particular to Windows takes a flavour as an argument, so its tables are tested
everywhere; that Windows itself acts by these tables is not tested where there is no Windows.

On other systems `CON` and `a:b` are ordinary names, and drivers for foreign file systems map what these cannot hold,
so only Windows itself has the stricter rule. Case does matter elsewhere, too: `root_as_spelled` finds the part of a
path that may be a root in another spelling, and whoever may ask the disk finds out whether it is.
"""
# ruff: noqa: PTH118, PTH206 - pathlib tidies what it is given; here every segment counts as it stands

import os
import re
from collections.abc import Callable
from enum import Enum
from unicodedata import category, normalize
from urllib.parse import unquote_to_bytes

LONGEST = 4_096
"""Characters of a name that a call may give: more than a path can have on most systems."""


class Flavour(Enum):
    """Whose rules for names hold."""

    POSIX = "posix"
    WINDOWS = "windows"


HERE = Flavour.WINDOWS if os.name == "nt" else Flavour.POSIX

_SEPARATORS = re.compile(r"[\\/]+")
_DRIVE = re.compile(r"[A-Za-z]:")
_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])\Z", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>"|?*\x01-\x1f]')
_ADDRESS = re.compile(r"file:(?://(?P<host>[^/\\?#]*))?(?P<path>[^?#]*)(?P<rest>[?#].*)?\Z", re.IGNORECASE | re.DOTALL)


def is_address(name: str) -> bool:
    """Whether this is written as the address of a file, not as a path."""
    return name[:5].lower() == "file:"


def path_of(name: str, flavour: Flavour = HERE) -> str:
    """The path in an address, with its percent signs undone once; any other name as it is."""
    found = _ADDRESS.match(name) if is_address(name) else None
    if found is None:
        return name
    path = unquote_to_bytes(found["path"].encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
    return path[1:] if flavour is Flavour.WINDOWS and _DRIVE.match(path[1:]) else path


def name_fault(name: str, roots: tuple[str, ...] = (), flavour: Flavour = HERE) -> str | None:
    """What is wrong with a name whatever the disk holds, or None. NUL is left to the gate, which blocks it."""
    fault = _address_fault(name) if is_address(name) else None
    if fault is None and flavour is Flavour.WINDOWS:
        return _windows_fault(path_of(name, flavour), roots)
    return fault


def _address_fault(name: str) -> str | None:
    found = _ADDRESS.match(name)
    if found is None or not found["path"]:
        return "this address names no file"
    if (found["host"] or "").lower() not in ("", "localhost"):
        return f"this address names a file on another machine ({found['host']})"
    if found["rest"] is not None:
        return "a question mark or number sign ends the path in an address; written as %3F or %23 it is part of it"
    return None


def _windows_fault(path: str, roots: tuple[str, ...]) -> str | None:
    plain = path.replace("/", "\\")
    if plain.startswith(("\\\\?\\", "\\\\.\\", "\\??\\")):
        return "a path must not address a device"
    if plain.startswith("\\\\") and not any(_same_share(plain, root.replace("/", "\\")) for root in roots):
        # Only looking at it would already show that machine who is asking.
        return "a path must not lead to another machine"
    drive = _DRIVE.match(plain)
    if drive and plain[2:3] != "\\":
        return "a drive without a backslash after it means a folder that depends on where the program stands"
    segments = _SEPARATORS.split(plain[2:] if drive else plain)
    return next(filter(None, map(_segment_fault, segments)), None)


def _same_share(path: str, root: str) -> bool:
    mine, its = ([part.casefold() for part in text.split("\\")[2:4]] for text in (path, root))
    return root.startswith("\\\\") and len(its) == 2 and all(its) and mine == its


def _segment_fault(segment: str) -> str | None:
    if segment in ("", ".", ".."):
        return None
    if ":" in segment:
        return "a colon in a name addresses a hidden stream of the file"
    if _DEVICE.match(segment.split(".", maxsplit=1)[0].rstrip(" ")):
        return f"{printable(segment)} is the name of a device, with any ending"
    if _FORBIDDEN.search(segment):
        return f"{printable(segment)} holds a character that no name can hold here"
    if segment[-1] in ". ":
        return f"the dot or blank at the end of {printable(segment)!r} would be left out, which names another file"
    return None


def root_as_spelled(path: str, root: str, same: Callable[[str, str], bool]) -> str | None:
    """The beginning of `path` that is `root`, in the spelling of `path`, or None where it lies elsewhere.

    Another case or Unicode form is only a candidate: `same` tells whether both are one folder.
    """
    base = root.rstrip(os.sep)
    if path == root or path.startswith(base + os.sep):
        return path[: len(base)] or os.sep
    segments = path.split(os.sep)
    candidate = os.sep.join(segments[: base.count(os.sep) + 1])
    return candidate if _folded(candidate) == _folded(base) and same(candidate, root) else None


def _folded(path: str) -> str:
    return normalize("NFC", normalize("NFC", path).casefold())


_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_UNSEEN_OTHERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ODD_BLANK = re.compile(r"(?<![^/]) | (?=[/ ]|\Z)")


def printable(path: str, flavour: Flavour = HERE) -> str:
    """The path for people and models: what cannot be seen, or would turn the text round, is written out.

    Different paths never look the same, so a backslash is doubled where it can be part of a name.
    """
    plain = path if flavour is Flavour.WINDOWS else path.replace("\\", "\\\\")
    told = _ODD_BLANK.sub(r"\\x20", plain) if " " in plain else plain
    # Of ASCII, all that can be printed can be seen: most names hold nothing else.
    return told if told.isascii() and told.isprintable() else "".join(map(_seen, told))


def _seen(character: str) -> str:
    if " " <= character <= "~":
        return character
    kind = category(character)
    if kind in _UNSEEN or kind == "Zs" or _UNSEEN_OTHERS.match(character):
        return character.encode("unicode_escape").decode("ascii")
    return character
