"""What a call wrote into a file, with what was there before its run: for a person who compares the two."""

import asyncio

from assent.agent.chat import Chat
from assent.agent.eventlog import Happened
from assent.app.checkpoints import Checkpoints
from assent.lazy_dataclasses import dataclass
from assent.model.errors import InvalidRequest
from assent.model.events import ToolFinished
from assent.model.ids import CallId
from assent.tools.places import Roots, locate


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """The file by its real name."""

    real_path: str
    before: str | None
    """None: what it held before the run is not known any more."""
    after: str


async def written_file(chat: Chat, call_id: CallId, roots: Roots, checkpoints: Checkpoints) -> WrittenFile:
    """What this call wrote. Raises InvalidRequest where that is not kept."""
    happened = _end_of(chat, call_id)
    end = happened.event if happened is not None else None
    if happened is None or not isinstance(end, ToolFinished) or end.path is None or end.content is None:
        raise InvalidRequest("what this call wrote is not kept any more", "params.toolCallId")
    place = await asyncio.to_thread(locate, end.path, roots())
    before = await checkpoints.found_by_run(chat.session_id, happened.run_id, place.real)
    return WrittenFile(place.real, before, end.content)


def _end_of(chat: Chat, call_id: CallId) -> Happened | None:
    told = reversed(chat.events.since(0))
    return next((one for one in told if isinstance(one.event, ToolFinished) and one.event.call_id == call_id), None)
