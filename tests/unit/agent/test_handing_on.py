"""Sub-agents without disk and network: what each is told, what it may, and a stop in every moment."""

import asyncio
import json
from typing import Any

import pytest

from assent.agent import execute as execute_module
from assent.agent.chat import Chat
from assent.agent.run import Limits
from assent.model.approval import Status
from assent.model.conversation import AssistantTurn, ThinkingDelta, ToolResults, TurnEnd, Usage, UserText
from assent.model.events import BudgetExceeded, Chunk, DoneReason, RunDone, ToolCalled, ToolFinished, TurnUsage
from assent.model.modes import Mode
from tests.support.scale import limit
from tests.support.world import CountingTool, Step, World, call, say, settled, until


def hand_on(title: str, *, index: int = 1, **more: Any) -> list[Step]:
    """A call that hands something on; the title is what is to be done as well."""
    return call("run_subtask", index=index, title=title, instructions=title, **more)


def results(world: World, chat: Chat) -> dict[str, ToolFinished]:
    """The results of all calls by their headlines, after checking that each call has exactly one."""
    called, ended = world.of(chat, ToolCalled), world.of(chat, ToolFinished)
    assert sorted(one.call_id for one in called) == sorted(one.call_id for one in ended)
    by_id = {one.call_id: one for one in ended}
    return {one.headline: by_id[one.call_id] for one in called}


async def test_a_sub_agent_sees_its_instructions_and_nothing_of_the_chat() -> None:
    talks = {"Look": [[ThinkingDelta("hm"), *say("I look. "), *call("look", n=1)], say("All is well.")]}
    world = World([[*say("Secret plan. "), *hand_on("Look")], say("Thanks.")], talks=talks)
    chat = world.chat()
    await world.send(chat, "something confidential")

    first, second = world.model.requests_of("Look")
    assert first.messages == (UserText("Look"),)
    assert [type(message) for message in second.messages] == [UserText, AssistantTurn, ToolResults]
    for request in (first, second):
        told = request.system + str(request.messages)
        assert "confidential" not in told and "Secret plan" not in told
        assert "You are a sub-agent" in request.system
    root = world.model.requests_of(None)
    assert all("You are a sub-agent" not in request.system for request in root)
    (results_of_root,) = [message for message in root[1].messages if isinstance(message, ToolResults)]
    assert [(one.tool, one.content) for one in results_of_root.results] == [("run_subtask", "All is well.")]
    assert "I look" not in str(root[1].messages) and "hm" not in str(root[1].messages)


async def test_the_chat_s_history_has_one_result_and_the_calls_of_the_sub_agent_beside_it() -> None:
    world = World([hand_on("Look"), say("Thanks.")], talks={"Look": [call("look", n=1), say("seen")]})
    world.reader.says = "x" * 2_000
    chat = world.chat()
    await world.send(chat)

    (message,) = [message for message in chat.history if isinstance(message, ToolResults)]
    (outcome,) = message.results
    assert outcome.content == "seen"
    assert outcome.file_content is not None
    first, preview = outcome.file_content.splitlines()
    assert first == "ok: Count 1 at s0 (0.0 s)"
    assert len(preview.strip()) == 500 and preview.endswith("x…")
    assert [type(message) for message in chat.history] == [UserText, AssistantTurn, ToolResults, AssistantTurn]


async def test_the_tool_is_offered_as_far_down_as_there_may_be_sub_agents() -> None:
    talks = {"A": [hand_on("B"), say("a")], "B": [say("b")]}
    world = World([hand_on("A")], talks=talks, limits=Limits(depth=2))
    await world.send(world.chat())
    offered = {
        words: "run_subtask" in [tool.name for tool in world.model.requests_of(words)[0].tools]
        for words in (None, "A", "B")
    }
    assert offered == {None: True, "A": True, "B": False}

    for none in (Limits(depth=0), Limits(subtasks=0)):
        world = World([hand_on("A")], talks=talks, limits=none)
        chat = world.chat()
        await world.send(chat)
        assert [tool.name for tool in world.model.requests[0].tools] == ["count", "look"]
        (result,) = results(world, chat).values()
        assert result.code == "limit_reached"


async def test_tools_that_are_given_on_can_only_become_fewer() -> None:
    talks = {"A": [hand_on("B", tools=["count"]), say("a")], "B": [call("count", n=1), say("b")]}
    world = World([hand_on("A", tools=["look", "run_subtask"])], talks=talks)
    chat = world.chat(Mode.AUTO)
    await world.send(chat)

    assert [tool.name for tool in world.model.requests_of("A")[0].tools] == ["look", "run_subtask"]
    assert world.model.requests_of("B") == []
    assert world.tool.entered == []
    (refused,) = [one for one in results(world, chat).values() if one.code == "invalid_arguments"]
    assert "you have none named count; yours are look, run_subtask" in refused.output


