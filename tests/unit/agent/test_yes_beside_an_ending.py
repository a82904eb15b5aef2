"""A yes, and an ending that comes at the same moment: nothing runs, and the journal tells it as it was."""

import asyncio
from typing import Any

import pytest

from assent.agent.asking import Asking
from assent.agent.hearing import Hearing
from assent.model.approval import Card, Question, ResolvedBy, Status
from assent.model.calls import HookAnswer, Hooks
from assent.model.errors import ApprovalAlreadyResolved
from assent.model.hooks import Hook, HookCall, HookEvent, HookRemarks, HookResult, HookVerdict
from assent.model.records import Ending, Stage
from tests.support.world import World, call


class Silent:
    """A hook that is asked about everything, and has nothing to say."""

    def concerned(self, names: tuple[str, ...]) -> tuple[Hook, ...]:
        return (Hook(HookEvent.PRE_TOOL_USE, "look"),)

    async def ask(self, call: HookCall) -> HookVerdict:
        return HookVerdict(Hooks(HookAnswer.NONE))

    def follow(self, names: tuple[str, ...]) -> bool:
        return False

    async def tell(self, result: HookResult) -> HookRemarks:
        return HookRemarks()


async def asked(world: World) -> tuple[Question, "asyncio.Task[Any]"]:
    """A call that waits, and its run."""
    sent = world.send(world.chat())
    return await world.question(), sent


def lines(world: World) -> list[tuple[Stage, Ending | None]]:
    """The journal in short."""
    return [(entry.stage, entry.ending) for entry in world.journal.entries]


@pytest.mark.parametrize("begins", [True, False], ids=["begins with its yes", "begins later"])
async def test_no_yes_is_written_down_behind_an_ending(begins: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World([call("count", n=7)])
    world.tool.begins_with_yes = begins
    question, sent = await asked(world)
    looks = Asking.look

    async def ended_right_behind(asking: Asking) -> Card:
        card = await looks(asking)
        ends = (question.approval_id, Status.CANCELLED, ResolvedBy.STOP, "Stopped.")
        asyncio.get_running_loop().call_soon(world.broker.end, *ends)
        return card

    monkeypatch.setattr(Asking, "look", ended_right_behind)
    with pytest.raises(ApprovalAlreadyResolved):
        await world.allow(question)
    await sent

    assert world.tool.entered == []
    assert lines(world) == [(Stage.REQUESTED, None), (Stage.DECIDED, Ending.CANCELLED)]


@pytest.mark.parametrize("begins", [True, False], ids=["begins with its yes", "begins later"])
async def test_a_stop_while_its_hooks_are_sent_home_leaves_no_call_open(
    begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World([call("count", n=7)])
    world.tool.begins_with_yes = begins
    world.gate.hooks = Silent()
    question, sent = await asked(world)
    ends = Hearing.end

    async def stopped(hearing: Hearing) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await ends(hearing)

    monkeypatch.setattr(Hearing, "end", stopped)
    await world.allow(question)
    await sent

    assert world.tool.entered == []
    assert (Stage.DECIDED, Ending.ALLOWED) in lines(world)
    assert lines(world)[-1] == (Stage.FINISHED, Ending.STOPPED)
