"""For a process that only thinks: it keeps nothing, so nothing may happen in it."""

from collections.abc import Sequence

from assent.model.conversation import AssistantTurn, Message, ToolOutcome
from assent.model.errors import NotRecorded
from assent.model.events import Event
from assent.model.ids import RunId
from assent.model.modes import Mode
from assent.model.records import Entry


class NoJournal:
    """Refuses every entry that somebody waits for: what cannot be written down does not happen."""

    async def write(self, *entries: Entry) -> None:
        """Nothing is written, so nothing may run."""
        raise NotRecorded("This process keeps no records, so nothing runs in it.")

    def note(self, entry: Entry) -> None:
        """Nothing is written."""

    async def settle(self) -> None:
        """There is nothing to wait for."""


class NoKeeper:
    """Keeps nothing of a chat: it is gone with the process."""

    def agent(self, digest: str) -> None:
        """Not kept."""

    def mode(self, mode: Mode) -> None:
        """Not kept."""

    def event(self, number: int, run_id: RunId, event: Event) -> None:
        """Not kept."""

    def message(self, index: int, message: Message) -> None:
        """Not kept."""

    def cut(self, index: int, messages: Sequence[Message]) -> None:
        """Not kept."""

    def turn(self, turn: AssistantTurn) -> None:
        """Not kept."""

    def outcome(self, outcome: ToolOutcome) -> None:
        """Not kept."""

    def closed(self) -> None:
        """There is nothing to forget."""
