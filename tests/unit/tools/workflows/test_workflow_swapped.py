"""The file of a workflow is swapped or edited at every single call of the system that is made to run it."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assent.agent.ports import Basis, Foreseen, Manner
from assent.model.calls import CallFacts
from assent.model.conversation import ToolOutcome
from assent.model.errors import ToolFault
from assent.model.ids import CallId, SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview, StepsPreview
from assent.tools.workflows.run_workflow import RunWorkflow
from assent.tools.workflows.runs import WorkflowRuns
from tests.support.in_memory import folder_in_memory
from tests.support.scale import limit
from tests.support.system_calls import Calls

MOST_CALLS = 200


class MadeCalls:
    """Makes calls for a workflow: writes them down."""

    def __init__(self) -> None:
        self.made: list[JsonObject] = []

    def declared(self, tool: str) -> Category | None:
        return Category.WRITE

    def look_anew(self) -> None:
        """Nothing is counted."""

    async def foresee(self, tool: str, args: JsonObject) -> Foreseen:
        return Foreseen(CallFacts(tool, True, Category.WRITE), None, json.dumps(args), args)

    async def make(self, tool: str, args: JsonObject, basis: Basis) -> ToolOutcome:
        self.made.append(args)
        return ToolOutcome(basis.call_id, tool, "made", ran=True)


class Ground:
    """A workspace with a workflow, another one beside it and one outside, made anew for each moment."""

    def __init__(self, above: Path) -> None:
        self.above = above
        self.root, self.outside = above / "root", above / "outside"
        self.folder = self.root / ".assent" / "workflows"
        self.make()

    def make(self) -> None:
        shutil.rmtree(self.above, ignore_errors=True)
        for folder, what in ((self.folder, "mine"), (self.outside, "not mine"), (self.root / "twin", "another")):
            folder.mkdir(parents=True)
            self.put(folder / "w.json", what)

    def put(self, file: Path, what: str) -> None:
        file.write_text(json.dumps({"steps": [{"id": "s", "tool": "t", "inputs": {"what": what}}]}))

    def link_folder(self) -> None:
        self.folder.rename(self.root / "was")
        self.folder.symlink_to(self.outside)

    def link_file(self) -> None:
        (self.folder / "w.json").unlink()
        (self.folder / "w.json").symlink_to(self.outside / "w.json")

    def swap_folder(self) -> None:
        self.folder.rename(self.root / "was")
        (self.root / "twin").rename(self.folder)

    def pipe(self) -> None:
        (self.folder / "w.json").unlink()
        os.mkfifo(self.folder / "w.json")

    def edit(self) -> None:
        self.put(self.folder / "w.json", "edited")

    def remove(self) -> None:
        (self.folder / "w.json").unlink()


@pytest.fixture
def ground() -> Iterator[Ground]:
    with folder_in_memory() as folder:
        yield Ground(folder / "ground")


@pytest.mark.parametrize(
    "swap", [Ground.link_folder, Ground.link_file, Ground.swap_folder, Ground.pipe, Ground.edit, Ground.remove]
)
async def test_whatever_becomes_of_the_file_what_was_shown_is_made_or_nothing(
    ground: Ground, calls: Calls, swap: Callable[[Ground], None]
) -> None:
    refused = 0
    for moment in range(MOST_CALLS):
        ground.make()
        inner = MadeCalls()
        tool = RunWorkflow(lambda: (str(ground.root),), WorkflowRuns(), SessionId("chat"), calls=inner)
        calls.restart(lambda number, _name, at=moment: swap(ground) if number == at else None)  # type: ignore[misc]
        call = await tool.prepare({"workflow_id": "file:w"})
        shown = call.preview
        try:
            await asyncio.wait_for(call.carry_out((), Manner(clicked=True, call_id=CallId("outer"))), limit(30))
        except ToolFault:
            refused += 1
            assert inner.made == []
        else:
            assert isinstance(shown, StepsPreview) and call.impossible is None
            inputs = shown.steps[0].preview
            assert isinstance(inputs, JsonPreview)
            assert inner.made == [json.loads(inputs.text)] and inner.made != [{"what": "not mine"}]
        if len(calls.names) <= moment:
            break
    assert refused > 3 and len(inner.made) == 1 and moment < MOST_CALLS - 1
