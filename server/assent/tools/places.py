"""From the path that a model names to the place that it means."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from assent.model.calls import Access, PathUse

Roots = Callable[[], tuple[str, ...]]
"""The workspace folders as they are now."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path as it was named, and where it leads once every symbolic link is followed."""

    shown: str
    real: str
    inside: bool
    directory: str
    """The folder that relative names start from."""

    def use(self, access: Access) -> PathUse:
        """This place, as touched by a call."""
        return PathUse(self.real, self.shown, access, self.inside)


def locate(name: str, roots: tuple[str, ...]) -> Place:
    """Where this name leads. Relative names start at the first workspace folder, or at the home directory."""
    base = roots[0] if roots else str(Path.home())
    plain = _plain(name)
    if "\0" in plain:
        return Place(name, plain, inside=False, directory=base)
    real = os.path.realpath(Path(base) / Path(plain).expanduser())
    root = next((root for root in roots if _within(real, os.path.realpath(root))), None)
    shown = str(Path(real).relative_to(os.path.realpath(root))) if root is not None else real
    return Place(shown, real, inside=root is not None, directory=base)


def _plain(name: str) -> str:
    parts = urlsplit(name) if name.lower().startswith("file:") else None
    return unquote(parts.path) if parts is not None else name


def _within(path: str, folder: str) -> bool:
    inner, outer = os.path.normcase(path), os.path.normcase(folder)
    return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)
