"""What a chat remembers for its model: messages in order, kept beyond this process as they come."""

from collections.abc import Iterable, Iterator

from assent.agent.ports import Keeper
from assent.model.conversation import Message, ToolOutcome, ToolResults
from assent.model.ids import CallId


class History:
    """The messages of one chat."""

    def __init__(self, keeper: Keeper, messages: Iterable[Message] = ()) -> None:
        self._keeper = keeper
        self._messages = list(messages)

    def append(self, message: Message) -> None:
        """The next message."""
        self._messages.append(message)
        self._keeper.message(len(self._messages) - 1, message)

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


def _chosen(known: ToolOutcome, new: ToolOutcome) -> ToolOutcome:
    return new if known.call_id == new.call_id else known
