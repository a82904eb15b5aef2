"""Protected names that are links: what they lead to is as protected as they are.

A repository may ship its hooks as a link to a folder of scripts, and a home directory may have its shell's start-up
files as links into a folder that happens to be the workspace. Whoever writes there writes what git or the shell runs.
"""

import os
from collections.abc import Iterable, Iterator

from assent.policy.protected import protection

_BELOW = (".git", ".config")
"""Folders whose own entries are protected one by one."""


def protected_links(grounds: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The protected names directly in these folders that are links, each with where it leads."""
    return tuple(
        (link, os.path.realpath(link)) for ground in dict.fromkeys(grounds) for link in _protected_links(ground)
    )


def aliases_of(real: str, links: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Those of these protected names under which this place can be reached as well."""
    found = []
    for link, target in links:
        if real == target or real.startswith(target.rstrip(os.sep) + os.sep):
            found.append(link + real[len(target) :])
        elif target.startswith(real.rstrip(os.sep) + os.sep):
            # A folder that holds what the link leads to.
            found.append(link)
    return tuple(found)


def _protected_links(ground: str) -> Iterator[str]:
    for folder in (ground, *(os.path.join(ground, name) for name in _BELOW)):  # noqa: PTH118 - as the system spells it
        try:
            with os.scandir(folder) as entries:
                yield from [entry.path for entry in entries if entry.is_symlink() and protection(entry.path)]
        except OSError:
            continue
