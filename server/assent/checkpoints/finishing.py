"""A roll back in the middle of which a server ended: the rest of it, for exactly what the user had agreed to.

Each file is looked at anew. What is as it was when the user agreed is put back; what is put back already stays so;
whatever is anything else by now is somebody's work, and is left. There is no way back from here: those that the earlier
server has put back cannot be taken back any more, so one that fails does not hold up the others.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import field

from assent.checkpoints.begun import Agreed, Begun
from assent.checkpoints.kept import Checkpoint, KeptFile
from assent.checkpoints.review import Reviewed, State
from assent.checkpoints.rolling_back import put_back, remove_new_folders
from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.tools.disk import MISSING
from assent.tools.replacing import set_mode
from assent.tools.writing import Writer

logger = logging.getLogger(__name__)

Look = Callable[[Checkpoint, KeptFile], Awaitable[Reviewed]]
"""How a file stands at this moment."""

SINCE_AGREED = "It changed after you agreed to the roll back."
NOTHING_KEPT = "What it was before the run is not kept any more."


@dataclass(slots=True)
class Finished:
    """How all files of it stand now."""

    restored: list[KeptFile] = field(default_factory=list)
    """As before the run, whichever server has put them back."""
    left: list[tuple[str, str]] = field(default_factory=list)
    """Those that are not, and why."""


def agreed(one: Reviewed) -> Agreed:
    """What the user agreed to about this file, who looked at it just so."""
    mode = None if one.now.content is None else one.now.content.status.st_mode & 0o777
    return Agreed(one.file.path, one.place.shown, one.now.state, mode, one.file.before)


async def finish(begun: Begun, checkpoint: Checkpoint | None, look: Look, writer: Writer) -> Finished:
    """Does what is left of it. Nothing that fails keeps the rest from being done, or from being told."""
    finished = Finished()
    for one in begun.files:
        file = checkpoint.file(one.path) if checkpoint is not None else None
        if checkpoint is None or file is None or _wanted(file) != one.before:
            finished.left.append((one.shown, NOTHING_KEPT))
            continue
        why_not = await _tried(one, checkpoint, file, look, writer)
        if why_not is None:
            finished.restored.append(file)
        else:
            finished.left.append((one.shown, why_not))
    if checkpoint is not None:
        await remove_new_folders(finished.restored, checkpoint.files)
    return finished


async def _tried(one: Agreed, checkpoint: Checkpoint, file: KeptFile, look: Look, writer: Writer) -> str | None:
    """Why it is not as before the run; None where it is."""
    try:
        now = await look(checkpoint, file)
        if now.state is State.SAME:
            await _with_its_mode(one, file, now)
            return None
        if not now.can_be_rolled_back:
            return now.note or SINCE_AGREED
        if now.now.state != one.was:
            return SINCE_AGREED
        await put_back(now, writer)
    except ToolFault as fault:
        return str(fault)
    except Exception as fault:
        logger.exception("the rest of a roll back failed")
        return f"It failed with {type(fault).__name__}; details are in the log."
    return None


async def _with_its_mode(one: Agreed, file: KeptFile, now: Reviewed) -> None:
    """The earlier server may have ended between the content of a file and who may use it."""
    if not file.existed or now.now.content is None:
        return
    mode = now.now.content.status.st_mode & 0o777
    if mode != file.mode and (one.was == MISSING or mode == one.was_mode):
        await asyncio.to_thread(set_mode, now.place.target, file.mode)


def _wanted(file: KeptFile) -> str | None:
    return file.before if file.existed else None
