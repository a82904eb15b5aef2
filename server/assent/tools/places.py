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
    """Where a name leads once every symbolic link is followed."""

    shown: str
    """For people: relative where it lies in the folder that relative names start from, else in full."""
    real: str
    named: str
    inside: bool
    directory: str
    """The folder that relative names start from."""

    def use(self, access: Access, *, is_directory: bool = False) -> PathUse:
        """This place, as touched by a call."""
        return PathUse(self.real, self.shown, access, self.inside, is_directory, self.named)


def locate(name: str, roots: tuple[str, ...]) -> Place:
    """Where this name leads. Relative names start at the first workspace folder, or at the home directory."""
    base = roots[0] if roots else str(Path.home())
    plain = _plain(name)
    if "\0" in plain:
        return Place(name, plain, plain, inside=False, directory=base)
    absolute = str(Path(base) / os.path.expanduser(plain))  # noqa: PTH111 - Path's own raises where there is no such user
    real, start = os.path.realpath(absolute), os.path.realpath(base)
    inside = any(_within(real, os.path.realpath(root)) for root in roots)
    # Two workspace folders can hold the same relative name: it stands for the file in the first one only.
    shown = os.path.relpath(real, start) if inside and _within(real, start) else real
    return Place(shown, real, os.path.normpath(absolute), inside=inside, directory=base)


def _plain(name: str) -> str:
    if not name.lower().startswith("file:"):
        return name
    try:
        return unquote(urlsplit(name).path)
    except ValueError:
        return name


def _within(path: str, folder: str) -> bool:
    inner, outer = os.path.normcase(path), os.path.normcase(folder)
    return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)
