"""Which row of the transcript holds which event. Without I/O.

Streamed text is one row a block, however many pieces it came in: a word that is split over two rows would be looked at
for secrets in halves. While a block goes on, what follows its last blank is held back; where other events come in
between, the rest of a word still goes to the row in which the word began.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from assent.model.events import Chunk, Event, Prompt, RunDone, RunFailed, ToolCalled
from assent.model.ids import CallId, RunId

STORE_EVERY_SECONDS = 1.0
_BLANK = re.compile(r"\s")
_UP_TO_LAST_BLANK = re.compile(r".*\s", re.DOTALL)
_ENDS_BLOCK = (Prompt, ToolCalled, RunDone, RunFailed)


@dataclass(frozen=True, slots=True)
class Row:
    """An event in its row; the same row again takes the place of the one before."""

    n: int
    run_id: RunId
    event: Event


@dataclass(slots=True)
class _Block:
    n: int
    run_id: RunId
    thinking: bool
    parent: CallId | None
    stored_at: float
    text: list[str] = field(default_factory=list)
    interrupted: bool = False

    def fits(self, run_id: RunId, chunk: Chunk) -> bool:
        return (self.run_id, self.thinking, self.parent) == (run_id, chunk.text is None, chunk.parent_call)

    def row(self, text: str) -> Row:
        chunk = Chunk(None, text, self.parent) if self.thinking else Chunk(text, None, self.parent)
        return Row(self.n, self.run_id, chunk)


class TranscriptRows:
    """Takes the events of one chat in their order, and gives the rows that are to be stored now."""

    def __init__(self, last: int, monotonic: Callable[[], float]) -> None:
        self._last = last
        self._monotonic = monotonic
        self._block: _Block | None = None

    def take(self, run_id: RunId, event: Event) -> list[Row]:
        """The rows that this event completes or changes."""
        if isinstance(event, Chunk):
            return self._take_chunk(run_id, event)
        rows = self.complete() if isinstance(event, _ENDS_BLOCK) else self._interrupt()
        return [*rows, Row(self._next(), run_id, event)]

    def complete(self) -> list[Row]:
        """Nothing more comes to the text so far."""
        block, self._block = self._block, None
        return [] if block is None else [block.row("".join(block.text))]

    def _take_chunk(self, run_id: RunId, chunk: Chunk) -> list[Row]:
        rows: list[Row] = []
        text = (chunk.text if chunk.text is not None else chunk.thinking) or ""
        if self._block is not None and not self._block.fits(run_id, chunk):
            rows = self.complete()
        elif self._block is not None and self._block.interrupted:
            blank = _BLANK.search(text)
            end = len(text) if blank is None else blank.start()
            self._block.text.append(text[:end])
            if blank is None:
                return []
            rows, text = self.complete(), text[end:]
        if self._block is None:
            self._block = _Block(self._next(), run_id, chunk.text is None, chunk.parent_call, self._monotonic())
        self._block.text.append(text)
        return rows + self._store_now_and_then(self._block)

    def _store_now_and_then(self, block: _Block) -> list[Row]:
        now = self._monotonic()
        if now - block.stored_at < STORE_EVERY_SECONDS:
            return []
        block.stored_at = now
        return _whole_words(block)

    def _interrupt(self) -> list[Row]:
        if self._block is None:
            return []
        self._block.interrupted = True
        return _whole_words(self._block)

    def _next(self) -> int:
        self._last += 1
        return self._last


def _whole_words(block: _Block) -> list[Row]:
    words = _UP_TO_LAST_BLANK.match("".join(block.text))
    return [] if words is None else [block.row(words.group())]
