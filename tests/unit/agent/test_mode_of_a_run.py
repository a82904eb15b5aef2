"""The mode is the one that the message was sent with: tightening counts at once, loosening with the next message."""

import json

from assent.agent.chat import Chat
from assent.model.approval import OptionKind, ResolvedBy, Status
from assent.model.events import DoneReason, ModeChanged
from assent.model.modes import Mode
from tests.support.world import World, call, say, settled, until


def codes(world: World, chat: Chat) -> list[str | None]:
    return [outcome.code for outcome in world.outcomes(chat)]


async def test_tightening_to_plan_ends_the_writes_that_wait() -> None:
    world = World([[*call("count", n=1), *call("count", n=2, index=2)]])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(2)

    world.desk.set_mode(chat.session_id, Mode.PLAN, apply_now=False)
    await sent

    assert codes(world, chat) == ["blocked_in_plan_mode"] * 2
    assert {(end.status, end.by) for _, end in world.client.endings} == {(Status.REJECTED, ResolvedBy.POLICY)}
    assert world.tool.entered == []
    assert "blocked_in_plan_mode" in json.loads(world.outcomes(chat)[0].content)["error"]


async def test_tightening_to_ask_leaves_what_waits_and_asks_for_reading_too() -> None:
    world = World([call("count", n=1), call("look")])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()

    world.desk.set_mode(chat.session_id, Mode.ASK, apply_now=False)
    await settled()
    assert world.broker.waiting() == (question,)
    await world.allow(question)
    await until(lambda: world.client.questions[-1].card.call.tool == "look", "the card for reading")
    assert world.reader.entered == []
    await world.deny(world.broker.waiting()[0])
    await sent


async def test_loosening_waits_for_the_next_message() -> None:
    world = World([call("count", n=1), say("x"), call("count", n=2)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()

    world.desk.set_mode(chat.session_id, Mode.AUTO, apply_now=False)
    await settled()
    assert world.broker.waiting() == (question,)
    assert world.tool.entered == []
    await world.deny(question)
    await sent

    await world.send(chat, "next")
    assert world.tool.entered == [{"n": 2}]


async def test_unless_the_user_lets_it_count_now() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    await world.question()

    world.desk.set_mode(chat.session_id, Mode.AUTO, apply_now=True)
    await sent

    assert world.tool.entered == [{"n": 1}]
    assert [(end.status, end.by) for _, end in world.client.endings] == [(Status.ALLOWED, ResolvedBy.POLICY)]


async def test_loosening_again_what_was_tightened_within_a_run_does_not_loosen_that_run() -> None:
    async def tighten_and_loosen() -> None:
        world.desk.set_mode(chat.session_id, Mode.PLAN, apply_now=False)
        world.desk.set_mode(chat.session_id, Mode.AUTO, apply_now=False)

    world = World([[tighten_and_loosen, *call("count", n=1)], call("count", n=2), say("x"), call("count", n=3)])
    chat = world.chat(Mode.AUTO)

    await world.send(chat)
    assert codes(world, chat) == ["blocked_in_plan_mode"] * 2
    assert world.tool.entered == []

    await world.send(chat, "next")
    assert world.tool.entered == [{"n": 3}]


async def test_a_message_may_carry_its_mode() -> None:
    world = World([call("count", n=1)])
    chat = world.chat(Mode.DEFAULT)

    await world.send(chat, mode=Mode.AUTO)

    assert world.tool.entered == [{"n": 1}]
    assert chat.mode is Mode.AUTO
    assert world.of(chat, ModeChanged) == [ModeChanged(Mode.AUTO)]


async def test_a_queued_message_keeps_the_mode_that_it_was_sent_with() -> None:
    world = World([call("count", n=1), say("x"), call("count", n=2)])
    chat = world.chat(Mode.DEFAULT)
    first = world.send(chat, "first")
    question = await world.question()
    second = world.send(chat, "second")
    world.desk.set_mode(chat.session_id, Mode.AUTO, apply_now=False)

    await world.deny(question)
    await first
    waiting = await world.question()

    assert world.tool.entered == []
    await world.deny(waiting)
    assert (await second).end.reason is DoneReason.STOP


async def test_a_queued_message_is_tightened_while_it_waits() -> None:
    world = World([call("look"), say("x"), call("count", n=2)])
    chat = world.chat(Mode.ASK)
    first = world.send(chat, "first")
    question = await world.question()
    second = world.send(chat, "second", Mode.AUTO)
    world.desk.set_mode(chat.session_id, Mode.PLAN, apply_now=False)

    await until(lambda: first.done() or world.broker.waiting(), "the first run")
    if not first.done():
        await world.deny(question)
    await second

    assert world.tool.entered == []
    assert codes(world, chat)[-1] == "blocked_in_plan_mode"


async def test_a_looser_queued_message_does_not_loosen_the_run_before_it() -> None:
    world = World([call("count", n=1), say("x"), call("count", n=2)])
    chat = world.chat(Mode.DEFAULT)
    first = world.send(chat, "first")
    question = await world.question()
    second = world.send(chat, "second", Mode.AUTO)
    await settled()

    assert world.broker.waiting() == (question,)
    await world.deny(question)
    await first
    await second
    assert world.tool.entered == [{"n": 2}]


async def test_the_card_shows_the_mode_that_counts_and_a_grant_outlives_a_mode() -> None:
    world = World([call("count", n=1), call("count", n=2)])
    chat = world.chat(Mode.DEFAULT)
    sent = world.send(chat)
    question = await world.question()
    world.desk.set_mode(chat.session_id, Mode.AUTO, apply_now=False)

    assert question.card.mode is Mode.DEFAULT
    await world.answer(question, OptionKind.ALLOW_SESSION)
    await sent
    assert len(world.tool.entered) == 2
