"""Pictures and sounds on the wire: only of kinds that a page shows."""

from typing import cast, get_args

from assent.model.conversation import MadeFile
from assent.protocol.events import MadeInfo
from assent.protocol.words import MediaType


def made_info(made: MadeFile | None) -> MadeInfo | None:
    """What a page is told of what a call has made; nothing, where it could not show it."""
    mime = media_type(made.mime) if made is not None else None
    return MadeInfo(mime, made.size) if made is not None and mime is not None else None


def media_type(mime: str) -> MediaType | None:
    """The kind as one of the words of the wire."""
    return cast("MediaType", mime) if mime in get_args(MediaType) else None
