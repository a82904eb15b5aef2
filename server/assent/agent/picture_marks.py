"""Pictures in what is sent to a model: what one costs, and what stands in their place that are not. No I/O."""

from collections.abc import Sequence
from dataclasses import replace

from assent.model.conversation import Spoken, UserText

PICTURE_BYTES = 5_500
"""Bytes of text that cost as much as a picture: most models count about 1,500 tokens, whatever its file has."""
_MARK = "\n[Not at hand any more, only named: {names}. The user can send what is still needed once more.]"


def marked(message: Spoken) -> Spoken:
    """The message, with a mark where it had pictures that are not at hand any more."""
    if isinstance(message, UserText) and message.picture_names and not message.pictures:
        return replace(message, text=marked_text(message), picture_names=())
    return message


def marked_text(message: UserText) -> str:
    """Its text, with that mark."""
    names = () if message.pictures else message.picture_names
    return message.text + (_MARK.format(names=", ".join(names)) if names else "")


def without_pictures(message: Spoken) -> Spoken:
    """The message, with a mark in the place of its pictures."""
    if isinstance(message, UserText) and message.pictures:
        return marked(replace(message, pictures=()))
    return message


def leave_out_old(messages: Sequence[Spoken], too_much: int, kept_whole: int) -> tuple[tuple[Spoken, ...], int]:
    """Without pictures, those of the oldest messages first, until so many bytes are saved, and how many those were.

    The latest messages keep theirs, and so does the user's last one: it is about them.
    """
    spoken_last = max((place for place, one in enumerate(messages) if isinstance(one, UserText)), default=0)
    last = min(len(messages) - kept_whole, spoken_last)
    done: list[Spoken] = []
    count = 0
    for place, message in enumerate(messages):
        pictures = message.pictures if isinstance(message, UserText) else ()
        if pictures and place < last and count * PICTURE_BYTES < too_much:
            count += len(pictures)
            done.append(without_pictures(message))
        else:
            done.append(message)
    return tuple(done), count
