"""What a model is told of its machine, and of the project by the AGENTS.md of a trusted workspace: only as text."""

import asyncio
import platform
from collections.abc import Iterable

from assent.agent.prompt import Briefing, Instructions
from assent.app.grounds import Grounds
from assent.model.errors import ToolFault
from assent.model.ids import SessionId
from assent.tools.disk import read_regular
from assent.tools.places import locate
from assent.tools.text import decode

NAME = "AGENTS.md"
MOST_BYTES = 32 * 1024
"""Of one file. A longer one is cut, and the model is told so."""


async def briefing(grounds: Grounds, session_id: SessionId) -> Briefing:
    """What a model is told of where it works. A workspace that is not trusted tells it nothing."""
    workspace = grounds.workspace
    folders = () if grounds.trust.untrusted else workspace.folders
    found = await asyncio.to_thread(instructions_of, folders)
    roots, is_own = workspace.roots_of(session_id)(), not workspace.folders
    return Briefing(roots, machine(), found, is_own, workspace.unreachable)


def machine() -> str:
    """The system in a few words: models write commands for it."""
    told = platform.uname()
    return f"{told.system} ({told.machine})"


def instructions_of(folders: Iterable[str]) -> tuple[Instructions, ...]:
    """Those of each folder that has some. A link out of the folder, or what is no text, is as if it were not there."""
    found = (_read(folder) for folder in folders)
    return tuple(one for one in found if one is not None)


def _read(folder: str) -> Instructions | None:
    try:
        place = locate(f"{folder}/{NAME}", (folder,))
        content = read_regular(place.target, MOST_BYTES) if place.inside else None
    except (ToolFault, OSError):
        return None
    if content is None:
        return None
    text = decode(content.data, cut=not content.whole)
    return Instructions(f"{folder}/{NAME}", text, not content.whole) if text and text.strip() else None
