"""The text of a document as it comes into the index: read from the very file that was found, and masked."""

import hashlib

from assent.collections.passages import Passage, passages_of
from assent.collections.walking import Secrets, Stamp, stamp_of
from assent.lazy_dataclasses import dataclass
from assent.masking import mask_lines
from assent.model.errors import ToolFault
from assent.tools.disk import read_regular
from assent.tools.resolve import resolve
from assent.tools.text import decode

MOST_BYTES = 1024 * 1024
"""Of one document. What is larger was seldom written by a person."""
TOO_LARGE = f"larger than {MOST_BYTES // (1024 * 1024)} MiB"
NOT_TEXT = "no text, or in an encoding that cannot be told"
UNREADABLE = "cannot be read"


@dataclass(frozen=True, slots=True)
class Content:
    """What a document holds, or why nothing of it is known."""

    stamp: Stamp
    digest: str
    passages: tuple[Passage, ...] = ()
    fault: str | None = None


def content_of(path: str, name: str, stamp: Stamp, known: str | None, secrets: Secrets) -> Content | None:
    """The content of the file with this stamp. None where it is not that file any more: the next look tells more.

    With the digest that is `known`, nothing but the stamp is told: there is nothing new.
    """
    if stamp.size > MOST_BYTES:
        return Content(stamp, "", fault=TOO_LARGE)
    target = resolve(path)
    if target.real != path:
        return None
    try:
        content = read_regular(target, MOST_BYTES)
    except ToolFault:
        return Content(stamp, "", fault=UNREADABLE)
    if content is None:
        return None
    found = stamp_of(content.status)
    if content.digest == known:
        return Content(found, content.digest)
    text = decode(content.data) if content.whole else None
    if text is None:
        return Content(found, content.digest, fault=NOT_TEXT if content.whole else TOO_LARGE)
    # All of it at once: a secret may go on where a passage ends.
    masked = mask_lines(text.replace("\0", " "), secrets())[0]
    return Content(found, content.digest, tuple(passages_of(name, masked)))


def digest_of_name(text: str) -> str:
    """A short name for a long one, such as that of a folder."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
