"""A journal in memory for tests of what stands above it: what was written, in order, and when it fails."""

import asyncio
from collections.abc import Awaitable, Callable

from assent.agent.nowhere import NoKeeper
from assent.model.errors import NotRecorded
from assent.model.records import Entry, Stage


class MemoryJournal:
    """Writes entries down in the order in which they are handed over.

    `refuses` makes a write fail; `pause` is what it takes before it is durable, and `hold` lets it wait longer.
    """

    def __init__(self) -> None:
        self._slots: list[list[Entry]] = []
        self.writes = 0
        """How often somebody waited for the disk."""
        self.refuses: Callable[[Entry], bool] = lambda entry: False
        self.hold: asyncio.Event | None = None
        self.pause: Callable[[], Awaitable[None]] = lambda: asyncio.sleep(0)

    @property
    def entries(self) -> list[Entry]:
        """What is written down by now."""
        return [entry for slot in self._slots for entry in slot]

    async def write(self, *entries: Entry) -> None:
        self.writes += 1
        slot: list[Entry] = []
        self._slots.append(slot)
        await self.pause()
        if self.hold is not None:
            await self.hold.wait()
        if any(map(self.refuses, entries)):
            raise NotRecorded("The disk is full. Nothing ran. Free some space and answer again.")
        slot.extend(entries)

    def note(self, entry: Entry) -> None:
        if not self.refuses(entry):
            self._slots.append([entry])

    async def settle(self) -> None:
        await self.pause()

    def stages(self) -> list[Stage]:
        """The stages in the order in which they were written."""
        return [entry.stage for entry in self.entries]


__all__ = ["MemoryJournal", "NoKeeper"]
