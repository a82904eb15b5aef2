"""The bytes of one answer to deltas, in a stream or whole. Bounded, and without I/O."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from assent.jsontext import NotJson, read_json
from assent.model.conversation import Delta, TurnEnd
from assent.model.errors import ProviderFault
from assent.providers.dialect import Dialect
from assent.providers.framing import StreamEvent, framer

MOST_BYTES = 32 * 1024 * 1024
"""Of one answer. No turn of a model has so much to say."""


class Reading(Protocol):
    """One answer as it is read. Raises ProviderFault for what makes no sense."""

    ended: bool
    """The turn is whole: nothing that follows counts."""

    def feed(self, data: bytes) -> Iterator[Delta]: ...

    def end(self, *, broken: bool) -> Iterator[Delta]:
        """Nothing follows. `broken`: the connection ended before the answer did."""


class StreamReading:
    """A stream of events."""

    def __init__(self, dialect: Dialect) -> None:
        self.ended = False
        self._framer = framer(dialect.framing)
        self._reader = dialect.reader()
        self._size = 0

    def feed(self, data: bytes) -> Iterator[Delta]:
        """The deltas that these bytes complete."""
        self._size = _bounded(self._size + len(data))
        yield from self._events(self._framer.feed(data))

    def end(self, *, broken: bool) -> Iterator[Delta]:
        """What the server left to the end. A piece of an event that the break left behind is none."""
        if not broken:
            yield from self._events(self._framer.end())
        if not self.ended:
            yield from self._until_the_end(self._reader.end())

    def _events(self, events: Iterator[StreamEvent]) -> Iterator[Delta]:
        for event in events:
            if self.ended:
                return
            yield from self._until_the_end(self._reader.feed(event.name, event.data))

    def _until_the_end(self, deltas: Iterable[Delta]) -> Iterator[Delta]:
        for delta in deltas:
            self.ended = isinstance(delta, TurnEnd)
            yield delta
            if self.ended:
                return


class WholeReading:
    """An answer in one piece."""

    def __init__(self, dialect: Dialect) -> None:
        self.ended = False
        self._dialect = dialect
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[Delta]:
        """Nothing, until all is there."""
        _bounded(len(self._data) + len(data))
        self._data += data
        yield from ()

    def end(self, *, broken: bool) -> Iterator[Delta]:
        """All of it at once, or nothing of what is not whole."""
        if broken:
            return
        try:
            answer = read_json(bytes(self._data))
        except NotJson as fault:
            raise ProviderFault("malformed_answer", "it is not JSON, so nothing of it counts. Try again.") from fault
        yield from self._dialect.whole(answer)


def _bounded(size: int) -> int:
    if size > MOST_BYTES:
        raise ProviderFault("answer_too_big", f"it is longer than {MOST_BYTES >> 20} MB. Try again.")
    return size
