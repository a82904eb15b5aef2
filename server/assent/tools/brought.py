"""Places that a command itself fills, perhaps with links: where a name in them leads by then, nobody knows."""

import os
import stat

from assent.model.commands import Part
from assent.model.paths import Access, PathUse
from assent.policy.reach import is_within

_UNPACKS = frozenset({"tar", "bsdtar", "unzip", "cpio", "rsync", "ln"})
_HANDS_ON = frozenset({"cp", "mv"})
COPIES = frozenset({*_HANDS_ON, "rsync"})
"""Programs that bring whole folders along."""


class Brought:
    """Grows with every part, in the order in which they run."""

    def __init__(self) -> None:
        self._places: list[str] = []

    def holds(self, use: PathUse) -> bool:
        """Whether the path lies where an earlier part can have put a link."""
        return any(is_within(name, place) for place in self._places for name in {use.real, use.named} if name)

    def after(self, part: Part) -> None:
        """This part has run."""
        if _brings_links(part):
            self._places += [use.real for use in part.paths if use.access is Access.WRITE]


def _brings_links(part: Part) -> bool:
    """Copying or moving plain files brings none."""
    if not part.steps:
        return False
    if part.steps[0] in _UNPACKS:
        return True
    return part.steps[0] in _HANDS_ON and not all(
        _is_plain_file(use) for use in part.paths if use.access is not Access.WRITE
    )


def _is_plain_file(use: PathUse) -> bool:
    try:
        return stat.S_ISREG(os.lstat(use.named or use.real).st_mode)
    except (OSError, ValueError):
        return False
