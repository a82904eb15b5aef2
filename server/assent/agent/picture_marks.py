"""Pictures in what is sent to a model: what one costs, and what stands in their place that are not. No I/O."""

from collections.abc import Sequence
from dataclasses import replace

from assent.model.conversation import Spoken, ToolOutcome, ToolResults, UserText
from assent.model.message_parts import Attachment

PICTURE_BYTES = 5_500
"""Bytes of text that cost as much as a picture: most models count about 1,500 tokens, whatever its file has."""
_MARK_OF_RESULT = "\n[Not at hand any more, only named: {names}. Make the call again if it is still needed.]"
OF_RESULTS = "[The pictures of the results above, in their order.]"
"""What stands before them where a result itself can hold none."""
_NOT_SEEN = "\n[The picture is not sent: this model sees none. Work with what else is known of it, or ask the user.]"
_MARK = "\n[Not at hand any more, only named: {names}. The user can send what is still needed once more.]"


def marked(message: Spoken) -> Spoken:
    """The message, with a mark where it had pictures that are not at hand any more."""
    if isinstance(message, UserText) and message.picture_names and not message.pictures:
        return replace(message, text=marked_text(message), picture_names=())
    if isinstance(message, ToolResults) and any(one.picture_names and not one.pictures for one in message.results):
        return ToolResults(tuple(map(_marked_result, message.results)))
    return message


def _marked_result(outcome: ToolOutcome) -> ToolOutcome:
    if not outcome.picture_names or outcome.pictures:
        return outcome
    mark = _MARK_OF_RESULT.format(names=", ".join(outcome.picture_names))
    return replace(outcome, content=outcome.content + mark, picture_names=())


def pictures_of(message: Spoken) -> tuple[Attachment, ...]:
    """All that are at hand of this message."""
    match message:
        case UserText():
            return message.pictures
        case ToolResults(results):
            return tuple(picture for one in results for picture in one.pictures)
    return ()


def told_in_words(message: Spoken) -> Spoken:
    """The message as a model gets it that sees no pictures: that results have some is said, what they show is not."""
    if not isinstance(message, ToolResults):
        return message
    return ToolResults(
        tuple(
            replace(one, content=one.content + _NOT_SEEN, pictures=(), picture_names=()) if one.pictures else one
            for one in message.results
        )
    )


def marked_text(message: UserText) -> str:
    """Its text, with that mark."""
    names = () if message.pictures else message.picture_names
    return message.text + (_MARK.format(names=", ".join(names)) if names else "")


def without_pictures(message: Spoken) -> Spoken:
    """The message, with a mark in the place of its pictures."""
    if isinstance(message, UserText) and message.pictures:
        return marked(replace(message, pictures=()))
    if isinstance(message, ToolResults) and pictures_of(message):
        return marked(ToolResults(tuple(replace(one, pictures=()) for one in message.results)))
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
        pictures = pictures_of(message)
        if pictures and place < last and count * PICTURE_BYTES < too_much:
            count += len(pictures)
            done.append(without_pictures(message))
        else:
            done.append(message)
    return tuple(done), count
