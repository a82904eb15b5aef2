"""A server that ends at any moment of a workflow, and the one after it: which steps are made again, who said yes."""

import asyncio
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assent.agent.toolbelt import OfEachChat
from assent.app.desk import Sent
from assent.model.approval import Question
from assent.model.errors import NotRecorded
from assent.model.preview import StepsPreview
from assent.store.facts import fact
from assent.store.faults import Unwritable
from assent.tools.workflows.run_workflow import RunWorkflow
from assent.tools.workflows.runs import WorkflowRuns
from tests.support import kept
from tests.support.kept_world import KeptWorld, Moment, results_of
from tests.support.world import END, Step, call, say, until

STEPS = 3
RESUME = re.compile(r'resume\\*": \\*"([^"\\]+)')


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
        resume = RESUME.search(told)
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
        await _card_or_end(world, sent)
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


async def _card_or_end(world: FlowWorld, sent: "asyncio.Task[Sent] | None") -> None:
    await until(lambda: world.broker.told() or (sent is not None and sent.done()), "a card or an end")


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


class FullDisk:
    """Takes so many transactions and then none, until there is room again."""

    def __init__(self, world: FlowWorld, left: int) -> None:
        self.is_full = False
        database = world.records.store._writer._database
        self._run: Callable[..., None] = database.run
        self._left = left
        database.run = self._try  # type: ignore[method-assign]

    def free(self) -> None:
        self._left = 1_000_000

    def _try(self, work: object) -> None:
        if self._left == 0:
            self.is_full = True
            raise Unwritable("The disk is full. Nothing ran. Free some space and answer again.")
        self._left -= 1
        self._run(work)


async def test_whenever_the_disk_is_full_no_step_is_made_without_a_record_and_none_twice(tmp_path: Path) -> None:
    put(tmp_path / "w")
    stopped_at = set()
    for left in range(100):
        world = FlowWorld(tmp_path / f"state{left}", tmp_path / "w", [call("run_workflow", workflow_id="file:w")])
        disk = FullDisk(world, left)
        made, told = await _allowed_when_full(world, disk)
        stopped_at.add(len(made))
        assert world.numbers == [1, 2, 3], (made, told)
        query = "SELECT count(*) FROM facts WHERE stage = ? AND tool = ?"
        await world.records.store.settle()
        assert kept.rows(tmp_path / f"state{left}", query, fact("started"), fact("count")) == [(STEPS,)]
        await world.end()
        if not disk.is_full:
            break
    else:
        raise AssertionError("it took all of them, and more")
    assert stopped_at == {0, 1, 2, 3}


async def _allowed_when_full(world: FlowWorld, disk: FullDisk) -> tuple[list[object], str]:
    """The steps that were made by the time when there was room again, and what the chat said then."""
    chat = world.chat()
    sent = world.send(chat, "go")
    question = await world.question()
    with suppress(NotRecorded):
        await world.allow(question)
    await until(lambda: sent.done() or (disk.is_full and world.broker.told()), "an end")
    made = list(world.numbers)
    disk.free()
    told = " ".join(one.content for one in results_of(chat.history).values())
    if world.broker.waiting():
        # The yes did not count: it can be said again.
        assert made == []
        await world.allow(world.broker.waiting()[0])
        await sent
    elif made != [1, 2, 3]:
        assert "The disk is full" in told
        resume = RESUME.search(told)
        assert resume is not None or made == []
        more = {} if resume is None else {"resume": resume.group(1)}
        world.model.turns = [[*END], [*END], [*call("run_workflow", workflow_id="file:w", **more), *END], [*END]]
        sent = world.send(chat, "go on")
        first, unknown = _shown(await world.question())
        assert (first, unknown) == (len(made) + 1, False)
        await world.allow(await world.question())
        await sent
    return made, told
