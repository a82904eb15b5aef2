"""Which pictures an agent takes, as far as that is known before anything is sent to it."""

import binascii
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace

from assent.acp.session import Session
from assent.agent.chat import Agent
from assent.media.pictures import picture_kind, too_much
from assent.model.errors import InvalidRequest
from assent.model.message_parts import Attachment, Kind, Part, images


def why_no_pictures(agent: Agent, session: Session | None) -> str | None:
    """Why none can go along, and what to do. The session is that of an agent of others, where it has one."""
    if agent.guest is None:
        return None if agent.takes_pictures else _takes_none(agent)
    return _takes_none(agent) if session is not None and session.takes_pictures is False else None


def as_sent(agent: Agent, message: Sequence[Part]) -> tuple[Part, ...]:
    """The message with pictures that are some, whoever sent it. Raises InvalidRequest where one is none, or too large.

    An agent of others gets what an editor put beside the words as it is, or says that it takes none.
    """
    if agent.guest is not None or not images(message):
        return tuple(message)
    if not agent.takes_pictures:
        raise _refused(f"the message has pictures, and {_takes_none(agent)}")
    sizes: list[int] = []
    parts = tuple(_checked(part, sizes) for part in message)
    if (why := too_much(sizes)) is not None:
        raise _refused(f"the message was not sent: {why}")
    return parts


def _checked(part: Part, sizes: list[int]) -> Part:
    if not isinstance(part, Attachment) or part.kind is not Kind.IMAGE:
        return part
    data = _bytes(part.content)
    kind = picture_kind(data)
    if kind is None:
        raise _refused(f"{part.name or 'an image'} is no picture that models take (PNG, JPEG, GIF, WebP)")
    sizes.append(len(data))
    return replace(part, mime=kind.mime)


def _bytes(content: str) -> bytes:
    try:
        return b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _takes_none(agent: Agent) -> str:
    return f"{agent.name} takes none: leave it out, or ask an agent that takes pictures"


def _refused(text: str) -> InvalidRequest:
    return InvalidRequest(text, "params.attachments")
