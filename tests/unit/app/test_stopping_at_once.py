"""A stop counts at once for all that goes on in a chat, also while a part of it takes its time to end."""

import asyncio

from assent.agent.chat import Agent, Chat
from assent.agent.mending import RUN_ENDED
from assent.agent.nowhere import NoKeeper
from assent.agent.resume import Interrupted
from assent.model.calls import Caller, ToolCall
from assent.model.conversation import AssistantTurn, ToolOutcome, ToolResults, ToolUse, UserText
from assent.model.events import DoneReason
from assent.model.ids import CallId, RunId, SessionId
from assent.model.modes import Mode
from tests.support.world import AGENT, CountingTool, World, call, settled, until


async def test_nothing_begins_after_a_stop_while_a_call_of_an_earlier_server_takes_its_time_to_end() -> None:
    go_on = asyncio.Event()
    slow = CountingTool("slow")
    slow.hold = asyncio.Event()
    world = World([[go_on.wait, *call("count", n=1)]], tools=[slow])
    chat = await with_a_call_of_an_earlier_server(world, "slow")
    await world.allow(await world.question())
    await until(lambda: slow.entered, "the call of the earlier server")
    sent = world.send(chat, mode=Mode.AUTO)
    await until(lambda: world.model.requests, "the request")

    stopping = asyncio.ensure_future(world.desk.stop(chat.session_id))
    await settled()
    go_on.set()

    assert await stopping
    assert (await sent).end.reason is DoneReason.CANCELLED
    assert (world.tool.entered, slow.finished) == ([], 0)
    assert len(world.model.requests) == 1


async def with_a_call_of_an_earlier_server(world: World, tool: str) -> Chat:
    """A chat that was restored, with one call that is asked for anew."""
    session_id, call_id = SessionId("restored"), CallId("earlier")
    told = [
        UserText("go"),
        AssistantTurn("", (ToolUse(call_id, tool, {}),)),
        ToolResults((ToolOutcome(call_id, tool, "It waits."),)),
    ]
    agent = Agent(AGENT, AGENT, "by hand", lambda: world.model)
    chat = world.desk.restore(session_id, agent, Mode.DEFAULT, [], told, NoKeeper())
    caller = Caller(AGENT, AGENT, session_id, RunId("earlier"))
    world.desk.resume(session_id, [Interrupted(ToolCall(call_id, tool, {}), caller)])
    return chat


async def test_a_call_of_an_earlier_server_does_not_begin_while_a_rehearsal_takes_its_time_to_end() -> None:
    world = World()
    chat = await with_a_call_of_an_earlier_server(world, "count")
    question = await world.question()
    rehearsals = world.desk._seat(chat.session_id).rehearsals
    rehearsing = rehearsals.start(_ends_late(), "rehearsal")
    await settled()

    stopping = asyncio.ensure_future(world.desk.stop(chat.session_id))
    await asyncio.sleep(0)
    answered = await asyncio.gather(world.allow(question), return_exceptions=True)

    assert await stopping
    assert rehearsing.done()
    assert (len(answered), world.tool.entered) == (1, [])


async def _ends_late() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        await settled()


async def test_no_chat_goes_on_while_another_takes_its_time_to_end_with_the_server() -> None:
    go_on = asyncio.Event()
    slow = CountingTool("slow")
    slow.hold = asyncio.Event()
    world = World([call("slow"), [go_on.wait, *call("count", n=1)]], tools=[slow])
    one, other = world.chat(Mode.AUTO), world.chat(Mode.AUTO)
    first = world.send(one)
    await until(lambda: slow.entered, "the slow call")
    second = world.send(other)
    await until(lambda: len(world.model.requests) == 2, "the request")

    ending = asyncio.ensure_future(world.desk.shut_down())
    await settled()
    go_on.set()
    await ending

    assert (await first).end.message == (await second).end.message == RUN_ENDED
    assert world.tool.entered == []
