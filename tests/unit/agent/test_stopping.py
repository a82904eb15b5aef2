"""Stop in every phase: nothing runs any more, each call has one result, and the run ends once, last, as cancelled."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest

from assent.agent import execute as execute_module
from assent.agent.chat import Chat
from assent.agent.mending import RUN_ENDED
from assent.model.approval import ResolvedBy, Status
from assent.model.conversation import AssistantTurn, CallArguments, CallStart, Delta, ModelRequest, UserText
from assent.model.errors import ApprovalAlreadyResolved, ProviderFault, SessionNotFound
from assent.model.events import DoneReason, RunDone, RunFailed
from assent.model.modes import Mode
from tests.support.scale import limit
from tests.support.world import CountingTool, HandModel, World, call, say, settled, until


def check_cancelled(world: World, chat: Chat) -> list[Any]:
    """The run ended once, last, as cancelled; the outcomes of its calls."""
    events = world.events(chat)
    assert [event for event in events if isinstance(event, (RunDone, RunFailed))] == [RunDone(DoneReason.CANCELLED)]
    assert events[-1] == RunDone(DoneReason.CANCELLED)
    assert world.broker.waiting() == ()
    return world.outcomes(chat)


async def stop(world: World, chat: Chat) -> None:
    async with asyncio.timeout(limit(10)):
        assert await world.desk.stop(chat.session_id)


async def test_while_the_model_has_said_nothing() -> None:
    world = World([[asyncio.Event().wait]])
    chat = world.chat()
    sent = world.send(chat)
    await until(lambda: world.model.requests, "the request")

    await stop(world, chat)

    assert (await sent).end.reason is DoneReason.CANCELLED
    assert check_cancelled(world, chat) == []
    assert list(chat.history) == [UserText("go")]
    assert world.model.closed == 1


async def test_while_text_streams() -> None:
    world = World([[*say("half "), asyncio.Event().wait]])
    chat = world.chat()
    sent = world.send(chat)
    await until(lambda: chat.events.last_n > 1, "the text")

    await stop(world, chat)
    await sent

    check_cancelled(world, chat)
    (_, turn) = chat.history
    assert turn == AssistantTurn("half ", cut=True)


async def test_while_a_call_is_half_written() -> None:
    world = World([[CallStart(1, "count"), CallArguments(1, '{"n": 1}'), asyncio.Event().wait]])
    chat = world.chat(Mode.AUTO)
    sent = world.send(chat)
    await until(lambda: world.model.requests, "the request")
    await settled()

    await stop(world, chat)
    await sent

    assert check_cancelled(world, chat) == []
    assert world.tool.entered == []


@pytest.mark.parametrize("streaming", [True, False])
async def test_while_a_card_is_open(streaming: bool) -> None:
    world = World([[*call("count", n=1), *([asyncio.Event().wait] if streaming else [])]])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()

    await stop(world, chat)
    await sent

    (outcome,) = check_cancelled(world, chat)
    assert outcome.code == "cancelled"
    assert world.tool.entered == []
    assert [(end.status, end.by) for _, end in world.client.endings] == [(Status.CANCELLED, ResolvedBy.STOP)]
    with pytest.raises(ApprovalAlreadyResolved) as late:
        await world.allow(question)
    assert late.value.status == "cancelled"
    await settled()
    assert world.tool.entered == []


async def test_while_a_tool_looks() -> None:
    world = World([call("count", n=1)])
    world.tool.look_hold = lambda: asyncio.Event().wait()
    chat = world.chat(Mode.AUTO)
    sent = world.send(chat)
    await until(lambda: world.tool.looks, "the look")

    await stop(world, chat)
    await sent

    (outcome,) = check_cancelled(world, chat)
    assert (outcome.code, outcome.ran) == ("cancelled", False)
    assert world.tool.entered == []


async def test_while_a_tool_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", 0.01)
    world = World([call("count", n=1)])
    world.tool.hold = asyncio.Event()
    chat = world.chat(Mode.AUTO)
    sent = world.send(chat)
    await until(lambda: world.tool.entered, "the tool")

    await stop(world, chat)
    await sent

    (outcome,) = check_cancelled(world, chat)
    assert (outcome.code, outcome.ran) == ("cancelled", True)
    assert len(world.tool.entered) == 1
    assert world.tool.finished == 0


async def test_while_calls_are_in_every_phase_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", 0.01)
    running = CountingTool("running")
    running.hold = asyncio.Event()
    turn = [
        *call("look", n=1),
        *call("count", n=2, index=2),
        *call("running", index=3),
        *call("nonsense", index=4),
        CallStart(5, "count"),
        asyncio.Event().wait,
    ]
    world = World([turn], tools=[running])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(2)
    await world.allow(world.broker.waiting()[1])
    await until(lambda: running.entered and world.reader.finished, "the running calls")

    await stop(world, chat)
    await sent

    outcomes = check_cancelled(world, chat)
    assert [(outcome.tool, outcome.code, outcome.ran) for outcome in outcomes] == [
        ("look", None, True),
        ("count", "cancelled", False),
        ("running", "cancelled", True),
        ("nonsense", "tool_not_found", False),
    ]


async def test_an_answer_and_a_stop_in_the_same_moment_agree_on_one_story() -> None:
    for gap in range(12):
        world = World([call("count", n=1)])
        chat = world.chat()
        sent = world.send(chat)
        question = await world.question()
        answering = asyncio.ensure_future(world.allow(question))
        for _ in range(gap):
            await asyncio.sleep(0)
        await stop_quietly(world, chat)
        await sent
        (result,) = await asyncio.gather(answering, return_exceptions=True)

        (outcome,) = world.outcomes(chat)
        assert len(world.tool.entered) == outcome.ran
        if isinstance(result, ApprovalAlreadyResolved):
            assert world.tool.entered == []


async def stop_quietly(world: World, chat: Chat) -> None:
    await world.desk.stop(chat.session_id)


async def test_a_stop_before_the_answer_is_a_stop() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    stopping = asyncio.ensure_future(world.desk.stop(chat.session_id))
    answering = asyncio.ensure_future(world.allow(question))
    await asyncio.gather(stopping, answering, return_exceptions=True)
    await sent

    outcomes = world.outcomes(chat)
    assert [outcome.ran for outcome in outcomes] == [False]
    assert world.tool.entered == []


class Stubborn(HandModel):
    """A model that does not take a stop for what it is."""

    def __init__(self, says: str) -> None:
        super().__init__([call("count", n=1)])
        self.says = says

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        self.requests.append(request)
        for step in self.turns[0][:3]:
            yield step  # type: ignore[misc]
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if self.says == "fault":
                raise ProviderFault("gone", "The connection was closed.") from None
            if self.says == "error":
                raise RuntimeError("closed") from None


@pytest.mark.parametrize("says", ["fault", "error", "end"])
async def test_a_provider_that_answers_a_stop_with_something_of_its_own_is_stopped_all_the_same(says: str) -> None:
    world = World()
    world.model = Stubborn(says)
    chat = world.chat()
    sent = world.send(chat)
    await world.question()

    await stop(world, chat)

    assert (await sent).end.reason is DoneReason.CANCELLED
    (outcome,) = check_cancelled(world, chat)
    assert outcome.code == "cancelled"


async def test_stopping_twice_stops_once() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    await world.question()

    await asyncio.gather(*(world.desk.stop(chat.session_id) for _ in range(3)))
    await sent

    check_cancelled(world, chat)
    assert not await world.desk.stop(chat.session_id)


async def test_cancelling_the_message_stops_its_run() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    await world.question()

    sent.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sent

    check_cancelled(world, chat)
    assert not world.desk.running(chat.session_id)


async def test_stop_drops_the_messages_that_wait_and_later_ones_run() -> None:
    world = World([[asyncio.Event().wait], say("later")])
    chat = world.chat()
    first, second = world.send(chat), world.send(chat, "second")
    await until(lambda: world.model.requests, "the request")

    await stop(world, chat)

    assert [(await sent).end.reason for sent in (first, second)] == [DoneReason.CANCELLED] * 2
    assert len(world.model.requests) == 1
    third = await world.send(chat, "third")
    assert third.end.reason is DoneReason.STOP


async def test_a_message_right_after_a_stop_is_not_stopped() -> None:
    """Both came in one moment, in this order; nothing ran before."""
    world = World([say("hello")])
    chat = world.chat()

    async def send() -> Any:
        return await world.send(chat)

    stopping, sending = asyncio.ensure_future(world.desk.stop(chat.session_id)), asyncio.ensure_future(send())

    assert not await stopping
    assert (await sending).end.reason is DoneReason.STOP


async def test_closing_a_chat_ends_its_cards_and_its_run() -> None:
    world = World([[*call("count", n=1), *call("count", n=2, index=2)]])
    chat = world.chat()
    sent = world.send(chat)
    queued = world.send(chat, "second")
    await world.question(2)

    await world.desk.close(chat.session_id)

    assert (await sent).end.reason is (await queued).end.reason is DoneReason.CANCELLED
    assert world.broker.waiting() == ()
    assert world.tool.entered == []
    assert len(world.client.endings) == 2
    with pytest.raises(SessionNotFound):
        world.desk.chat(chat.session_id)


async def test_the_end_of_the_server_says_so() -> None:
    world = World([call("count", n=1), call("count", n=1)])
    chats = [world.chat(), world.chat()]
    sents = [world.send(chat) for chat in chats]
    await world.question(2)

    await world.desk.shut_down()

    assert {end.by for _, end in world.client.endings} == {ResolvedBy.SHUTDOWN}
    assert len(world.client.endings) == 2
    for sent, chat in zip(sents, chats, strict=True):
        assert (await sent).end.message == RUN_ENDED
        ends = [event for event in world.events(chat) if isinstance(event, (RunDone, RunFailed))]
        assert ends == [world.events(chat)[-1]] == [RunFailed(RUN_ENDED, "server_ended", again=True)]
        assert [outcome.code for outcome in world.outcomes(chat)] == ["cancelled"]
    assert world.broker.waiting() == ()
    assert world.tool.entered == []


async def test_a_run_that_the_user_stopped_stays_so_when_the_server_ends() -> None:
    world = World([[asyncio.Event().wait]])
    chat = world.chat()
    sent = world.send(chat)
    await until(lambda: world.model.requests, "the request")

    await asyncio.gather(world.desk.stop(chat.session_id), world.desk.shut_down())

    assert (await sent).end.reason is DoneReason.CANCELLED
    check_cancelled(world, chat)


async def test_a_run_in_one_chat_does_not_hear_of_a_stop_in_another() -> None:
    world = World([call("count", n=1), call("count", n=1)])
    one, other = world.chat(), world.chat()
    sent_one, sent_other = world.send(one), world.send(other)
    await world.question(2)

    await stop(world, one)
    await sent_one

    (left,) = world.broker.waiting()
    assert left.session_id == other.session_id
    await world.allow(left)
    await sent_other
    assert len(world.tool.entered) == 1


Moment = Callable[[World, Chat], Awaitable[object]]
MOMENTS: dict[str, Moment] = {
    "stop": lambda world, chat: world.desk.stop(chat.session_id),
    "close": lambda world, chat: world.desk.close(chat.session_id),
    "shut down": lambda world, chat: world.desk.shut_down(),
}


@pytest.mark.parametrize("moment", MOMENTS)
async def test_at_any_moment_of_a_run_it_ends_whole(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps over the rounds of the loop from the message to the end: wherever the stop falls, the story is whole."""
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", 0.01)
    for rounds in range(40):
        world = World([[*say("x"), *call("look", n=1), *call("count", n=2, index=2)], say("y")])
        chat = world.chat(Mode.AUTO)
        sent = world.send(chat)
        for _ in range(rounds):
            await asyncio.sleep(0)
        async with asyncio.timeout(limit(10)):
            await MOMENTS[moment](world, chat)
            await asyncio.wait({sent})
        ends = [event for event in world.events(chat) if isinstance(event, (RunDone, RunFailed))]
        assert len(ends) <= 1
        if ends:
            assert world.events(chat)[-1] == ends[0]
        for outcome, tool in zip(world.outcomes(chat), (world.reader, world.tool), strict=False):
            assert len(tool.entered) == outcome.ran
