"""“Until this task is done”, clicked on the card of a sub-agent: for the task that the card names, and no longer."""

import pytest

from assent.agent.chat import Chat
from assent.model.approval import Answer, OptionKind, Question
from assent.model.events import GrantsChanged
from assent.model.grants import Limits
from tests.support.world import Step, World, call, say


def hand_on(title: str) -> list[Step]:
    return call("run_subtask", title=title, instructions=title)


async def click(world: World, question: Question, kind: OptionKind) -> None:
    answer = Answer(kind=kind, digest=question.card.digest, limits=Limits(until_run_ends=True))
    await world.answers.take(question.approval_id, answer, question.session_id, None)


def told(world: World, chat: Chat) -> list[GrantsChanged]:
    return list(world.of(chat, GrantsChanged))


@pytest.mark.parametrize("kind", [OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION])
async def test_it_counts_below_the_task_and_not_for_the_agent_above_it(kind: OptionKind) -> None:
    talks = {
        "Tidy": [call("count", n=1), call("count", n=2), hand_on("Sort"), say("tidied")],
        "Sort": [call("count", n=3), say("sorted")],
        "Read": [call("count", n=5), say("read")],
    }
    world = World(turns=[hand_on("Tidy"), call("count", n=4), hand_on("Read"), say("end")], talks=talks)
    chat = world.chat()
    sent = world.send(chat)
    first = await world.question()
    words = {one.kind: one.scope_text for one in first.card.options}
    assert "“Until this task is done” means “Tidy”" in words[kind]
    assert "task" not in words[OptionKind.ALLOW_ONCE]

    await click(world, first, kind)

    for n, path in ((4, ()), (5, ("Read",))):
        question = await world.question()
        assert (question.card.call.args, question.card.caller.path) == ({"n": n}, path)
        await world.allow(question)
    await sent
    assert [args["n"] for args in world.tool.entered] == [1, 2, 3, 4, 5]
    assert (told(world, chat)[0].bypass_session, told(world, chat)[-1].bypass_session) == (
        kind is OptionKind.BYPASS_SESSION,
        False,
    )


async def test_on_a_card_of_the_chat_s_own_agent_it_counts_for_the_run_and_all_that_is_handed_on() -> None:
    talks = {"Tidy": [call("count", n=2), say("tidied")]}
    world = World(turns=[call("count", n=1), hand_on("Tidy"), call("count", n=3), say("end")], talks=talks)
    sent = world.send(world.chat())
    first = await world.question()
    assert all("means" not in one.scope_text for one in first.card.options)

    await click(world, first, OptionKind.ALLOW_SESSION)
    await sent

    assert [args["n"] for args in world.tool.entered] == [1, 2, 3]
