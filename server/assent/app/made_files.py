"""A picture or a sound that a call of a chat has made, read again from its file to be shown: that very one, or none."""

import asyncio

from assent.agent.chat import Chat
from assent.model.conversation import MadeFile
from assent.model.errors import InvalidRequest, ToolFault
from assent.model.events import ToolFinished
from assent.model.ids import CallId
from assent.tools.disk import read_regular
from assent.tools.resolve import resolve

MOST_SHOWN = 6 * 1024 * 1024
"""Bytes. What is larger is opened in a program of its own."""


async def made_file(chat: Chat, call_id: CallId) -> tuple[MadeFile, bytes]:
    """What this call made. Raises InvalidRequest where it is not there any more, in words for who wants to see it."""
    made = _made_by(chat, call_id)
    if made is None:
        raise InvalidRequest("this call has made nothing that could be shown", "params.toolCallId")
    if made.size > MOST_SHOWN:
        raise InvalidRequest(f"it is too large to be shown here ({made.size:,} bytes): open the file")
    return made, await asyncio.to_thread(_read, made)


def _made_by(chat: Chat, call_id: CallId) -> MadeFile | None:
    for one in reversed(chat.events.since(0)):
        if isinstance(one.event, ToolFinished) and one.event.call_id == call_id:
            return one.event.made
    return None


def _read(made: MadeFile) -> bytes:
    try:
        content = read_regular(resolve(made.path), made.size + 1)
    except ToolFault as fault:
        raise InvalidRequest(f"it cannot be shown: {fault}") from None
    if content is None:
        raise InvalidRequest("the file is not there any more")
    if content.digest != made.digest:
        raise InvalidRequest("the file is another one by now, so it is not shown as what this call made")
    return content.data
