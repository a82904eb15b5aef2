"""Everyone who watches is told; text waits for the slowest; nobody at all is told apart from nobody who can answer."""

import asyncio

from assent.agent.eventlog import Happened
from assent.app.hub import Hub
from assent.model.events import Notice
from assent.model.ids import RunId, SessionId
from tests.support.world import Watching, settled

HAPPENED = Happened(SessionId("s"), RunId("r"), 1, Notice("x"))


def hub(*watchers: Watching) -> Hub:
    made = Hub()
    for watcher in watchers:
        made.attach(watcher)
    return made


def test_all_are_told_until_they_leave() -> None:
    one, other = Watching(), Watching()
    told = hub(one, other)
    told.happened(HAPPENED)
    told.detach(other)
    told.detach(other)
    told.happened(HAPPENED)

    assert (len(one.happenings), len(other.happenings)) == (2, 1)


def test_one_slow_client_is_enough_to_wait() -> None:
    assert hub(Watching(), Watching(congested=True)).congested
    assert not hub(Watching()).congested
    assert not hub().congested


async def test_waiting_ends_when_all_can_take_more() -> None:
    slow, slower = Watching(congested=True), Watching(congested=True)
    waiting = asyncio.ensure_future(hub(slow, slower).drained())
    slow.congested = False
    await settled()
    assert not waiting.done()
    slower.congested = False
    await waiting


def test_nobody_to_ask_means_that_all_who_are_there_are_deaf() -> None:
    assert hub(Watching(deaf=True)).unattended()
    assert hub(Watching(deaf=True), Watching(deaf=True)).unattended()
    assert hub(Watching(deaf=True), Watching()).unattended() is None
    # A page that is closed for a while is not nobody.
    assert hub().unattended() is None
