"""What can never work, seen before anyone is asked.

Only what no other call of the same turn could mend is an obstacle: a file that is missing may be written by the call
before, a pipe stays a pipe. The outcome of each is the one that carrying out the call would have.
"""

import errno
import os
import stat

from assent.model.errors import ToolFault
from assent.tools.faults import named, not_a_file, too_many_links
from assent.tools.handles import EFFECTIVE, MOST_NEW_FOLDERS, too_deep
from assent.tools.places import Place
from assent.tools.resolve import Target


def reading_obstacle(place: Place) -> ToolFault | None:
    """Why this file can never be read. Nothing is said of what lies outside: that would tell before it was asked."""
    if not place.inside:
        return None
    return _on_the_way(place.target) or _no_file(place.target) or _no_right(place.target, os.R_OK)


def writing_obstacle(place: Place) -> ToolFault | None:
    """Why this file can never be written."""
    if not place.inside:
        return None
    target = place.target
    return (
        _on_the_way(target)
        or _no_file(target)
        or _no_right(target, os.R_OK | os.W_OK)
        or _no_room_for_names(target)
        or _no_right_in_folder(target)
    )


def listing_obstacle(place: Place) -> ToolFault | None:
    """Why this folder can never be listed."""
    target = place.target
    if not place.inside:
        return None
    return _on_the_way(target) or _no_folder(target) or _no_right(target, os.R_OK | os.X_OK)


def searching_obstacle(place: Place, *, agreed: bool = False) -> ToolFault | None:
    """Why this folder, or this one file, can never be searched. `agreed`: also of a place outside."""
    target = place.target
    if not place.inside and not agreed:
        return None
    if target.is_folder:
        return _on_the_way(target) or _no_right(target, os.R_OK | os.X_OK)
    return _on_the_way(target) or _no_file(target) or _no_right(target, os.R_OK)


def working_obstacle(place: Place) -> ToolFault | None:
    """Why no command can run in this folder: there must be one already."""
    target = place.target
    if not place.inside:
        return None
    missing = named(errno.ENOENT, target.real) if target.mode is None else None
    return _on_the_way(target) or missing or _no_folder(target) or _no_right(target, os.X_OK)


def _on_the_way(target: Target) -> ToolFault | None:
    if target.loops:
        return too_many_links(target.real)
    return named(errno.ENOTDIR, target.real) if target.cut_by is not None else None


def _no_file(target: Target) -> ToolFault | None:
    if target.mode is None or stat.S_ISREG(target.mode):
        return None
    return named(errno.EISDIR, target.real) if stat.S_ISDIR(target.mode) else not_a_file(target.real)


def _no_folder(target: Target) -> ToolFault | None:
    if target.mode is None or stat.S_ISDIR(target.mode):
        return None
    return named(errno.ENOTDIR, target.real)


def _no_right(target: Target, wanted: int) -> ToolFault | None:
    if target.mode is None or _allowed(target.real, wanted):
        return None
    return named(_why_not(target.real), target.real)


def _no_right_in_folder(target: Target) -> ToolFault | None:
    if _allowed(target.anchor.path, os.W_OK | os.X_OK):
        return None
    return named(_why_not(target.anchor.path), target.real)


def _no_room_for_names(target: Target) -> ToolFault | None:
    if len(target.missing) > MOST_NEW_FOLDERS + 1:
        return too_deep(len(target.missing) - 1)
    longest = _longest_name(target.anchor.path)
    if any(len(os.fsencode(name)) > longest for name in target.missing):
        return named(errno.ENAMETOOLONG, target.real)
    return None


def _allowed(path: str, wanted: int) -> bool:
    return os.access(path, wanted, effective_ids=EFFECTIVE)


def _why_not(path: str) -> int:
    read_only = getattr(os, "ST_RDONLY", 0)
    try:
        status = os.statvfs(path) if hasattr(os, "statvfs") else None
    except OSError:
        return errno.EACCES
    return errno.EROFS if status is not None and status.f_flag & read_only else errno.EACCES


def _longest_name(folder: str) -> int:
    try:
        return os.pathconf(folder, "PC_NAME_MAX") if hasattr(os, "pathconf") else 255
    except (OSError, ValueError):
        return 255
