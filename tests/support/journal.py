"""A journal in memory for tests of what stands above it: what was written, in order, and when it fails."""

import asyncio
from collections.abc import Callable

from assent.agent.nowhere import NoKeeper
from assent.model.errors import NotRecorded
from assent.model.records import Entry, Stage


class MemoryJournal:
    """Writes entries down in a list. `refuses` makes a write fail; `hold` lets it take its time."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.refuses: Callable[[Entry], bool] = lambda entry: False
        self.hold: asyncio.Event | None = None

    async def write(self, *entries: Entry) -> None:
        await asyncio.sleep(0)
        if self.hold is not None:
            await self.hold.wait()
        if any(map(self.refuses, entries)):
            raise NotRecorded("The disk is full. Nothing ran. Free some space and answer again.")
        self.entries += entries

    def note(self, entry: Entry) -> None:
        if not self.refuses(entry):
            self.entries.append(entry)

    def stages(self) -> list[Stage]:
        """The stages in the order in which they were written."""
        return [entry.stage for entry in self.entries]


__all__ = ["MemoryJournal", "NoKeeper"]
