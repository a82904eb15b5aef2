"""A message of the user as an agent takes it: what can be put into words is, where it takes nothing else. No I/O."""

from collections.abc import Sequence

from assent.acp.words import Introduction
from assent.model.json import JsonObject
from assent.model.message_parts import Kind, Part, images, inlined


def prompt_blocks(message: Sequence[Part], agent: Introduction) -> list[JsonObject]:
    """The blocks of a prompt, in their order. Words and links every agent takes."""
    return [_block(part, agent) for part in message if part]


def left_out(message: Sequence[Part], agent: Introduction) -> list[str]:
    """What the agent takes in no form, by name."""
    return [] if agent.takes_images else [one.name or "an image" for one in images(message)]


def _block(part: Part, agent: Introduction) -> JsonObject:
    if isinstance(part, str):
        return _words(part)
    mime: JsonObject = {"mimeType": part.mime} if part.mime else {}
    uri: JsonObject = {"uri": part.uri} if part.uri else {}
    match part.kind:
        case Kind.LINK:
            return {"type": "resource_link", "uri": part.uri, "name": part.name, **mime}
        case Kind.TEXT if agent.takes_resources:
            return {"type": "resource", "resource": {"uri": part.uri, "text": part.content, **mime}}
        case Kind.IMAGE if agent.takes_images:
            return {"type": "image", "data": part.content, **mime, **uri}
    return _words(inlined([part]))


def _words(text: str) -> JsonObject:
    return {"type": "text", "text": text}
