"""A server that ends at any moment of a workflow, and the one after it: which steps are made again, who said yes."""

import asyncio
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assent.agent.toolbelt import OfEachChat
from assent.app.desk import Sent
from assent.model.approval import Question
from assent.model.preview import StepsPreview
from assent.tools.workflows.run_workflow import RunWorkflow
from assent.tools.workflows.runs import WorkflowRuns
from tests.support import kept
from tests.support.kept_world import KeptWorld, Moment, results_of
from tests.support.world import END, Step, call, say, until

STEPS = 3


class FlowWorld(KeptWorld):
    """As a server on this state directory, in a workspace with one workflow of steps that count."""

    def __init__(self, state: Path, workspace: Path, turns: Iterable[list[Step]] = ()) -> None:
        super().__init__(state, turns)
        runs = WorkflowRuns(self.records.workflows)
        tool = OfEachChat(lambda chat: RunWorkflow(lambda: (str(workspace),), runs, chat))
        self.toolbelt._tools[tool.spec.name] = tool

    @property
    def numbers(self) -> list[object]:
        """The steps that were made, one after the other."""
        return [args["n"] for args in self.tool.entered]


@dataclass
class Seen:
    """What came of all moments together."""

    unknown: int = 0
    cards: int = 0
    gone_on: int = 0


def put(workspace: Path) -> None:
    folder = workspace / ".assent" / "workflows"
    folder.mkdir(parents=True)
    steps = [{"id": f"s{n}", "tool": "count", "inputs": {"n": n}} for n in range(1, STEPS + 1)]
    (folder / "w.json").write_text(json.dumps({"steps": steps}))


async def story(state: Path, workspace: Path, moments: Path) -> list[Moment]:
    """One workflow that is clicked and comes to its end."""
    world = FlowWorld(state, workspace, [call("run_workflow", workflow_id="file:w"), say("Done.")])
    seen = world.keep_moments(moments)
    chat = world.chat()
    sent = world.send(chat, "go")
    await world.allow(await world.question())
    await sent
    assert world.numbers == [1, 2, 3]
    await world.records.store.settle()
    await world.end()
    assert not kept.rows(state, "SELECT * FROM calls") and not kept.rows(state, "SELECT * FROM workflow_steps")
    return seen


async def check(moment: Moment, made: int, workspace: Path, seen: Seen) -> None:
    """`made` is how many steps the server may have made that left this disk."""
    world = FlowWorld(moment.state, workspace)
    await world.restore()
    for chat in world.desk.chats():
        told = " ".join(one.content for one in results_of(chat.history).values())
        waits = "asked again" in told
        resume = re.search(r'resume\\*": \\*"([^"\\]+)', told)
        assert world.numbers == [], "nothing is made by itself"
        sent: asyncio.Task[Sent] | None = None
        if resume is not None and not waits:
            again = call("run_workflow", workflow_id="file:w", resume=resume.group(1))
            world.model.turns = [[*again, *END], [*say("Done."), *END]]
            sent = world.send(chat, "go on")
            seen.gone_on += 1
        elif not waits:
            assert made in (0, STEPS), f"{made} steps may be made, and the chat does not say how to go on: {told}"
            continue
        await until(lambda: world.broker.waiting() or (sent is not None and sent.done()), "a card")  # noqa: B023
        if not world.broker.waiting():
            # All steps were done, and only that was not written down any more.
            last = list(results_of(chat.history).values())[-1]
            assert made == STEPS and world.numbers == [] and json.loads(last.content)["status"] == "done"
            continue
        seen.cards += 1
        question = await world.question()
        first, unknown = _shown(question)
        seen.unknown += unknown
        # Whatever the first server may have made is either done, or said to be made again.
        assert made < first or (unknown and made == first)
        assert world.numbers == []
        await world.allow(question)
        await until(lambda: len(world.numbers) == STEPS + 1 - first, "all steps")  # noqa: B023
        assert world.numbers == list(range(first, STEPS + 1))
        if sent is not None:
            await sent
        await until(lambda: not world.broker.waiting(), "the end of all cards")
    await world.end()


def _shown(question: Question) -> tuple[int, bool]:
    """The number of the first step that is to be made, and whether the card says that it may have been made before."""
    preview = question.card.preview
    assert isinstance(preview, StepsPreview)
    unknown = "was under way" in question.card.reason_text
    assert unknown is any("again" in note for note in preview.steps[0].notes)
    assert preview.done == preview.steps[0].number - 1
    return preview.steps[0].number, unknown


async def test_whenever_the_server_dies_no_step_is_made_twice_without_a_click_that_says_so(tmp_path: Path) -> None:
    put(tmp_path / "w")
    (tmp_path / "moments").mkdir()
    moments = await story(tmp_path / "state", tmp_path / "w", tmp_path / "moments")
    seen = Seen()
    for moment, after in zip(moments, [*moments[1:], moments[-1]], strict=True):
        await check(moment, after.entered, tmp_path / "w", seen)
    assert seen.unknown >= STEPS and seen.gone_on > seen.unknown and seen.cards > seen.unknown
