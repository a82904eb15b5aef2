"""A run from the message to its end: order, independence, and streams that break."""

import asyncio
from typing import Any

import pytest

from assent.agent import assemble
from assent.agent.run import Limits
from assent.model.conversation import (
    AssistantTurn,
    BlockEnd,
    CallArguments,
    CallStart,
    Memo,
    MemoDelta,
    StopReason,
    TextDelta,
    ThinkingDelta,
    ToolResults,
    TryingAgain,
    TurnEnd,
    Usage,
    UserText,
)
from assent.model.errors import ProviderFault, ToolFault
from assent.model.events import (
    Chunk,
    DoneReason,
    Notice,
    PermissionAsked,
    Prompt,
    RunDone,
    RunFailed,
    ToolCalled,
    ToolFinished,
    TurnUsage,
)
from assent.model.json import LARGEST_EXACT
from assent.model.modes import Category, Mode
from tests.support.world import CountingTool, Step, World, call, raw_call, say, settled, until

HALF_A_CALL: list[Step] = [CallStart(9, "count"), CallArguments(9, '{"n": 1}')]


def last(world: World, chat: Any) -> Any:
    """The last event, after checking that the run ended once."""
    events = world.events(chat)
    assert sum(isinstance(event, (RunDone, RunFailed)) for event in events) == 1
    return events[-1]


async def test_text_then_a_call_then_text() -> None:
    world = World([[ThinkingDelta("hm"), *say("I will count."), *call("look", n=1)], say("Done.")])
    chat = world.chat()
    sent = await world.send(chat, "count for me")

    assert sent.end.reason is DoneReason.STOP
    assert chat.history[0] == UserText("count for me")
    first, results, second = chat.history[1:]
    assert isinstance(first, AssistantTurn)
    assert (first.text, first.thinking, first.cut) == ("I will count.", "hm", False)
    assert isinstance(results, ToolResults)
    assert isinstance(second, AssistantTurn)
    assert second.text == "Done."
    names = [type(event).__name__ for event in world.events(chat) if not isinstance(event, Chunk)]
    assert names == ["Prompt", "ToolCalled", "ToolProgress", "ToolProgress", "ToolProgress", "ToolFinished", "RunDone"]
    assert last(world, chat) == RunDone(DoneReason.STOP)


async def test_the_model_is_told_its_tools_its_mode_and_all_that_was_said() -> None:
    world = World([call("look", n=1), say("Done.")])
    chat = world.chat(Mode.PLAN)
    await world.send(chat)

    first, second = world.model.requests
    assert [tool.name for tool in first.tools] == ["count", "look"]
    assert "Do not call tools that act" in first.system
    assert len(first.messages) == 1
    assert [type(message) for message in second.messages] == [UserText, AssistantTurn, ToolResults]
    assert world.model.closed == 2


async def test_a_call_runs_while_the_stream_goes_on() -> None:
    go_on = asyncio.Event()
    world = World([[*call("look", n=1), go_on.wait, *say("after")]])
    chat = world.chat()
    sent = world.send(chat)

    await until(lambda: world.reader.finished == 1, "the call")
    assert not sent.done()
    go_on.set()
    await sent


async def test_calls_of_one_turn_are_independent_and_their_results_stand_in_the_models_order() -> None:
    slow = CountingTool("slow")
    slow.hold = asyncio.Event()
    turn = [*call("slow"), *call("count", n=2, index=2), *call("look", n=3, index=3), *call("count", n=4, index=4)]
    world = World([turn], tools=[slow])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(3)
    held, second, fourth = world.broker.waiting()
    await until(lambda: world.reader.finished == 1, "the free call")

    await world.deny(fourth)
    await world.allow(held)
    await until(lambda: slow.entered, "the slow call")
    await world.allow(second)
    await until(lambda: world.tool.finished == 1, "the second call")
    slow.hold.set()
    await sent

    assert [(outcome.tool, outcome.code) for outcome in world.outcomes(chat)] == [
        ("slow", None),
        ("count", None),
        ("look", None),
        ("count", "permission_denied"),
    ]
    finished = [event.tool for event in world.of(chat, ToolFinished)]
    assert sorted(finished) == ["count", "count", "look", "slow"]
    assert finished[-1] == "slow"


async def test_two_identical_calls_are_two_calls_with_ids_of_their_own() -> None:
    twice: list[Step] = [
        CallStart(1, "count", "same"),
        BlockEnd(1),
        CallStart(2, "count", "same"),
        BlockEnd(2),
    ]
    world = World([twice])
    chat = world.chat()
    sent = world.send(chat)
    await world.question(2)
    one, two = world.broker.waiting()
    assert one.card.call.call_id != two.card.call.call_id
    assert one.card.digest != two.card.digest

    await world.allow(one)
    await world.deny(two)
    await sent

    assert len(world.tool.entered) == 1
    assert len(world.outcomes(chat)) == 2


