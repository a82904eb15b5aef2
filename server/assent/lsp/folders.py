"""The folders that an editor has open, as paths."""

import logging
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

logger = logging.getLogger(__name__)


def folders_on_disk(uris: Iterable[str]) -> tuple[str, ...]:
    """Where these lead on this machine's disk; others are left out, because no tool could reach them."""
    paths = []
    for uri in uris:
        parts = urlsplit(uri)
        if parts.scheme == "file":
            paths.append(str(Path(path_of(parts.path)).resolve()))
        else:
            logger.warning("a workspace folder is not on this disk (scheme %s); tools cannot reach it", parts.scheme)
    return tuple(paths)


def path_of(path: str) -> str:
    """The path that a URI spells. A percent sign in a folder's own name is spelled as well, so this is done once."""
    plain = unquote(path)
    if os.name != "nt":
        return plain
    # It brings HTTP and mail along, which take a while to load.
    from urllib.request import url2pathname

    # It spells out by itself, but for the colon behind a drive.
    return url2pathname(quote(plain, safe="/:"))
