"""The folders that an editor has open, as paths."""

import logging
import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from assent.settings.reading import is_workspace_file
from assent.tools.names import printable

logger = logging.getLogger(__name__)


def folders_on_disk(uris: Iterable[str]) -> tuple[str, ...]:
    """Where these lead on this machine's disk; others are left out, because no tool could reach them."""
    return tuple(str(Path(path_of(parts.path)).resolve()) for parts in map(urlsplit, uris) if parts.scheme == "file")


def unreachable_folders(uris: Iterable[str]) -> tuple[str, ...]:
    """The others, for people: which it is, and what kind of place it is in."""
    elsewhere = [parts for parts in map(urlsplit, uris) if parts.scheme != "file"]
    names = (PurePosixPath(unquote(parts.path)).name or parts.netloc or parts.path for parts in elsewhere)
    return tuple(f"{printable(name)} ({parts.scheme})" for name, parts in zip(names, elsewhere, strict=True))


def workspace_file(named: str | None) -> Path | None:
    """The file of a workspace of several folders, as a path or a URI; None where what is named is none."""
    if not named:
        return None
    parts = urlsplit(named)
    file = Path(path_of(parts.path)) if parts.scheme == "file" else Path(named)
    if is_workspace_file(file):
        return file
    logger.warning("the client names a workspace file that is none: %s", printable(named[:200]))
    return None


def path_of(path: str) -> str:
    """The path that a URI spells. A percent sign in a folder's own name is spelled as well, so this is done once."""
    plain = unquote(path)
    if os.name != "nt":
        return plain
    # It brings HTTP and mail along, which take a while to load.
    from urllib.request import url2pathname

    # It spells out by itself, but for the colon behind a drive.
    return url2pathname(quote(plain, safe="/:"))