async def test_a_card_is_mirrored_in_the_stream_before_it_is_sent() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()

    (asked,) = world.of(chat, PermissionAsked)
    assert asked.approval_id == question.approval_id
    assert asked.call_id == question.card.call.call_id
    await world.deny(question)
    await sent


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (say("hal"), "cut off"),
        ([*say("x"), *HALF_A_CALL], "count was not finished"),
        ([*call("look"), *HALF_A_CALL], "count was not finished"),
        ([*HALF_A_CALL, TurnEnd(StopReason.TOOL_USE)], "count was not finished"),
        ([*HALF_A_CALL, TurnEnd(StopReason.LENGTH)], "length limit"),
        ([*HALF_A_CALL, TurnEnd(StopReason.REFUSED)], "refuses to answer"),
        ([], "cut off"),
    ],
)
@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.AUTO])
async def test_a_cut_stream_ends_the_run_and_an_unfinished_call_is_neither_asked_nor_run(
    turn: list[Step], words: str, mode: Mode
) -> None:
    world = World([turn], ended=False)
    chat = world.chat(mode)
    sent = await world.send(chat)

    assert sent.end.reason is None
    assert words in (sent.end.message or "")
    assert isinstance(last(world, chat), RunFailed)
    assert world.tool.entered == []
    assert world.client.questions == []
    finished = sum(isinstance(step, BlockEnd) for step in turn)
    assert len(world.outcomes(chat)) == len(world.of(chat, ToolCalled)) == finished
    kept = [message.cut for message in chat.history if isinstance(message, AssistantTurn)]
    # An answer in which nothing was said stands nowhere.
    assert kept == ([True] if finished or any(isinstance(step, TextDelta) for step in turn) else [])


async def test_a_finished_call_of_a_broken_stream_can_still_be_answered_and_keeps_its_result() -> None:
    world = World([[*call("count", n=1), *HALF_A_CALL, ProviderFault("gone", "The model is gone.")]])
    chat = world.chat()
    sent = world.send(chat)
    await world.allow(await world.question())
    end = (await sent).end

    said = "The model is gone. A call of count was not finished and did not run."
    assert end.message == said
    assert [outcome.code for outcome in world.outcomes(chat)] == [None]
    assert len(world.tool.entered) == 1
    assert last(world, chat) == RunFailed(said, "gone")


async def test_arguments_that_are_too_long_are_reported_and_do_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble, "LONGEST_ARGUMENTS", 10)
    world = World([[*raw_call("count", '{"n": 123456}'), *call("look", n=1, index=2)], say("I see.")])
    chat = world.chat(Mode.AUTO)
    end = (await world.send(chat)).end

    assert end.reason is DoneReason.STOP
    long, short = world.outcomes(chat)
    assert (long.tool, long.code, short.code) == ("count", "invalid_arguments", None)
    assert "longer than 10 characters" in long.content
    assert world.tool.entered == []


async def test_a_call_by_a_name_without_end_is_no_tool_s_and_little_of_it_is_kept() -> None:
    beginning = "x" * assemble.LONGEST_NAME
    tool = CountingTool(beginning, Category.READ)
    world = World([call(beginning * 5_000), say("I see.")], tools=[tool])
    chat = world.chat(Mode.AUTO)
    end = (await world.send(chat)).end

    assert end.reason is DoneReason.STOP
    (outcome,) = world.outcomes(chat)
    assert (outcome.tool, outcome.code) == (f"{beginning}… (1,000,000 characters)", "tool_not_found")
    assert "(1,000,000 characters)" in outcome.content
    assert (tool.looks, tool.entered) == (0, [])
    for kept in (world.events(chat), list(chat.history), world.journal.entries):
        assert kept
        assert len(repr(kept)) < 10_000


async def test_an_answer_without_an_end_is_ended_and_what_it_held_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble, "LONGEST_TURN", 3_000)
    endless: list[Step] = [CallStart(7, "count"), *(CallArguments(7, "x" * 500) for _ in range(9)), BlockEnd(7)]
    world = World([[*call("look", n=1), *endless, asyncio.Event().wait]])
    chat = world.chat(Mode.AUTO)
    end = (await world.send(chat)).end

    assert end.reason is None
    assert "longer than 3,000 characters" in (end.message or "")
    assert "A call of count was not finished and did not run" in (end.message or "")
    assert [outcome.tool for outcome in world.outcomes(chat)] == ["look"]
    failed = last(world, chat)
    assert (failed.code, failed.again) == ("answer_too_long", True)
    assert world.model.closed == 1


async def test_memos_stand_in_the_turn_at_their_place() -> None:
    turn = [MemoDelta("a", "one"), *call("look", n=1), MemoDelta("a", {"two": 2}), *say("x"), MemoDelta("b", None)]
    world = World([turn, say("Done.")])
    chat = world.chat()
    await world.send(chat)

    said = chat.history[1]
    assert isinstance(said, AssistantTurn)
    assert said.memos == (Memo("a", 0, "one"), Memo("a", 1, {"two": 2}), Memo("b", 1, None))
    assert world.model.requests[1].messages[1] == said