@pytest.mark.parametrize(
    ("limits", "named"),
    [(Limits(tool_calls=3), "toolCalls"), (Limits(writes=2), "writes"), (Limits(model_calls=4), "modelCalls")],
)
async def test_what_a_run_may_use_is_counted_over_all_of_them(limits: Limits, named: str) -> None:
    talks = {name: [call("count", n=1), say(name)] for name in "ABC"}
    root = [[*hand_on("A", index=1), *hand_on("B", index=2), *hand_on("C", index=3)], call("count", n=4)]
    world = World(root, talks=talks, limits=limits)
    chat = world.chat(Mode.AUTO)
    await world.send(chat)

    told = world.of(chat, BudgetExceeded)
    assert [one.limit for one in told] == [named]
    assert len(world.tool.entered) == {"toolCalls": 0, "writes": 2, "modelCalls": 3}[named]
    of_sub_agents = {one.call_id for one in world.of(chat, ToolCalled) if one.tool == "run_subtask"}
    assert told[0].parent_call in {*of_sub_agents, None}


async def test_each_agent_that_goes_round_in_circles_is_told_of_by_itself() -> None:
    circle = [call("look", n=number) for number in range(9)]
    talks = dict.fromkeys("AB", circle)
    root = [[*hand_on("A", index=1), *hand_on("B", index=2)], say("I go on.")]
    world = World(root, talks=talks, limits=Limits(iterations=3))
    chat = world.chat()
    sent = await world.send(chat)

    assert sent.end.reason is DoneReason.STOP
    told = world.of(chat, BudgetExceeded)
    titles = {one.call_id: one.headline for one in world.of(chat, ToolCalled)}
    assert [titles[one.parent_call] for one in told] == ["Sub-agent: A", "Sub-agent: B"]
    assert [one.message.split(" has")[0] for one in told] == ["The sub-agent “A”", "The sub-agent “B”"]
    assert results(world, chat)["Sub-agent: A"].code == "limit_reached"


async def test_turns_after_an_answer_that_does_not_fit_count_on() -> None:
    schema = {"type": "object", "required": ["x"]}
    turns = [[*say("no"), *call("look", n=1)], say("not it"), [*say("still"), *call("look", n=2)], say('{"x": 1}')]
    world = World([hand_on("A", output_schema=schema)], talks={"A": turns}, limits=Limits(iterations=3))
    chat = world.chat()
    await world.send(chat)
    assert results(world, chat)["Sub-agent: A"].code == "limit_reached"

    world = World([hand_on("A", output_schema=schema)], talks={"A": turns}, limits=Limits(iterations=4))
    chat = world.chat()
    await world.send(chat)
    assert json.loads(results(world, chat)["Sub-agent: A"].output) == {"x": 1}
    *_, again, last = world.model.requests_of("A")
    told = [message.text for message in last.messages if isinstance(message, UserText)]
    assert "it is not JSON" in told[1] and len(told) == 2
    assert '"required"' in again.system


async def test_json_that_is_longer_than_a_result_may_be_does_not_fit() -> None:
    talks = {"A": [say(json.dumps("x" * 2_000)), say(json.dumps("short"))]}
    world = World([hand_on("A", output_schema={"type": "string"})], talks=talks, limits=Limits(result_bytes=1_000))
    chat = world.chat()
    await world.send(chat)
    assert results(world, chat)["Sub-agent: A"].output == '"short"'


async def test_an_answer_of_nothing_says_so() -> None:
    world = World([hand_on("A")], talks={"A": [[]]})
    chat = world.chat()
    await world.send(chat)
    assert results(world, chat)["Sub-agent: A"].output == "The sub-agent ended without saying anything."


async def test_what_it_says_and_costs_names_its_call() -> None:
    usage = TurnEnd(usage=Usage(10, 2))
    world = World([[*hand_on("A"), usage], [*say("root"), usage]], talks={"A": [[*say("sub"), usage]]}, ended=False)
    chat = world.chat()
    await world.send(chat)
    (handed_on,) = world.of(chat, ToolCalled)
    assert {one.text: one.parent_call for one in world.of(chat, Chunk)} == {"root": None, "sub": handed_on.call_id}
    assert sorted(one.parent_call or "" for one in world.of(chat, TurnUsage)) == sorted(["", "", handed_on.call_id])


async def test_a_fault_in_the_program_ends_the_sub_agent_and_not_the_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world = World([hand_on("A"), say("I go on.")], talks={"A": [say("never")]})

    def broken(*_: Any) -> str:
        raise RuntimeError("broken")

    monkeypatch.setattr("assent.agent.subtasks.SubAgent._answered", broken)
    chat = world.chat()
    sent = await world.send(chat)
    assert sent.end.reason is DoneReason.STOP
    result = results(world, chat)["Sub-agent: A"]
    assert (result.code, "internal fault" in result.output) == ("subtask_failed", True)
    assert "RuntimeError" in caplog.text


