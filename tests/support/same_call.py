"""A model that makes the very same call again and again, and a user who gives the same answer to it."""

from collections.abc import Awaitable, Callable

from assent.app.answers import Accepted
from assent.model.approval import Question
from assent.model.calls import PathUse
from tests.support.world import World, call, say

SAME = call("count", n=1)


def insisting(*paths: PathUse, times: int = 4) -> World:
    """A world in which the call is made so many times, and touches these."""
    world = World(turns=[*[SAME] * times, say("end")])
    world.tool.paths = paths
    return world


async def each(answer: Callable[[Question], Awaitable[Accepted]], world: World, times: int = 3) -> None:
    """The user answers so many questions, one after the other, in this way."""
    for _ in range(times):
        await answer(await world.question())
