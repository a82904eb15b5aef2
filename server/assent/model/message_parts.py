"""A message of the user in parts: words, and what goes with them at its place between them."""

import re
from collections.abc import Sequence
from enum import StrEnum

from assent.lazy_dataclasses import dataclass


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

_TEXT_ALONG = re.compile(r"\n[a-z][a-z0-9+.-]*:/\S*:\n```")
"""How a text begins that was put into the words of a message."""


def named(parts: Sequence[Part]) -> str:
    """The message in words, in which what goes with it is named only."""
    return "".join(part if isinstance(part, str) else _name(part) for part in parts)


def names_of_files(parts: Sequence[Part]) -> tuple[str, ...]:
    """The names of the texts and images that go with it, as they stand in its words."""
    beside = (part for part in parts if isinstance(part, Attachment) and part.kind is not Kind.LINK)
    return tuple(name for part in beside if (name := part.name or (part.uri if part.kind is Kind.TEXT else "")))


def images(parts: Sequence[Part]) -> tuple[Attachment, ...]:
    """The images that go with it."""
    return tuple(part for part in parts if isinstance(part, Attachment) and part.kind is Kind.IMAGE)


def inlined(parts: Sequence[Part]) -> str:
    """The message in words, for a model: texts stand in it, and images are named, which go beside it."""
    return "".join(part if isinstance(part, str) else _inlined(part) for part in parts)


def own_words(text: str) -> str:
    """What the user wrote of a message in words: not the texts that go along behind it."""
    along = _TEXT_ALONG.search(text)
    return text if along is None else text[: along.start()]


def fenced(text: str, language: str = "") -> str:
    """The text as a block that nothing in it can end."""
    fence = "`" * max(3, 1 + max(map(len, _runs(text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def _name(part: Attachment) -> str:
    if part.kind is Kind.IMAGE:
        return f"[image {part.name}]" if part.name else "[image]"
    return f"[{(part.name or part.uri) if part.kind is Kind.TEXT else (part.uri or part.name)}]"


def _inlined(part: Attachment) -> str:
    return f"\n{part.uri}:\n{fenced(part.content)}\n" if part.kind is Kind.TEXT else _name(part)


def _runs(text: str) -> list[str]:
    return ["`" * len(run) for run in "".join(sign if sign == "`" else " " for sign in text).split()]
