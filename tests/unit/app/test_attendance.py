"""Who is there: views, the connections that they belong to, and what the user does."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from assent.app.attendance import Attendance
from assent.model.errors import SessionNotFound
from assent.model.ids import SessionId, ViewId
from assent.model.patience import Countdown
from tests.support.world import World, call, until

LEFT, RIGHT = ViewId("left"), ViewId("right")


@dataclass
class Place:
    """A question that waits in one of two chats."""

    world: World
    attendance: Attendance
    chat: SessionId
    other: SessionId

    def runs(self) -> bool:
        countdown = self.world.timekeeper.countdown(self.world.broker.waiting()[0].approval_id)
        assert isinstance(countdown, Countdown)
        return countdown.running


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    world = World([call("count", n=1), call("count", n=2)])
    chat, other = world.chat(), world.chat()
    sent = world.send(chat)
    await world.question()
    yield Place(world, Attendance(world.desk, world.timekeeper), chat.session_id, other.session_id)
    await world.desk.stop(chat.session_id)
    await sent
    await world.timekeeper.end()


async def test_a_view_that_is_attached_is_somebody_until_the_last_is_gone(place: Place) -> None:
    assert place.runs()
    place.attendance.attached(place.chat, LEFT, "window")
    assert not place.runs()
    place.attendance.attached(place.chat, RIGHT, "window")
    place.attendance.detached(place.chat, LEFT)
    assert not place.runs()
    place.attendance.detached(place.chat, RIGHT)
    assert place.runs()


async def test_a_view_of_another_chat_is_somebody_too(place: Place) -> None:
    place.attendance.attached(place.other, LEFT, "window")
    assert not place.runs()
    place.attendance.detached(place.chat, LEFT)
    assert not place.runs()
    place.attendance.detached(place.other, LEFT)
    assert place.runs()


async def test_a_view_that_nobody_touched_since_the_question_is_nobody(place: Place) -> None:
    place.attendance.attached(place.chat, LEFT, "window")
    first = place.world.broker.told()[0]
    await place.world.deny(first)
    await until(lambda: place.world.broker.told() not in ((), (first,)), "the next question")
    assert place.runs()
    place.attendance.active(place.chat)
    assert not place.runs()


async def test_with_its_chat_goes_the_view(place: Place) -> None:
    place.attendance.attached(place.other, LEFT, "window")
    await place.world.desk.close(place.other)
    assert not place.runs()
    place.attendance.look()
    assert place.runs()


async def test_with_its_connection_goes_the_view_and_no_other(place: Place) -> None:
    place.attendance.attached(place.chat, LEFT, "old page")
    place.attendance.attached(place.chat, RIGHT, "new page")
    place.attendance.gone("old page")
    assert not place.runs()
    assert not place.world.desk.shows(LEFT, place.chat) and place.world.desk.shows(RIGHT, place.chat)
    # A page that took a view over keeps it when the one before is gone.
    place.attendance.attached(place.chat, RIGHT, "newest page")
    place.attendance.gone("new page")
    assert not place.runs()
    place.attendance.gone("newest page")
    assert place.runs()


async def test_what_names_no_chat_is_nobody(place: Place) -> None:
    nowhere = SessionId("nowhere")
    for act in (
        lambda: place.attendance.attached(nowhere, LEFT, "window"),
        lambda: place.attendance.detached(nowhere, LEFT),
        lambda: place.attendance.active(nowhere),
    ):
        with pytest.raises(SessionNotFound):
            act()
    assert place.runs()
