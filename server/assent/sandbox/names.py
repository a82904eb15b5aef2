"""Which names in a folder are protected or secret, told fast: nearly all are neither, and one look says so."""

import re
from collections.abc import Iterable
from functools import lru_cache

from assent.policy.protected import folded, home_protection, is_secret, protection
from assent.policy.protected_places import FILES, PLACES, SECRET_FILES, SECRET_PLACES

SKIPPED = frozenset(
    {
        *("node_modules", ".venv", "site-packages", "dist-packages", "target", "__pycache__", ".tox", ".nox"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".pnpm-store", ".terraform"),
    }
)
"""Folders of what was installed or built. They hold a great many files, none of which acts by itself."""

_SOURCE = re.compile(r"id_.*\.(?:c|css|go|h|html|java|js|jsx|md|py|rb|rs|ts|tsx)", re.DOTALL)
"""Texts of a program with a name that begins as those of keys do."""


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(name).replace(r"\*", ".*") for name in sorted(set(names))), re.DOTALL)


_LASTS = _pattern([place[-1] for place, _ in PLACES] + [name for name, _ in FILES])
_SECRET_LASTS = _pattern([place[-1] for place in SECRET_PLACES] + list(SECRET_FILES))
_ON_THE_WAY = frozenset(
    place[:length]
    for place in (*(names for names, _ in PLACES), *SECRET_PLACES)
    for length in range(1, len(place))
    if place[0].startswith(".") or place[0] in {"library", "application support"}
)


@lru_cache(maxsize=65_536)
def _could_be(name: str) -> tuple[bool, bool]:
    plain = folded(name).split(":", maxsplit=1)[0].rstrip(" .")
    return _LASTS.fullmatch(plain) is not None, _SECRET_LASTS.fullmatch(plain) is not None


class Names:
    """Tells names below one place. What lies in a protected folder anyway is judged by its own name there."""

    def __init__(self, top: str, home: str, roots: tuple[str, ...]) -> None:
        self._start = len(top.rstrip("/")) + 1 if protection(top) or is_secret(top) else 0
        self._home = home
        self._roots = roots

    def judge(self, folder: str, name: str) -> tuple[bool, bool]:
        """Whether this entry is protected, and whether it is secret."""
        protected, secret = _could_be(name)
        path = f"{folder.rstrip('/')}/{name}"
        if protected or secret:
            told = path[self._start :]
            protected, secret = protected and protection(told) is not None, secret and is_secret(told)
            if secret and not protected and _SOURCE.fullmatch(folded(name)) is not None:
                # What is protected as a private key stays hidden, and so does all that lies in a secret place.
                secret = is_secret(told.rpartition("/")[0])
        if not protected and folder == self._home:
            protected = home_protection(path, self._home, self._roots) is not None
        return protected, secret


def leads_on(folder: str, home: str) -> bool:
    """Whether what is protected or secret in a home directory may lie below this folder of it."""
    below = folded(folder)[len(home.rstrip("/")) + 1 :].split("/")
    if below[0] == "library":
        return len(below) <= 2
    return tuple(below) in _ON_THE_WAY