async def test_each_new_try_is_told_once_with_why_and_when() -> None:
    world = World([[TryingAgain("the server is busy (503).", 2), TryingAgain("it took too long", 4.2), *say("Hi.")]])
    chat = world.chat()
    await world.send(chat)

    assert [notice.text for notice in world.of(chat, Notice)] == [
        "The model did not answer: the server is busy (503). Trying again in 2 s.",
        "The model did not answer: it took too long. Trying again in 4 s.",
    ]
    assert chat.history[1] == AssistantTurn("Hi.")


async def test_what_turns_cost_is_told_and_added_up_where_it_is_known() -> None:
    def end(**counted: int) -> Step:
        return TurnEnd(StopReason.END, Usage(**counted))

    turns: list[list[Step]] = [
        [*call("look"), end(input=100, output=20, cached=80)],
        [*call("look"), TurnEnd()],
        [*say("Done."), end(input=150)],
    ]
    world = World(turns, ended=False)
    chat = world.chat()
    await world.send(chat)

    assert world.of(chat, TurnUsage) == [TurnUsage(100, 20, 80, 100, 20), TurnUsage(150, None, None, 250, 20)]


async def test_what_a_run_cost_is_never_more_than_can_be_told() -> None:
    most = Usage(LARGEST_EXACT, LARGEST_EXACT)
    world = World([[*call("look"), TurnEnd(usage=most)], [*say("Done."), TurnEnd(usage=most)]], ended=False)
    chat = world.chat()
    await world.send(chat)

    told = TurnUsage(LARGEST_EXACT, LARGEST_EXACT, None, LARGEST_EXACT, LARGEST_EXACT)
    assert world.of(chat, TurnUsage) == [told, told]


@pytest.mark.parametrize(
    ("steps", "code", "again"),
    [
        ([], "stream_cut", True),
        ([TurnEnd(StopReason.LENGTH)], "length_limit", True),
        ([TurnEnd(StopReason.REFUSED)], "refused", False),
        ([*HALF_A_CALL, TurnEnd()], "unfinished_call", True),
        ([ProviderFault("busy", "Busy.", passing=True)], "busy", True),
        ([ProviderFault("key_refused", "The key is wrong.")], "key_refused", False),
        ([ZeroDivisionError()], "stream_failed", True),
    ],
)
async def test_a_failed_run_says_why_and_whether_trying_again_makes_sense(
    steps: list[Step], code: str, again: bool
) -> None:
    world = World([[*say("x"), *steps]], ended=False)
    chat = world.chat()
    await world.send(chat)

    failed = last(world, chat)
    assert (failed.code, failed.again) == (code, again)


async def test_a_provider_that_raises_anything_ends_the_run_with_a_message() -> None:
    world = World([[*say("x"), ZeroDivisionError("inside")], say("next")])
    chat = world.chat()
    end = (await world.send(chat)).end

    assert end.reason is None
    assert "ZeroDivisionError" in (end.message or "")
    assert "inside" not in (end.message or "")
    assert (await world.send(chat, "again")).end.reason is DoneReason.STOP


async def test_a_tool_that_raises_does_not_end_the_run() -> None:
    world = World([call("look"), say("I see.")])
    world.reader.fails = ToolFault("not_found", "a is not there")
    chat = world.chat()
    end = (await world.send(chat)).end

    assert end.reason is DoneReason.STOP
    (outcome,) = world.outcomes(chat)
    assert (outcome.code, outcome.content) == ("not_found", "a is not there")


async def test_the_limit_of_turns_ends_the_run() -> None:
    world = World([call("look")] * 5, limits=Limits(iterations=3))
    chat = world.chat()
    end = (await world.send(chat)).end

    assert end.reason is DoneReason.LIMIT
    assert "3 turns" in (end.message or "")
    assert len(world.reader.entered) == 3
    assert last(world, chat) == RunDone(DoneReason.LIMIT)


async def test_many_calls_in_one_turn() -> None:
    turn = [step for index in range(500) for step in call("count", n=index, index=index)]
    world = World([turn], limits=Limits(tool_calls=200, writes=500))
    chat = world.chat()
    sent = world.send(chat)
    await world.question(200)
    await world.answer(world.broker.waiting()[0], world.broker.waiting()[0].card.options[2].kind)
    await sent

    outcomes = world.outcomes(chat)
    assert [outcome.code for outcome in outcomes] == [None] * 200 + ["limit_reached"] * 300
    assert sorted(args["n"] for args in world.tool.entered) == list(range(200))  # type: ignore[type-var]


async def test_a_slow_reader_holds_the_stream_back_and_loses_nothing() -> None:
    pieces = [TextDelta(f"{number} ") for number in range(300)]
    world = World([list(pieces)])
    world.client.congested = True
    chat = world.chat()
    sent = world.send(chat)
    await settled()
    assert not sent.done()

    world.client.congested = False
    await sent

    told = "".join(event.text or "" for event in world.of(chat, Chunk))
    assert told == "".join(piece.text for piece in pieces)


async def test_arguments_that_came_as_text_are_shown_as_they_came() -> None:
    world = World([raw_call("count", '{"n": ')])
    chat = world.chat()
    await world.send(chat)

    (called,) = world.of(chat, ToolCalled)
    assert called.args == '{"n": '
    (prompt,) = world.of(chat, Prompt)
    assert prompt.text == "go"
