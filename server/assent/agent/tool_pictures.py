"""Pictures that tools return: made ready for a model that sees, as many as one result may have."""

from base64 import b64encode
from collections.abc import Iterable

from assent.media.pictures import MOST_PICTURE_BYTES, MOST_PICTURES, Picture, look_at
from assent.model.message_parts import Attachment, Kind

Looked = tuple[str, Attachment | None]
"""What stands for a picture in the text of a result, and the picture itself where a model can be sent it."""


def shown(name: str, data: bytes, size: int | None = None) -> Looked | None:
    """This file as a picture; None where it is none."""
    found = look_at(data, len(data) if size is None else size)
    if found is None or isinstance(found, str):
        return None if found is None else (f"[image {name} {found}]", None)
    return f"[image {name}: {found.words}]", attached(name, data, found)


def attached(name: str, data: bytes, picture: Picture) -> Attachment:
    """As it goes along with a message."""
    return Attachment(Kind.IMAGE, name, "", picture.kind.mime, b64encode(data).decode("ascii"))


def as_many_as_fit(pictures: Iterable[Attachment]) -> tuple[Attachment, ...]:
    """The first of them, as one result may have."""
    kept: list[Attachment] = []
    size = 0
    for one in pictures:
        size += len(one.content) * 3 // 4
        if len(kept) == MOST_PICTURES or size > MOST_PICTURE_BYTES:
            break
        kept.append(one)
    return tuple(kept)
