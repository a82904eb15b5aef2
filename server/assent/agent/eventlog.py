"""What happened in a chat, numbered without gaps. Text that comes fast, or to a slow reader, is merged first."""

import asyncio
from collections.abc import Iterable
from dataclasses import field
from typing import Protocol

from assent.agent.ports import Keeper
from assent.lazy_dataclasses import dataclass
from assent.model.events import Chunk, Event, Passing
from assent.model.ids import CallId, RunId, SessionId
from assent.runtime.clock import Clock

MERGE_SECONDS = 0.033
NO_RUN = RunId("")


_Stream = tuple[RunId, CallId | None]
"""Whose text it is: of this run, said by the sub-agent of this call, or by the chat's own agent."""


@dataclass(slots=True)
class _Piece:
    thinking: bool
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Happened:
    """An event in its place."""

    session_id: SessionId
    run_id: RunId
    n: int
    event: Event | Passing
    passing: bool = False
    """It has no number of its own, but that of the event before, and is kept nowhere."""


class Reader(Protocol):
    """Who is told of events. `congested` means: it takes them, but has not sent the last ones yet."""

    def happened(self, happened: Happened) -> None: ...

    @property
    def congested(self) -> bool: ...


class EventLog:
    """The events of one chat. Everything but text goes out at once, and pushes out the text before it."""

    def __init__(
        self,
        session_id: SessionId,
        reader: Reader,
        clock: Clock,
        keeper: Keeper,
        kept: Iterable[tuple[RunId, Event]] = (),
    ) -> None:
        self._session_id = session_id
        self._reader = reader
        self.clock = clock
        self._keeper = keeper
        kept = tuple(kept)
        self._events: list[Event] = [event for _, event in kept]
        self._runs: list[RunId] = [run_id for run_id, _ in kept]
        """The run of each event. An event's number is its place: a chat can have very many of them."""
        self._pieces: dict[_Stream, list[_Piece]] = {}
        """The text that is not told yet, by who says it. What sub-agents say at the same time is merged for each."""
        self._timer: asyncio.TimerHandle | None = None
        self._last_flush = float("-inf")

    @property
    def last_n(self) -> int:
        return len(self._events)

    def since(self, n: int) -> tuple[Happened, ...]:
        """The events after the one with this number."""
        first = max(n, 0)
        told = zip(self._runs[first:], self._events[first:], strict=True)
        return tuple(self._as_told(number, run_id, event) for number, (run_id, event) in enumerate(told, first + 1))

    def add(self, event: Event, run_id: RunId = NO_RUN) -> None:
        """Records an event and tells it."""
        self._flush()
        self._record(event, run_id)

    def pass_on(self, event: Passing, run_id: RunId = NO_RUN) -> None:
        """Tells what nobody needs who is not here now. A reader that cannot keep up is not told."""
        if not self._reader.congested:
            self._reader.happened(Happened(self._session_id, run_id, self.last_n, event, passing=True))

    def add_text(self, text: str, run_id: RunId, *, thinking: bool = False, parent_call: CallId | None = None) -> None:
        """Records a piece of streamed text; it may be told together with the pieces that follow."""
        pieces = self._pieces.setdefault((run_id, parent_call), [])
        if not pieces or pieces[-1].thinking != thinking:
            pieces.append(_Piece(thinking))
        pieces[-1].texts.append(text)
        wait = self._last_flush + MERGE_SECONDS - self.clock.monotonic()
        if wait <= 0 and not self._reader.congested:
            self._flush()
        elif self._timer is None:
            self._schedule(max(wait, MERGE_SECONDS))

    def _schedule(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._due)

    def _due(self) -> None:
        self._timer = None
        if not self._pieces:
            return
        if self._reader.congested:
            self._schedule(MERGE_SECONDS)
        else:
            self._flush()

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._pieces:
            return
        told, self._pieces = self._pieces, {}
        self._last_flush = self.clock.monotonic()
        for (run_id, parent_call), pieces in told.items():
            for piece in pieces:
                text = "".join(piece.texts)
                self._record(
                    Chunk(None, text, parent_call) if piece.thinking else Chunk(text, None, parent_call), run_id
                )

    def _record(self, event: Event, run_id: RunId) -> None:
        self._events.append(event)
        self._runs.append(run_id)
        number = len(self._events)
        self._keeper.event(number, run_id, event)
        self._reader.happened(self._as_told(number, run_id, event))

    def _as_told(self, number: int, run_id: RunId, event: Event) -> Happened:
        return Happened(self._session_id, run_id, number, event)
