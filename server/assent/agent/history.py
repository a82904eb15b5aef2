"""What a chat remembers for its model: messages in order, kept beyond this process as they come."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from assent.agent.picture_marks import pictures_of
from assent.agent.ports import Keeper
from assent.media.pictures import stays_at_hand
from assent.model.conversation import Message, Summary, ToolOutcome, ToolResults, UserText
from assent.model.ids import CallId, RunId
from assent.model.message_parts import Attachment


class History:
    """The messages of one chat."""

    def __init__(self, keeper: Keeper, messages: Iterable[Message] = ()) -> None:
        self._keeper = keeper
        self._messages = list(messages)

    def append(self, message: Message) -> None:
        """The next message."""
        self._messages.append(message)
        self._keeper.message(len(self._messages) - 1, message)

    def begin_of(self, run_id: RunId) -> int | None:
        """The place of the message that began this run; None where it is not here, or not any more."""
        places = (n for n, one in enumerate(self) if isinstance(one, UserText) and one.run_id == run_id)
        return next(places, None)

    def go_on_from(self, place: int, message: UserText) -> None:
        """This message instead of all from this place on; what the user did meanwhile and the model was told stays."""
        notes = [one for one in self._messages[place:] if isinstance(one, UserText) and not one.by_user]
        self._messages[place:] = [*notes, message]
        self._keeper.cut(place, self._messages[place:])

    def let_old_pictures_go(self) -> tuple[str, ...]:
        """Only so many are at hand, the newest; says which are not any more. No row holds any of them."""
        sizes = [[_size(one) for one in _pictures(message)] for message in self]
        gone: list[str] = []
        for place, message in enumerate(self._messages[: stays_at_hand(sizes)]):
            if isinstance(message, UserText) and message.pictures:
                gone.extend(message.picture_names)
                self._messages[place] = replace(message, pictures=())
            elif isinstance(message, ToolResults) and _pictures(message):
                gone.extend(name for one in message.results if one.pictures for name in one.picture_names)
                self._messages[place] = ToolResults(tuple(replace(one, pictures=()) for one in message.results))
        return tuple(gone)

    def replace_outcome(self, outcome: ToolOutcome) -> bool:
        """Puts a result in the place of the one that this call had before; says whether it had one."""
        for index, message in enumerate(self._messages):
            if isinstance(message, ToolResults) and any(one.call_id == outcome.call_id for one in message.results):
                new = ToolResults(tuple(_chosen(one, outcome) for one in message.results))
                self._messages[index] = new
                self._keeper.message(index, new)
                return True
        return False

    def outcome(self, call_id: CallId) -> ToolOutcome | None:
        """The result that this call has in the history."""
        results = (one for message in self if isinstance(message, ToolResults) for one in message.results)
        return next((one for one in results if one.call_id == call_id), None)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    def __getitem__(self, index: int) -> Message:
        return self._messages[index]


def _pictures(message: Message) -> tuple[Attachment, ...]:
    return () if isinstance(message, Summary) else pictures_of(message)


def _size(picture: Attachment) -> int:
    """In bytes; it is written as base64."""
    return len(picture.content) * 3 // 4 - picture.content[-2:].count("=")


def _chosen(known: ToolOutcome, new: ToolOutcome) -> ToolOutcome:
    return new if known.call_id == new.call_id else known
