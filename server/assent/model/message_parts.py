"""A message of the user in parts: words, and what goes with them at its place between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What goes with a message."""

    LINK = "link"
    """A name of something, which its reader may look up."""
    TEXT = "text"
    """Something with its text."""
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Attachment:
    """Goes with the words of a message."""

    kind: Kind
    name: str
    uri: str = ""
    mime: str = ""
    content: str = ""
    """The text, or the image in base64."""


Part = str | Attachment


def named(parts: Sequence[Part]) -> str:
    """The message in words, in which what goes with it is named only."""
    return "".join(part if isinstance(part, str) else _name(part) for part in parts)


def inlined(parts: Sequence[Part]) -> str:
    """The message in words, for a model that takes nothing else: texts stand in it, and that an image is missing."""
    return "".join(part if isinstance(part, str) else _inlined(part) for part in parts)


def fenced(text: str, language: str = "") -> str:
    """The text as a block that nothing in it can end."""
    fence = "`" * max(3, 1 + max(map(len, _runs(text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def _name(part: Attachment) -> str:
    if part.kind is Kind.IMAGE:
        return f"[image {part.name}]" if part.name else "[image]"
    return f"[{part.uri or part.name}]"


def _inlined(part: Attachment) -> str:
    match part.kind:
        case Kind.TEXT:
            return f"\n{part.uri}:\n{fenced(part.content)}\n"
        case Kind.IMAGE:
            return "[image left out: it cannot be passed on]"
    return _name(part)


def _runs(text: str) -> list[str]:
    return ["`" * len(run) for run in "".join(sign if sign == "`" else " " for sign in text).split()]
