"""A message that takes a while to be whole: a stop that comes meanwhile is for it too, and so is no looser mode."""

import pytest

from assent.model.modes import Mode
from tests.support.world import World, call, settled


@pytest.mark.parametrize("replaces", [False, True], ids=["behind others", "in their place"])
async def test_a_stop_that_comes_before_it_is_whole_drops_it(replaces: bool) -> None:
    world = World([call("look")])
    chat = world.chat()
    moment = world.desk.moment(chat.session_id)
    await world.desk.stop(chat.session_id)
    sent = await world.desk.send(chat.session_id, "go", None, replace=replaces, sent=moment)

    assert not sent.begun
    assert world.reader.entered == []


async def test_one_that_was_stopped_itself_takes_nobody_s_place() -> None:
    world = World([call("count", n=7)])
    chat = world.chat()
    moment = world.desk.moment(chat.session_id)
    await world.desk.stop(chat.session_id)
    runs = world.send(chat)
    question = await world.question()
    late = world.desk.send(chat.session_id, "go", None, replace=True, sent=moment)
    await settled()
    assert world.broker.waiting() == (question,)
    await world.desk.stop(chat.session_id)
    await runs
    assert not (await late).begun


async def test_one_that_takes_a_place_begins() -> None:
    world = World([call("look")])
    chat = world.chat()
    moment = world.desk.moment(chat.session_id)
    sent = await world.desk.send(chat.session_id, "go", None, replace=True, sent=moment)
    assert sent.begun
    assert world.reader.entered == [{}]


async def test_a_looser_mode_that_is_chosen_meanwhile_is_for_the_next_one() -> None:
    world = World([call("count", n=7)])
    chat = world.chat()
    moment = world.desk.moment(chat.session_id)
    chat.mode = Mode.AUTO
    sent = world.desk.send(chat.session_id, "go", None, sent=moment)
    await world.question()
    assert world.tool.entered == []
    await world.desk.stop(chat.session_id)
    await sent
