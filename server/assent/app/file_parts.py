"""What of a file goes along with a message: its text, or the picture that its bytes are."""

from base64 import b64encode
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.media.kinds import Kind, recognise
from assent.media.pictures import LARGEST_PICTURE, picture_kind
from assent.model.errors import InvalidRequest, ToolFault
from assent.model.message_parts import Attachment
from assent.model.message_parts import Kind as PartKind
from assent.tools.declared_encoding import declared_for
from assent.tools.disk import Content, read_regular
from assent.tools.places import Place
from assent.tools.text import decode, may_be_text, why_no_text

MOST_BYTES = 200_000
"""Of one text: a model that needs more of it can read it by parts."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file as it goes along: just the bytes that were looked at."""

    attachment: Attachment
    size: int
    picture: str | None = None
    """What kind of picture it is."""


def part_of_file(place: Place) -> FilePart:
    """What it says, or shows, on the disk. Raises InvalidRequest where it cannot go along."""
    try:
        content = read_regular(place.target, LARGEST_PICTURE)
    except ToolFault as fault:
        raise refused(str(fault)) from fault
    if content is None:
        raise refused(f"{place.shown} does not exist")
    kind = picture_kind(content.data)
    return _text(place, content) if kind is None else _picture(place, content, kind)


def part_of_text(place: Place, text: str) -> FilePart:
    """The text that it has in the editor, unsaved."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise _too_big(place, size, "files", MOST_BYTES)
    return _as_text(place, text, size)


def refused(text: str) -> InvalidRequest:
    """Why something cannot go along."""
    return InvalidRequest(text.rstrip("."), "params.attachments")


def _picture(place: Place, content: Content, kind: Kind) -> FilePart:
    if not content.whole:
        raise _too_big(place, content.size, "pictures", LARGEST_PICTURE)
    data = b64encode(content.data).decode("ascii")
    attachment = Attachment(PartKind.IMAGE, place.shown, _uri(place), kind.mime, data)
    return FilePart(attachment, content.size, kind.name)


def _text(place: Place, content: Content) -> FilePart:
    recognised = recognise(content.data)
    if recognised is not None:
        what = f"sound ({recognised.kind.name})"
        raise refused(f"{place.shown} is not text but {what}, and only texts and pictures can go along")
    if content.size > MOST_BYTES:
        raise _too_big(place, content.size, "files", MOST_BYTES)
    text = decode(content.data, declared=declared_for(place))
    if text is None and may_be_text(content.data):
        raise refused(f"{place.shown} cannot go along: {why_no_text(content.data)}")
    if text is None:
        raise refused(f"{place.shown} is neither text nor a picture that agents take (PNG, JPEG, GIF, WebP)")
    return _as_text(place, text, content.size)


def _as_text(place: Place, text: str, size: int) -> FilePart:
    return FilePart(Attachment(PartKind.TEXT, place.shown, _uri(place), "text/plain", text), size)


def _uri(place: Place) -> str:
    return Path(place.real).as_uri()


def _too_big(place: Place, size: int, what: str, most: int) -> InvalidRequest:
    return refused(f"{place.shown} has {size:,} bytes; {what} of up to {most:,} can go along")
