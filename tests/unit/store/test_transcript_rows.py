"""Which row holds which event: text is one row a block, and no word is ever split over two."""

import re

from hypothesis import given
from hypothesis import strategies as st

from assent.masking import mask_text
from assent.model.events import Chunk, DoneReason, Event, Notice, Phase, Prompt, RunDone, ToolCalled, ToolProgress
from assent.model.ids import CallId, RunId
from assent.model.modes import Category
from assent.store.transcript_rows import STORE_EVERY_SECONDS, Row, TranscriptRows

RUN = RunId("run")
PROGRESS = ToolProgress(CallId("c"), Phase.RUNNING)
CALLED = ToolCalled(CallId("c"), "tool", {}, Category.READ, "Tool")
DONE = RunDone(DoneReason.STOP)


class Kept:
    """The rows as a table would hold them, and every state that each of them was written in."""

    def __init__(self, last: int = 0) -> None:
        self.now = 0.0
        self.rows = TranscriptRows(last, lambda: self.now, lambda text: mask_text(text)[0])
        self.table: dict[int, Row] = {}
        self.written: list[str] = []

    def take(self, *events: Event, run: RunId = RUN) -> "Kept":
        for event in events:
            self._write(self.rows.take(run, event))
        return self

    def complete(self) -> "Kept":
        self._write(self.rows.complete())
        return self

    def _write(self, rows: list[Row]) -> None:
        for row in rows:
            self.table[row.n] = row
            if isinstance(row.event, Chunk):
                self.written.append(row.event.text or row.event.thinking or "")

    @property
    def events(self) -> list[Event]:
        return [self.table[n].event for n in sorted(self.table)]


def test_pieces_of_a_block_become_one_row() -> None:
    kept = Kept().take(Chunk("a b"), Chunk("c d"), DONE)

    assert kept.events == [Chunk("a bc d"), DONE]
    assert sorted(kept.table) == [1, 2]


def test_text_reasoning_and_runs_are_blocks_of_their_own() -> None:
    kept = Kept().take(Chunk(None, "hm"), Chunk("so"))
    kept.take(Chunk("else"), run=RunId("other")).complete()

    assert kept.events == [Chunk(None, "hm"), Chunk("so"), Chunk("else")]


def test_nothing_is_written_while_a_block_goes_on_until_a_second_has_passed() -> None:
    kept = Kept().take(Chunk("one "), Chunk("two thr"))
    assert kept.table == {}

    kept.now += STORE_EVERY_SECONDS
    kept.take(Chunk("ee fo"))
    assert kept.events == [Chunk("one two three ")]

    assert kept.take(Chunk("ur"), DONE).events == [Chunk("one two three four"), DONE]


def test_a_word_goes_to_the_row_in_which_it_began() -> None:
    kept = Kept().take(Chunk("see sk-12"), PROGRESS, Chunk("34"), PROGRESS, Chunk("56 and"), DONE)

    assert kept.events == [Chunk("see sk-123456"), PROGRESS, PROGRESS, Chunk(" and"), DONE]


def test_a_call_of_the_model_ends_its_text() -> None:
    kept = Kept().take(Chunk("Look:"), CALLED, Chunk("Next"), Prompt("user"))

    assert kept.events == [Chunk("Look:"), CALLED, Chunk("Next"), Prompt("user")]


def test_rows_go_on_after_those_that_were_there() -> None:
    assert sorted(Kept(last=7).take(Prompt("x"), Chunk("y"), DONE).table) == [8, 9, 10]


pieces = st.text("ab \n", max_size=5).map(Chunk)
between = st.sampled_from([PROGRESS, Notice("n")])


@given(st.lists(st.tuples(pieces | between, st.sampled_from([0.0, 0.4, 2.0]))))
def test_no_text_is_lost_and_no_word_is_split(story: list[tuple[Event, float]]) -> None:
    kept = Kept()
    for event, passed in story:
        kept.now += passed
        kept.take(event)
    kept.take(DONE)

    said = "".join(event.text or "" for event, _ in story if isinstance(event, Chunk))
    stored = [event.text or "" for event in kept.events if isinstance(event, Chunk)]
    assert "".join(stored) == said
    assert [event for event in kept.events if not isinstance(event, Chunk)] == [
        *(event for event, _ in story if not isinstance(event, Chunk)),
        DONE,
    ]
    words = set(re.findall(r"\S+", said))
    # Also what was written on the way, and replaced later, holds whole words only.
    for text in kept.written:
        assert set(re.findall(r"\S+", text)) <= words
