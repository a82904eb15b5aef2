"""Putting files back to what they were before a run: all of them, or, where one fails, none."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from assent.checkpoints.kept import KeptFile
from assent.checkpoints.review import Reviewed
from assent.model.errors import ToolFault
from assent.tools.change_preview import MAX_BYTES
from assent.tools.disk import MISSING, digest_of
from assent.tools.places import Place, locate
from assent.tools.replacing import remove_empty_folder, remove_file, set_mode
from assent.tools.writing import Writer

logger = logging.getLogger(__name__)


class NotRolledBack(ToolFault):
    """One file could not be put back, so that none was to be; `stuck` are those that are rolled back all the same."""

    def __init__(self, code: str, message: str, stuck: Sequence[Reviewed]) -> None:
        super().__init__(code, message)
        self.stuck = tuple(stuck)


async def roll_back(files: Sequence[Reviewed], writer: Writer) -> None:
    """Each of them is what it was before. Raises NotRolledBack, and then they are as they are now, as far as possible.

    A task that is cancelled leaves everything as it is at that moment: each file is the one or the other in whole.
    """
    done: list[Reviewed] = []
    try:
        for one in files:
            await put_back(one, writer)
            done.append(one)
    except ToolFault as fault:
        raise await _taken_back(done, writer, fault.code, str(fault)) from fault
    except Exception as fault:
        logger.exception("a roll back failed")
        words = f"The roll back failed with {type(fault).__name__}; details are in the log."
        raise await _taken_back(done, writer, "internal_error", words) from fault


async def _taken_back(done: Sequence[Reviewed], writer: Writer, code: str, words: str) -> NotRolledBack:
    stuck = [one for one in reversed(done) if not await _forth(one, writer)]
    names = ", ".join(one.place.shown for one in stuck)
    rest = f" These were rolled back all the same: {names}." if stuck else " Nothing was rolled back."
    return NotRolledBack(code, f"{words}{rest}", stuck)


async def remove_new_folders(gone: Sequence[KeptFile], all_files: Sequence[KeptFile]) -> None:
    """Takes away the folders that the run made and in which those files were, as far as nothing is in them any more.

    One that the run made may be there a second time by now: only what held a file of the run a moment ago is the same.
    """
    made = {folder for one in all_files for folder in _above(one)[: max(0, one.new_folders)]}
    left = {folder for one in gone if not one.existed for folder in _above(one)}
    await asyncio.to_thread(_remove, sorted(made & left, key=lambda folder: len(folder.parts), reverse=True))


def _above(one: KeptFile) -> tuple[Path, ...]:
    return tuple(Path(one.path).parents)


def _remove(folders: Sequence[Path]) -> None:
    for folder in folders:
        above = locate(str(folder.parent), ())
        if above.real == str(folder.parent):
            # What is in use, or not empty, stays.
            with suppress(ToolFault):
                remove_empty_folder(above.target, folder.name)


async def put_back(one: Reviewed, writer: Writer) -> None:
    """This file is what it was before, if it still is as it was looked at. Raises ToolFault."""
    place, file = one.place, one.file
    if not file.existed:
        if one.now.content is not None:
            expected = one.now.content.digest
            await asyncio.to_thread(remove_file, place.target, expected=expected, limit=MAX_BYTES)
        return
    assert one.before is not None
    expected_now = frozenset({one.now.state})
    await writer.put(place, one.before, expected=expected_now, limit=MAX_BYTES, document=one.document)
    if one.now.content is None or one.now.content.status.st_mode & 0o777 != file.mode:
        await asyncio.to_thread(set_mode, place.target, file.mode)


async def _forth(one: Reviewed, writer: Writer) -> bool:
    """What was rolled back is again what it was a moment ago. False: it could not be."""
    place = await asyncio.to_thread(_again, one.place)
    try:
        if one.now.content is None:
            made = digest_of(one.before or b"")
            await asyncio.to_thread(remove_file, place.target, expected=made, limit=MAX_BYTES)
            return True
        left = MISSING if not one.file.existed else digest_of(one.before or b"")
        document = await writer.document(place)
        data = one.now.data if one.now.is_unsaved else one.now.content.data
        await writer.put(place, data, expected=frozenset({left}), limit=MAX_BYTES, document=document)
        with suppress(ToolFault):
            await asyncio.to_thread(set_mode, place.target, one.now.content.status.st_mode)
    except Exception as fault:
        # Whatever it is: the others have to be taken back as well.
        logger.warning("a file stays rolled back, although others could not be", exc_info=fault)
        return False
    return True


def _again(place: Place) -> Place:
    return locate(place.real, ())
