"""Which row of the transcript holds which event. Without I/O.

Streamed text is one row a block, however many pieces it came in. Other events can come in the middle of a text, and
cut it into several rows; what looks like a secret does not stop being one there. So the rows of a text are looked at
together: where masking them one by one would say something else than masking the whole, those that belong together
become one row, in the place of the first. While a text goes on, what follows its last blank is held back.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.model.events import Chunk, Event, Prompt, RunDone, RunFailed, ToolCalled
from assent.model.ids import CallId, RunId

STORE_EVERY_SECONDS = 1.0
TOGETHER, BLOCKS_TOGETHER = 16 * 1024, 32
"""So many characters, or rows, behind a row it is not looked at any more, unless it has taken in what follows it."""
LONG = 4 * 1024
"""Characters of a text in several rows from which on an interruption alone does not make it be looked at again."""
_BLANK = re.compile(r"\s")
_UP_TO_LAST_BLANK = re.compile(r".*\s", re.DOTALL)
_PLAIN_WORD = re.compile(r"[A-Za-z]{1,12}[.,:;!?)…]*")
_ENDS_BLOCK = (Prompt, ToolCalled, RunDone, RunFailed)

_Stream = tuple[RunId, bool, CallId | None]
"""Whose text it is: the run, whether it is reasoning, the call of a helper."""


@dataclass(frozen=True, slots=True)
class Row:
    """An event in its row; the same row again takes the place of the one before."""

    n: int
    run_id: RunId
    event: Event


@dataclass(slots=True)
class _Block:
    n: int
    stream: _Stream
    stored_at: float
    pieces: list[str] = field(default_factory=list)
    interrupted: bool = False
    ended: bool = False
    """Its text hardly goes on elsewhere: the model called, or was asked, or thinks."""
    stored: str = ""
    """What its row holds."""

    @property
    def text(self) -> str:
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def store(self, text: str) -> list[Row]:
        if text == self.stored:
            return []
        self.stored = text
        run_id, thinking, parent = self.stream
        return [Row(self.n, run_id, Chunk(None, text, parent) if thinking else Chunk(text, None, parent))]


class TranscriptRows:
    """Takes the events of one chat in their order, and gives the rows that are to be stored now."""

    def __init__(self, last: int, monotonic: Callable[[], float], mask: Callable[[str], str]) -> None:
        self._last = last
        self._mask = mask
        self._monotonic = monotonic
        self._block: _Block | None = None
        """The one that text goes to."""
        self._streams: dict[_Stream, list[_Block]] = {}

    def take(self, run_id: RunId, event: Event) -> list[Row]:
        """The rows that this event completes or changes."""
        if isinstance(event, Chunk):
            return self._take_chunk(run_id, event)
        rows = self._end_block() if isinstance(event, _ENDS_BLOCK) else self._interrupt()
        if isinstance(event, (RunDone, RunFailed)):
            rows += self._complete([stream for stream in self._streams if stream[0] == run_id])
        return [*rows, Row(self._next(), run_id, event)]

    def complete(self) -> list[Row]:
        """Nothing more comes to any text so far."""
        self._block = None
        return self._complete(list(self._streams))

    def _take_chunk(self, run_id: RunId, chunk: Chunk) -> list[Row]:
        rows: list[Row] = []
        text = (chunk.text if chunk.text is not None else chunk.thinking) or ""
        stream = (run_id, chunk.text is None, chunk.parent_call)
        if self._block is not None and self._block.stream != stream:
            rows = self._end_block()
        elif self._block is not None and self._block.interrupted:
            # The rest of a word still goes to the row in which the word began.
            blank = _BLANK.search(text)
            end = len(text) if blank is None else blank.start()
            self._block.pieces.append(text[:end])
            if blank is None:
                return []
            text, self._block = text[end:], None
        if self._block is None:
            self._block = _Block(self._next(), stream, self._monotonic())
            self._streams.setdefault(stream, []).append(self._block)
        self._block.pieces.append(text)
        return rows + self._store_now_and_then(self._block)

    def _store_now_and_then(self, block: _Block) -> list[Row]:
        now = self._monotonic()
        if now - block.stored_at < STORE_EVERY_SECONDS:
            return []
        block.stored_at = now
        return self._so_far(block.stream)

    def _interrupt(self) -> list[Row]:
        if self._block is None:
            return []
        self._block.interrupted = True
        blocks = self._streams[self._block.stream]
        if len(blocks) > 1 and sum(len(block.text) for block in blocks) > LONG:
            return self._store_now_and_then(self._block)
        return self._so_far(self._block.stream)

    def _end_block(self) -> list[Row]:
        block, self._block = self._block, None
        if block is None:
            return []
        block.ended = True
        return self._so_far(block.stream)

    def _so_far(self, stream: _Stream) -> list[Row]:
        """What can be stored of a text that may go on."""
        blocks = self._streams[stream]
        rows = _store(blocks, _whole_words(blocks), self._mask)
        while len(blocks) > 1 and _is_far_behind(blocks):
            del blocks[0]
        return rows

    def _complete(self, streams: Iterable[_Stream]) -> list[Row]:
        rows: list[Row] = []
        for stream in streams:
            blocks = self._streams.pop(stream)
            rows += _store(blocks, sum(len(block.text) for block in blocks), self._mask)
        return rows

    def _next(self) -> int:
        self._last += 1
        return self._last


def _whole_words(blocks: list[_Block]) -> int:
    """How much of a text can be stored although it may go on: whole words, and a block's last one that is of prose."""
    text = "".join(block.text for block in blocks)
    found = _UP_TO_LAST_BLANK.match(text)
    whole = found.end() if found else 0
    end = 0
    for block in blocks:
        start, end = max(end, whole), end + len(block.text)
        if end > whole:
            if not (block.ended and _PLAIN_WORD.fullmatch(text, start, end)):
                return whole
            whole = end
    return whole


def _is_far_behind(blocks: list[_Block]) -> bool:
    """Whether nothing that comes can change what the first row says; one that holds the next ones' text stays."""
    first, second = blocks[:2]
    whole = first.stored == first.text and second.stored
    behind = sum(len(block.text) for block in blocks[1:])
    return bool(whole) and (behind > TOGETHER or len(blocks) > BLOCKS_TOGETHER)


def _store(blocks: list[_Block], length: int, mask: Callable[[str], str]) -> list[Row]:
    """So many characters of a text, in the rows of its blocks."""
    texts: list[str] = []
    for block in blocks:
        texts.append(block.text[: max(length, 0)])
        length -= len(block.text)
    return [row for block, text in zip(blocks, _uncut(texts, mask), strict=True) for row in block.store(text)]


def _uncut(texts: list[str], mask: Callable[[str], str]) -> list[str]:
    """The same text, so divided that masking each part gives what masking the whole gives."""
    if sum(map(bool, texts)) < 2 or _is_harmless(texts, mask):
        return texts
    divided, at = texts[:1], 0
    for n, text in enumerate(texts[1:], start=1):
        if _is_harmless([divided[at], text], mask):
            divided.append(text)
            at = n
        else:
            divided[at] += text
            divided.append("")
    return divided if _is_harmless(divided, mask) else ["".join(texts), *([""] * (len(texts) - 1))]


def _is_harmless(parts: list[str], mask: Callable[[str], str]) -> bool:
    return "".join(map(mask, parts)) == mask("".join(parts))