async def test_a_sub_agent_s_card_waits_without_holding_up_others() -> None:
    talks = {"A": [call("count", n=1), say("a")], "B": [call("look", n=2), say("b")]}
    world = World([[*hand_on("A", index=1), *hand_on("B", index=2)], say("both")], talks=talks)
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    await until(lambda: any(one.output == "b" for one in world.of(chat, ToolFinished)), "the end of B")
    assert (question.card.caller.path, question.card.caller.depth) == (("A",), 1)
    await world.deny(question)
    assert (await sent).end.reason is DoneReason.STOP


async def test_sub_agents_of_one_agent_are_told_apart_by_their_titles() -> None:
    begun = [("Tidy (2)", "a"), ("Tidy", "b"), ("Tidy", "c"), ("tidy", "d")]
    talks = {words: [call("count", n=number), say(words)] for number, (_, words) in enumerate(begun)}
    talks["e"] = [call("run_subtask", title="Tidy", instructions="f"), say("e")]
    talks["f"] = [call("count", n=4), say("f")]
    root = [call("run_subtask", title=title, instructions=words) for title, words in [*begun, ("Sort", "e")]]
    world = World([*root, say("all")], talks=talks)
    sent = world.send(world.chat())
    paths = []
    for _ in range(5):
        question = await world.question()
        paths.append(question.card.caller.path)
        await world.allow(question)
    await sent

    assert paths == [("Tidy (2)",), ("Tidy",), ("Tidy (3)",), ("tidy (4)",), ("Sort", "Tidy")]


async def test_time_counts_while_a_sub_agent_works_and_not_while_it_waits_for_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", 0.001)
    talks = {"A": [call("count", n=1), call("look", n=2), say("a")]}
    world = World([hand_on("A"), say("never")], talks=talks, limits=Limits(wall_clock_seconds=60))
    world.reader.hold = asyncio.Event()
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    await settled()
    world.clock.advance(3_600)
    await settled()
    assert not sent.done()
    await world.allow(question)
    await until(lambda: world.reader.entered and world.clock.sleeping, "the tool at work, and its time")
    world.clock.advance(59)
    await settled()
    assert not sent.done()
    world.clock.advance(2)

    assert (await sent).end.reason is DoneReason.LIMIT
    (told,) = world.of(chat, BudgetExceeded)
    assert told.limit == "wallClockSeconds"
    assert [results(world, chat)[name].code for name in ("Count 2 at s0", "Sub-agent: A")] == ["cancelled", "cancelled"]


async def test_a_stop_in_any_moment_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many rounds of the loop, from before the first request to after the last result."""
    monkeypatch.setattr(execute_module, "GRACE_AFTER_STOP", 0.001)
    calls = set()
    for rounds in range(0, 120, 2):
        world, chat = _two_deep()
        sent = world.send(chat)
        for _ in range(rounds):
            await asyncio.sleep(0)
        async with asyncio.timeout(limit(10)):
            await world.desk.stop(chat.session_id)
            await sent
        entered = len(world.tool.entered)
        _check_quiet(world, chat)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(world.tool.entered) == entered
        assert world.broker.waiting() == ()
        calls.add(len(world.of(chat, ToolCalled)))
    assert (min(calls), max(calls)) == (0, 8), "the moments reach from the first to the last call"


def _two_deep() -> tuple[World, Chat]:
    slow = CountingTool("slow")
    slow.hold = asyncio.Event()
    talks: dict[str, list[list[Step]]] = {
        "Outer": [[*hand_on("Inner"), *call("count", n=1, index=2), *call("slow", index=3)], say("outer")],
        "Inner": [[*say("inner "), *call("count", n=2), *call("slow", index=2), *call("look", n=3, index=3)]],
    }
    world = World([[*hand_on("Outer"), *call("look", n=4, index=2)], say("root")], talks=talks, tools=[slow])
    return world, world.chat(Mode.AUTO)


def _check_quiet(world: World, chat: Chat) -> None:
    """The run has ended, each call has one result, and what was called inside ended before what it was called for."""
    events = world.events(chat)
    if events:
        assert isinstance(events[-1], RunDone)
    ends = [event.call_id for event in events if isinstance(event, ToolFinished)]
    for one in world.of(chat, ToolCalled):
        assert ends.count(one.call_id) == 1
        if one.parent_call is not None:
            assert ends.index(one.call_id) < ends.index(one.parent_call)
    assert {end.status for _, end in world.client.endings} <= {Status.CANCELLED}
