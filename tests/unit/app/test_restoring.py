"""A server that ends at any moment, and the one after it: what the model sees, what is asked, what runs, how often."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from assent.agent.chat import Agent
from assent.model.conversation import AssistantTurn, UserText
from assent.model.events import RunDone, RunFailed, ToolFinished
from assent.model.grants import KeyGrant
from assent.model.ids import SessionId
from assent.model.modes import Mode
from assent.store import writer
from assent.store.chats import MOST_TAKEN
from assent.store.codec import read_outcome
from tests.support import kept
from tests.support.kept_world import FOLDER, KeptWorld, Moment, results_of
from tests.support.world import AGENT, call, say, until


async def story(state: Path, moments: Path) -> list[Moment]:
    """Two calls, of which one runs with a click and one by itself; then one that goes on waiting."""
    first = [*say("Both. "), *call("count", n=1), *call("look", index=2, n=2)]
    world = KeptWorld(state, [first, call("count", n=3)])
    seen = world.keep_moments(moments)
    chat = world.chat()
    world.send(chat, "go")
    await world.allow(await world.question())
    await until(lambda: len(chat.history) == 3, "the first turn")
    await world.question()
    await world.records.store.settle()
    await world.end()
    return seen


async def check_moment(moment: Moment) -> tuple[int, int]:
    """What holds whenever the server was killed; how many chats came back, and how many calls were asked again."""
    ended = "SELECT call_id, outcome FROM outcomes JOIN calls USING (call_id) WHERE state = 'finished'"
    known = {call_id: read_outcome(outcome) for call_id, outcome in kept.rows(moment.state, ended)}
    world = KeptWorld(moment.state, [say("I see.")])
    await world.restore()
    chats = world.desk.chats()
    again = 0
    for chat in chats:
        before = results_of(chat.history)
        assert known.items() <= before.items(), "a result that was kept is the result"
        events = [happened.event for happened in chat.events.since(0)]
        assert sum(isinstance(event, (RunDone, RunFailed)) for event in events) == 1
        uses = [use for message in chat.history if isinstance(message, AssistantTurn) for use in message.calls]
        first = [use for use in uses if use.args == {"n": 1}]
        if moment.entered:
            # It had its effect: nobody is told that it did not run, and nobody is asked again.
            assert first, "what had an effect is in the history"
            assert before[first[0].call_id].ran
        asked = sum("asked again" in one.content for one in before.values())
        await until(lambda: len(world.broker.told()) == asked, "the cards")  # noqa: B023
        for question in world.broker.waiting(chat.session_id):
            again += 1
            assert question.card.interrupted
            await world.allow(question)
            await until(lambda: not len(world.desk._seat(chat.session_id).interrupted or ()), "its result")  # noqa: B023
            call_id = question.card.call.call_id
            assert results_of(chat.history)[call_id].ran
            ends = [one.event for one in chat.events.since(0) if isinstance(one.event, ToolFinished)]
            assert [end.call_id for end in ends].count(call_id) == 1
        sent = await world.send(chat, "and now?")
        assert sent.end.message is None
        assert results_of(world.model.requests[-1].messages) == results_of(chat.history)
        assert [one for one in world.model.requests[-1].messages if isinstance(one, UserText)][-1].text == "and now?"
        assert len(results_of(chat.history)) == len(uses)
    numbers = [args["n"] for args in world.tool.entered]
    assert len(numbers) == len(set(numbers)) == again
    assert not (moment.entered and 1 in numbers), "what has run is not run again"
    await world.end()
    return len(chats), again


async def test_killed_after_any_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_MOST_TOGETHER", 1)
    moments = await story(tmp_path / "state", tmp_path)

    seen = [await check_moment(moment) for moment in moments]

    assert len(moments) > 20
    assert {chats for chats, _ in seen} == {1}
    # Before the click, between the two, and for the one that was still waiting at the end.
    assert {again for _, again in seen} == {0, 1}
    assert seen[-1] == (1, 1), "a clean end lets the waiting call come back"
    assert any(moment.entered for moment in moments)


async def test_killed_again_while_the_chat_was_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_MOST_TOGETHER", 1)
    checked = 0
    for moment in (await story(tmp_path / "state", tmp_path))[::3]:
        copies = tmp_path / f"after-{moment.state.name}"
        world = KeptWorld(moment.state)
        seen = world.keep_moments(copies)
        await world.restore()
        await world.records.store.settle()
        await world.end()
        for again in seen:
            assert await check_moment(replace(again, entered=moment.entered)) in {(1, 0), (1, 1)}
            checked += 1

    assert checked > 30


async def test_the_model_sees_one_result_for_each_call_before_and_after_the_answer(tmp_path: Path) -> None:
    first = KeptWorld(tmp_path, [[*say("One. "), *call("count", n=1)]])
    chat = first.chat(Mode.ASK)
    first.send(chat, "count")
    await first.question()
    await first.end()

    world = KeptWorld(tmp_path, [say("So it waits."), say("So it ran.")])
    await world.restore()
    (chat,) = world.desk.chats()
    assert chat.mode is Mode.ASK
    question = await world.question()

    await world.send(chat, "what now?")
    (waiting,) = results_of(world.model.requests[0].messages).values()
    assert (waiting.code, waiting.ran) == ("interrupted", False)
    await world.allow(question)
    await until(lambda: world.tool.finished, "the call")
    await until(lambda: not len(world.desk._seat(chat.session_id).interrupted or ()), "its result")
    await world.send(chat, "and now?")
    (done,) = results_of(world.model.requests[1].messages).values()
    assert (done.content, done.ran) == ("counted 1", True)
    await world.end()

    third = KeptWorld(tmp_path)
    await third.restore()
    assert results_of(third.desk.chats()[0].history) == {done.call_id: done}
    assert third.broker.waiting() == ()
    await third.end()


async def test_what_was_allowed_for_the_chat_is_gone(tmp_path: Path) -> None:
    first = KeptWorld(tmp_path, [say("Hello.")])
    chat = first.chat()
    await first.send(chat, "hi")
    chat.grants.give(KeyGrant("count"))
    chat.tell_grants(bypass_agent=False, bypass_chat=False)
    await first.end()

    world = KeptWorld(tmp_path, [call("count", n=1)])
    await world.restore()
    (chat,) = world.desk.chats()
    assert chat.grants.all == ()
    world.send(chat, "count")
    await world.question()
    await world.end()


async def test_the_latest_chats_come_back_and_every_one_with_a_call_that_waits(tmp_path: Path) -> None:
    state = tmp_path / "state"
    first = KeptWorld(state, [call("count", n=1)])
    oldest = first.chat()
    first.send(oldest, "count")
    await first.question()
    for number in range(MOST_TAKEN + 3):
        first.clock.advance(1)
        await first.send(first.chat(), f"number {number}")
    await first.records.store.settle()
    killed = shutil.copytree(state, tmp_path / "killed")
    await first.end()

    world = KeptWorld(killed)
    await world.restore()
    titles = [chat.title for chat in world.desk.chats()]
    assert titles == ["count", *[f"number {number}" for number in range(3, MOST_TAKEN + 3)]]
    await world.end()


async def test_an_agent_that_is_defined_otherwise_answers_as_it_is_now_and_the_chat_says_so(tmp_path: Path) -> None:
    first = KeptWorld(tmp_path, [say("Hello.")])
    await first.send(first.chat(), "hi")
    await first.end()

    world = KeptWorld(tmp_path, [say("I am another.")], agents={})
    world.agents[AGENT] = Agent(AGENT, AGENT, "changed", lambda: world.model, digest="another")
    await world.restore()
    (chat,) = world.desk.chats()
    remarks = [getattr(happened.event, "text", "") for happened in chat.events.since(0)]
    assert "defined otherwise now" in remarks[-1]
    assert (await world.send(chat, "who are you?")).end.message is None
    await world.end()

    third = KeptWorld(tmp_path, agents={AGENT: world.agents[AGENT]})
    await third.restore()
    remarks = [getattr(happened.event, "text", "") for happened in third.desk.chats()[0].events.since(0)]
    assert sum("defined otherwise now" in remark for remark in remarks) == 1
    await third.end()


async def test_a_store_that_cannot_be_read_is_told_once_and_tried_again(tmp_path: Path) -> None:
    (tmp_path / "assent.sqlite3").mkdir()
    world = KeptWorld(tmp_path)

    await world.restore()

    (said,) = world.said
    assert "earlier chats cannot be shown" in said
    (tmp_path / "assent.sqlite3").rmdir()
    world.clock.advance(1)
    await world.restoring.wait(SessionId("never there"))
    await world.end()


async def test_a_chat_goes_to_one_process_and_never_from_a_living_one(tmp_path: Path) -> None:
    first = KeptWorld(tmp_path, [say("Hello.")])
    chat = first.chat()
    await first.send(chat, "hi")
    second, third = KeptWorld(tmp_path), KeptWorld(tmp_path)
    assert await second.records.chats.take_over(chat.session_id) is None
    await first.end()

    taken = [await one.records.chats.take_over(chat.session_id) for one in (second, third)]

    assert [one is not None for one in taken] == [True, False]
    assert await second.records.chats.orphans(FOLDER) == ((), False)
    assert await third.records.chats.orphans(FOLDER) == ((), True)
    await second.end()
    await third.end()


async def waiting_state(state: Path) -> None:
    """A chat with one call that waits, of a server that has ended."""
    world = KeptWorld(state, [call("count", n=1)])
    world.send(world.chat(), "count")
    await world.question()
    await world.end()


@pytest.mark.parametrize(
    "damage",
    [
        """subject = json_set(subject, '$.caller.path', json('["helper"]'))""",
        "subject = json_set(subject, '$.call.args', NULL)",
        "withheld = 1",
        "subject = json_set(subject, '$.call.call_id', 'of no turn')",
        "state = 'sleeping'",
        "subject = '{}'",
    ],
)
async def test_what_cannot_be_asked_again_as_it_was_did_not_run_and_says_so(tmp_path: Path, damage: str) -> None:
    await waiting_state(tmp_path)
    kept.change(tmp_path, f"UPDATE calls SET {damage}")

    world = KeptWorld(tmp_path)
    await world.restore()
    (chat,) = world.desk.chats()

    assert world.broker.waiting() == ()
    assert not world.desk._seat(chat.session_id).interrupted
    # The result that the clean end of the server gave it is as good.
    (result,) = results_of(chat.history).values()
    assert (result.code in {"interrupted", "cancelled", "secret_not_kept"}, result.ran) == (True, False)
    (ended,) = [one.event for one in chat.events.since(0) if isinstance(one.event, ToolFinished)]
    assert ended.call_id == result.call_id
    await world.end()
    assert kept.rows(tmp_path, "SELECT count(*) FROM calls") == [(0,)]
    again = KeptWorld(tmp_path)
    await again.restore()
    assert again.desk.chats()[0].events.last_n == chat.events.last_n, "nothing is told twice"
    await again.end()


async def test_a_row_that_claims_to_be_of_another_chat_and_agent_is_asked_in_its_own(tmp_path: Path) -> None:
    await waiting_state(tmp_path)
    forged = "json_set(subject, '$.caller.session_id', 'other', '$.caller.agent_id', 'x', '$.caller.agent_name', 'y')"
    kept.change(tmp_path, f"UPDATE calls SET subject = {forged}")

    world = KeptWorld(tmp_path)
    await world.restore()
    (chat,) = world.desk.chats()
    caller = (await world.question()).card.caller

    assert (caller.session_id, caller.agent_id, caller.agent_name) == (chat.session_id, AGENT, AGENT)
    await world.end()


async def test_closing_a_chat_that_came_back_withdraws_its_calls_and_forgets_it(tmp_path: Path) -> None:
    await waiting_state(tmp_path)
    world = KeptWorld(tmp_path)
    await world.restore()
    (chat,) = world.desk.chats()
    question = await world.question()

    await world.desk.close(chat.session_id)

    assert [(one.approval_id, ending.status, ending.by) for one, ending in world.client.endings] == [
        (question.approval_id, "cancelled", "stop")
    ]
    await world.end()
    for table in ("chats", "transcript", "messages", "turns", "outcomes", "calls"):
        assert kept.rows(tmp_path, f"SELECT count(*) FROM {table}") == [(0,)], table


async def test_what_runs_when_the_server_ends_in_an_orderly_way_has_its_result(tmp_path: Path) -> None:
    await waiting_state(tmp_path)
    world = KeptWorld(tmp_path)
    world.tool.hold = asyncio.Event()
    await world.restore()
    await world.allow(await world.question())
    await until(lambda: world.tool.entered, "the call")
    await world.end()

    third = KeptWorld(tmp_path)
    await third.restore()
    (chat,) = third.desk.chats()
    (result,) = results_of(chat.history).values()
    assert result.ran
    assert "effect is unknown" in result.content
    assert third.broker.waiting() == ()
    await third.end()


async def test_where_no_process_can_be_told_from_another_chats_are_not_kept_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "processes").write_text("no folder")
    world = KeptWorld(tmp_path, [say("Hello."), say("Still here.")])
    world.records.notices(world.said.append)
    chat = world.chat()

    for _ in range(2):
        assert (await world.send(chat, "hi")).end.message is None
        await world.records.store.settle()

    await until(lambda: world.said, "the words about it")
    (said,) = world.said
    assert "Chats are not kept beyond this window" in said
    await world.end()
    assert kept.rows(tmp_path, "SELECT count(*) FROM messages") == [(0,)]
