"""A whole agent whose records are on a real disk, and the moments at which its server could have been killed."""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from assent.agent.chat import Agent
from assent.agent.recorder import Recorder
from assent.app.records import KeptRecords
from assent.app.restoring import Restoring
from assent.model.conversation import AssistantTurn, Message, ToolOutcome, ToolResults
from assent.model.ids import CallId
from tests.support.world import AGENT, Step, World

FOLDER = "/w"


@dataclass(frozen=True, slots=True)
class Moment:
    """The disk after one transaction, and how often the tool had been entered by then."""

    state: Path
    entered: int


class KeptWorld(World):
    """As a server on this state directory: what was kept there comes back with `restore`."""

    def __init__(
        self, state: Path, turns: Iterable[list[Step]] = (), *, agents: dict[str, Agent] | None = None
    ) -> None:
        super().__init__(turns)
        self.records = KeptRecords(state, self.clock)
        self.gate.recorder = Recorder(self.records.journal, self.clock, lambda: FOLDER)
        self.agents = {AGENT: Agent(AGENT, AGENT, "by hand", lambda: self.model)} if agents is None else agents
        self.desk._agents = lambda: self.agents
        self.desk._keepers = lambda session_id, agent, mode: self.records.keeper(session_id, agent, mode, FOLDER)
        self.said: list[str] = []
        self.restoring = Restoring(
            self.records.chats,
            self.desk,
            lambda: self.agents,
            self.records.journal,
            self.clock,
            lambda _: None,
            self.hub.restored,
            self.said.append,
        )

    async def restore(self) -> None:
        """Looks for chats and waits until they are there."""
        self.restoring.begin(FOLDER)
        await self.restoring.wait()

    async def end(self) -> None:
        """Ends as a server does."""
        await self.restoring.end()
        await self.desk.shut_down()
        await self.timekeeper.end()
        await self.records.end()

    def keep_moments(self, folder: Path) -> list[Moment]:
        """From now on every transaction leaves a copy of the whole state."""
        database = self.records.store._writer._database
        moments: list[Moment] = []
        run: Callable[..., None] = database.run

        def copied(work: object) -> None:
            run(work)
            copy = folder / f"moment{len(moments)}"
            # The lock file of this process is a file like any other in the copy: nobody holds it there.
            shutil.copytree(database.path.parent, copy)
            moments.append(Moment(copy, len(self.tool.entered)))

        database.run = copied  # type: ignore[method-assign]
        return moments


def results_of(messages: Iterable[Message]) -> dict[CallId, ToolOutcome]:
    """The results in a history that every provider takes: each call followed by its one result."""
    found: dict[CallId, ToolOutcome] = {}
    listed = list(messages)
    for at, message in enumerate(listed):
        if isinstance(message, ToolResults):
            before = listed[at - 1]
            assert isinstance(before, AssistantTurn)
            assert [use.call_id for use in before.calls] == [one.call_id for one in message.results]
            assert not found.keys() & {one.call_id for one in message.results}
            found |= {one.call_id: one for one in message.results}
        elif isinstance(message, AssistantTurn) and message.calls:
            assert isinstance(listed[at + 1], ToolResults)
    return found
