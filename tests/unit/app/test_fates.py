"""What becomes of calls that were cut off: a result that was kept tells more than how far the call was known to be."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.app.fates import Fates
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import AssistantTurn, Message, ToolOutcome, ToolResults, ToolUse
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Category, Mode
from assent.model.records import Ending, Entry, Stage, Subject
from assent.store.calls import CallState, CutOff
from assent.store.chat_rows import Heading, KeptChat
from tests.support import kept
from tests.support.kept_world import KeptWorld, results_of
from tests.support.world import call, say

CHAT = SessionId("chat")
HEADING = Heading(CHAT, "/w", "Agent", "Agent", "digest", Mode.ASK, "2026-01-01")


def cut_off(name: str, state: CallState = CallState.WAITING) -> CutOff:
    subject = Subject(
        ToolCall(CallId(name), "bash", {}), Caller("Agent", "Agent", CHAT, RunId("run")), Category.EXECUTE, Mode.ASK
    )
    return CutOff(subject, state, None, withheld=False)


def chat(calls: tuple[CutOff, ...], messages: tuple[Message, ...] = (), *outcomes: ToolOutcome) -> KeptChat:
    """A chat whose last turn wanted these calls."""
    uses = tuple(ToolUse(one.subject.call.call_id, "bash", {}) for one in calls)
    return KeptChat(HEADING, (), 0, messages, AssistantTurn("", uses), outcomes, calls, 0)


@pytest.mark.parametrize("in_history", [True, False])
@pytest.mark.parametrize("state", list(CallState))
def test_a_result_of_a_call_that_ran_stands_whatever_its_row_says(state: CallState, in_history: bool) -> None:
    result = ToolOutcome(CallId("a"), "bash", "done", ran=True)
    messages, beside = ((ToolResults((result,)),), ()) if in_history else ((), (result,))

    fates = Fates(chat((cut_off("a", state),), messages, *beside))

    assert fates.results() == {}
    assert fates.again == ()
    assert [(one.stage, one.ending) for one in fates.ends("now")] == (
        [] if state is CallState.FINISHED else [(Stage.FINISHED, Ending.DONE)]
    )


@pytest.mark.parametrize(
    ("code", "is_error", "ending"),
    [
        (None, False, Ending.DONE),
        ("tool_failed", True, Ending.FAILED),
        ("cancelled", True, Ending.STOPPED),
        ("outcome_unknown", True, Ending.UNKNOWN),
        ("result_lost", True, Ending.UNKNOWN),
    ],
)
def test_the_history_is_told_of_the_end_that_the_result_tells_of(
    code: str | None, is_error: bool, ending: Ending
) -> None:
    result = ToolOutcome(CallId("a"), "bash", "", is_error=is_error, code=code, ran=True)

    (entry,) = Fates(chat((cut_off("a", CallState.RUNNING),), (), result)).ends("now")

    said = code if ending is not Ending.UNKNOWN else "outcome_unknown"
    assert (entry.stage, entry.ending, entry.code) == (Stage.FINISHED, ending, said)


def test_a_result_that_says_that_it_did_not_run_does_not_stand_against_a_call_that_was_started() -> None:
    result = ToolOutcome(CallId("a"), "bash", "it waits")

    fates = Fates(chat((cut_off("a", CallState.RUNNING),), (ToolResults((result,)),), result))

    assert [one.code for one in fates.results().values()] == ["outcome_unknown"]
    assert [one.ending for one in fates.ends("now")] == [Ending.UNKNOWN]


class Counted(tuple[Message, ...]):
    """Messages that know how often they were gone through."""

    times = 0

    def __iter__(self) -> Iterator[Message]:
        Counted.times += 1
        return super().__iter__()


@pytest.mark.parametrize("number", [1, 300])
def test_a_long_chat_is_gone_through_as_often_for_many_calls_as_for_one(number: int) -> None:
    Counted.times = 0
    calls = tuple(cut_off(f"call {n}") for n in range(number))
    fates = Fates(chat(calls, Counted([AssistantTurn("text")] * 3)))

    assert len(fates.again) == number
    assert len(fates.results()) == len(list[Entry](fates.ends("now"))) == number
    assert Counted.times == 2


@pytest.mark.parametrize("state", ["running", "waiting"])
async def test_after_a_restart_the_chat_has_the_result_that_was_kept(tmp_path: Path, state: str) -> None:
    world = KeptWorld(tmp_path, [call("count", n=1), say("So it is.")])
    sent = world.send(world.chat(), "count")
    question = await world.question()
    await world.records.store.settle()
    (row,) = kept.rows(tmp_path, "SELECT * FROM calls")
    await world.allow(question)
    await sent
    await world.end()
    # As it would be had its end not come to the disk.
    kept.change(tmp_path, "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?)", *row)
    kept.change(tmp_path, "UPDATE calls SET state = ?", state)

    again = KeptWorld(tmp_path)
    await again.restore()

    (restored,) = again.desk.chats()
    (result,) = results_of(restored.history).values()
    assert (result.content, result.ran) == ("counted 1", True)
    assert again.broker.waiting() == ()
    await again.end()
    assert kept.rows(tmp_path, "SELECT count(*) FROM calls") == [(0,)]
    (ending,) = kept.rows(tmp_path, "SELECT json_extract(body, '$.ending') FROM entries ORDER BY n DESC LIMIT 1")
    assert ending == ("done",)
