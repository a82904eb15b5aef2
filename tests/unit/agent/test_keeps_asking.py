"""An agent that asks for the very same call again and again: after the third no its run is halted."""

from assent.model.events import DoneReason, RunDone, RunFailed
from tests.support.same_call import SAME, each, insisting
from tests.support.world import World, call, say


async def test_the_third_no_to_the_same_call_halts_the_run() -> None:
    world = insisting()
    chat = world.chat()
    sent = world.send(chat)
    await each(world.deny, world)
    await sent
    (failed,) = world.of(chat, RunFailed)
    assert (failed.code, failed.again) == ("keeps_asking", True)
    assert "keeps asking" in failed.message
    assert "count 3 times" in failed.message
    assert "Never allow" in failed.message
    assert len(world.outcomes(chat)) == 3
    assert world.tool.entered == []


async def test_other_arguments_are_another_call() -> None:
    turns = [SAME, call("count", n=2), SAME, call("count", n=3), say("end")]
    world = World(turns=turns)
    chat = world.chat()
    sent = world.send(chat)
    await each(world.deny, world, times=4)
    await sent
    assert [done.reason for done in world.of(chat, RunDone)] == [DoneReason.STOP]


async def test_a_yes_is_no_denial() -> None:
    world = insisting()
    chat = world.chat()
    sent = world.send(chat)
    for answer in (world.deny, world.allow, world.deny, world.allow):
        await answer(await world.question())
    await sent
    assert [done.reason for done in world.of(chat, RunDone)] == [DoneReason.STOP]
    assert len(world.tool.entered) == 2


async def test_what_a_sub_agent_keeps_asking_for_halts_the_run_that_it_belongs_to() -> None:
    talks = {"Tidy": [SAME, SAME, SAME, SAME]}
    hand_on = call("run_subtask", title="Tidy", instructions="Tidy")
    world = World(turns=[hand_on, SAME, say("never said")], talks=talks)
    chat = world.chat()
    sent = world.send(chat)
    await each(world.deny, world)
    await sent
    assert [failed.code for failed in world.of(chat, RunFailed)] == ["keeps_asking"]


async def test_a_run_that_goes_on_counts_anew() -> None:
    world = insisting()
    chat = world.chat()
    sent = world.send(chat)
    await each(world.deny, world)
    await sent
    again = world.send(chat, "Do something else.")
    await world.deny(await world.question())
    await again
    assert [done.reason for done in world.of(chat, RunDone)] == [DoneReason.STOP]
