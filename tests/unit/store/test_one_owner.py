"""A chat that two windows take for theirs, because the sign of the first one's life was removed: nothing runs twice."""

import asyncio
import shutil
from pathlib import Path

import pytest

from assent.model.approval import Question, ResolvedBy
from assent.model.errors import NotRecorded
from assent.model.records import Ending, Entry, Stage
from assent.store.verify import verify
from tests.support import kept
from tests.support.kept_world import KeptWorld, results_of
from tests.support.world import call, say, until


async def waiting(state: Path) -> tuple[KeptWorld, Question]:
    """A living process, and the card of its one call."""
    world = KeptWorld(state, [call("count", n=1), say("So be it.")])
    world.send(world.chat(), "count")
    question = await world.question()
    await world.records.store.settle()
    return world, question


async def taken_by_another(state: Path) -> tuple[KeptWorld, Question]:
    """The window that takes the chat over, because nothing says any more that its process lives."""
    shutil.rmtree(state / "processes")
    world = KeptWorld(state)
    await world.restore()
    return world, await world.question()


def started(state: Path) -> int:
    """How many starts the history tells of."""
    (found,) = kept.rows(state, "SELECT count(*) FROM entries WHERE json_extract(body, '$.stage') = 'started'")
    return int(found[0])


@pytest.mark.parametrize("others_first", [True, False])
async def test_a_call_that_waits_in_two_windows_runs_in_the_one_that_has_the_chat(
    tmp_path: Path, others_first: bool
) -> None:
    first, old = await waiting(tmp_path)
    second, new = await taken_by_another(tmp_path)
    order = [(second, new), (first, old)] if others_first else [(first, old), (second, new)]

    for world, question in order:
        await world.allow(question)
    await until(lambda: second.tool.finished, "the call in the window that has the chat")
    await until(lambda: first.model.requests[1:], "the end of the call in the first window")

    assert (len(first.tool.entered), len(second.tool.entered)) == (0, 1)
    assert "open in another window" in str(first.model.requests[-1].messages[-1])
    for world in (first, second):
        await world.end()
    assert started(tmp_path) == 1
    assert verify(tmp_path).intact


async def test_it_does_not_run_here_after_the_other_window_has_run_it_and_closed_the_chat(tmp_path: Path) -> None:
    first, old = await waiting(tmp_path)
    second, new = await taken_by_another(tmp_path)
    await second.allow(new)
    await until(lambda: second.tool.finished, "the call")
    await second.desk.close(new.card.caller.session_id)
    await second.records.store.settle()

    await first.allow(old)
    await until(lambda: first.model.requests[1:], "the end of the call in the first window")

    assert first.tool.entered == []
    for world in (first, second):
        await world.end()
    assert started(tmp_path) == 1


async def test_nothing_of_what_was_to_be_written_with_the_start_is_kept(tmp_path: Path) -> None:
    first, old = await waiting(tmp_path)
    second, _ = await taken_by_another(tmp_path)
    subject = first.gate.recorder.subject_of_card(old.card)
    allowed = Entry(Stage.DECIDED, "now", subject, old.approval_id, ending=Ending.ALLOWED, by=ResolvedBy.USER)
    await second.records.store.settle()
    before = kept.rows(tmp_path, "SELECT count(*) FROM entries")

    with pytest.raises(NotRecorded, match="does not run here"):
        await first.records.journal.write(allowed, Entry(Stage.STARTED, "now", subject))

    assert kept.rows(tmp_path, "SELECT count(*) FROM entries") == before
    assert kept.rows(tmp_path, "SELECT state FROM calls") == [("waiting",)]
    assert first.records.store.trouble is None
    for world in (first, second):
        await world.end()


async def test_the_next_entry_of_a_call_makes_a_sign_of_life_that_was_removed_anew(tmp_path: Path) -> None:
    first, old = await waiting(tmp_path)
    shutil.rmtree(tmp_path / "processes")
    await first.allow(old)
    await until(lambda: first.tool.finished, "the call")
    await first.records.store.settle()

    other = KeptWorld(tmp_path)
    await other.restore()

    assert other.desk.chats() == ()
    for world in (other, first):
        await world.end()


@pytest.mark.parametrize("closes", [True, False])
async def test_the_window_that_lost_a_chat_changes_nothing_of_it(tmp_path: Path, closes: bool) -> None:
    first, old = await waiting(tmp_path)
    second, new = await taken_by_another(tmp_path)
    second.tool.hold = asyncio.Event()
    await second.allow(new)
    await until(lambda: second.tool.entered, "the call")

    await first.allow(old)
    await until(lambda: first.model.requests[1:], "the end of the call in the first window")
    if closes:
        await first.desk.close(old.card.caller.session_id)
    await first.end()
    assert kept.rows(tmp_path, "SELECT state FROM calls") == [("running",)], "it runs in the other window"
    second.tool.hold.set()
    await until(lambda: second.tool.finished, "the call")
    await until(lambda: not second.desk._seat(new.card.caller.session_id).interrupted, "its result")
    await second.end()

    third = KeptWorld(tmp_path)
    await third.restore()
    (chat,) = third.desk.chats()
    (result,) = results_of(chat.history).values()
    assert (result.content, result.ran) == ("counted 1", True)
    assert "open in another window" not in str(chat.events.since(0))
    await third.end()
