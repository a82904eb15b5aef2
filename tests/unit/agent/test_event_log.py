"""Events of a chat: numbered without gaps, text merged but never lost, a slow reader spared."""

from assent.agent.eventlog import NO_RUN, EventLog, Happened
from assent.agent.nowhere import NoKeeper
from assent.model.events import Chunk, DoneReason, Notice, RunDone
from assent.model.ids import CallId, RunId, SessionId
from assent.runtime.clock import SystemClock
from tests.support.clock import FakeClock
from tests.support.world import Watching, until

RUN, OTHER = RunId("run"), RunId("other")


def log(reader: Watching, clock: FakeClock | SystemClock | None = None) -> EventLog:
    return EventLog(SessionId("s"), reader, clock or FakeClock(), NoKeeper())


def texts(happenings: list[Happened]) -> str:
    return "".join(happened.event.text or "" for happened in happenings if isinstance(happened.event, Chunk))


async def test_the_first_piece_goes_out_at_once() -> None:
    reader = Watching()
    log(reader).add_text("a", RUN)

    assert [happened.event for happened in reader.happenings] == [Chunk("a")]


async def test_ten_thousand_deltas_are_merged_without_loss_or_reordering() -> None:
    reader, clock = Watching(), FakeClock()
    events = log(reader, clock)
    for number in range(10_000):
        clock.advance(0.001)
        events.add_text(f"{number} ", RUN)
    events.add(RunDone(DoneReason.STOP), RUN)

    assert texts(reader.happenings) == "".join(f"{number} " for number in range(10_000))
    # Ten seconds of text, about thirty messages a second.
    assert len(reader.happenings) < 10 * 35
    assert isinstance(reader.happenings[-1].event, RunDone)


async def test_a_congested_reader_is_told_nothing_until_it_has_read_and_then_everything_in_order() -> None:
    reader, clock = Watching(congested=True), FakeClock()
    events = log(reader, clock)
    for number in range(1_000):
        clock.advance(0.05)
        events.add_text(f"{number} ", RUN)
    assert reader.happenings == []

    reader.congested = False
    await until(lambda: reader.happenings, "the text")

    assert texts(reader.happenings) == "".join(f"{number} " for number in range(1_000))
    assert len(reader.happenings) == 1


class BusyForAWhile(Watching):
    """Has not sent the last ones yet, however often it is asked, until it has been asked often enough."""

    asked = 0

    @property  # type: ignore[override]
    def congested(self) -> bool:
        self.asked += 1
        return self.asked < 5

    @congested.setter
    def congested(self, _: bool) -> None:
        pass


async def test_a_reader_is_asked_again_until_it_can_take_the_text() -> None:
    reader = BusyForAWhile()
    log(reader).add_text("late", RUN)
    assert reader.happenings == []

    await until(lambda: reader.happenings, "the text")

    assert texts(reader.happenings) == "late"
    assert reader.asked == 5


async def test_text_that_waits_goes_out_by_itself() -> None:
    reader = Watching()
    events = log(reader, SystemClock())
    events.add_text("a", RUN)
    events.add_text("b", RUN)
    assert texts(reader.happenings) == "a"

    await until(lambda: texts(reader.happenings) == "ab", "the second piece")


async def test_anything_else_pushes_out_the_text_before_it_even_to_a_congested_reader() -> None:
    reader = Watching(congested=True)
    events = log(reader)
    events.add_text("before", RUN)
    events.add(Notice("now"), RUN)
    events.add_text("after", RUN)

    assert [type(happened.event) for happened in reader.happenings] == [Chunk, Notice]


async def test_text_of_different_kinds_and_runs_is_never_merged() -> None:
    reader = Watching(congested=True)
    events = log(reader)
    for text, run, thinking in (("a", RUN, False), ("b", RUN, True), ("c", OTHER, True), ("d", OTHER, False)):
        events.add_text(text, run, thinking=thinking)
    events.add(Notice("end"))

    told = [(happened.event, happened.run_id) for happened in reader.happenings]
    assert told == [
        (Chunk("a"), RUN),
        (Chunk(None, "b"), RUN),
        (Chunk(None, "c"), OTHER),
        (Chunk("d"), OTHER),
        (Notice("end"), NO_RUN),
    ]


async def test_numbers_have_no_gap_and_a_view_can_ask_for_what_it_missed() -> None:
    reader = Watching()
    events = log(reader)
    for number in range(10):
        events.add(Notice(str(number)))
        events.add_text("x", RUN)

    assert [happened.n for happened in reader.happenings] == list(range(1, events.last_n + 1))
    assert events.since(0) == tuple(reader.happenings)
    assert [happened.n for happened in events.since(5)] == list(range(6, events.last_n + 1))
    assert events.since(-3) == events.since(0)
    assert events.since(10_000) == ()


async def test_what_sub_agents_say_at_the_same_time_is_merged_for_each() -> None:
    reader, clock = Watching(), FakeClock()
    events = log(reader, clock)
    speakers = [None, CallId("a"), CallId("b")]
    for number in range(3_000):
        clock.advance(0.001)
        events.add_text(f"{number} ", RUN, thinking=number % 60 < 30, parent_call=speakers[number % 3])
    events.add(RunDone(DoneReason.STOP), RUN)

    chunks = [happened.event for happened in reader.happenings if isinstance(happened.event, Chunk)]
    for at, speaker in enumerate(speakers):
        told = "".join(one.text or one.thinking or "" for one in chunks if one.parent_call == speaker)
        assert told == "".join(f"{number} " for number in range(at, 3_000, 3))
    # Three seconds of text; not a message for each change of the speaker.
    assert len(chunks) < 3 * 3 * 35 * 2
