"""Writing into the settings what was clicked, taking it out again, and the user's agreement that goes with both."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from assent.app.newcomers import Newcomers
from assent.model.grants import Grant
from assent.policy.options import Kept
from assent.settings.effective import Effective, WriteTarget
from assent.settings.layers import Scope
from assent.settings.live import LiveSettings
from assent.settings.loosening import LooseningEntry
from assent.settings.store import (
    Change,
    ClientWrite,
    Stored,
    Surroundings,
    begin_store,
    change_for,
    finish_store,
    obstacle,
    overruled_by,
)
from assent.settings.stored import StoredGrant
from assent.settings.taking_back import given_back, taken_back

if TYPE_CHECKING:
    from assent.settings.consent import Consent

Write = Callable[[ClientWrite], Awaitable[Stored]]
"""Asks the client to write an entry of a setting, and says what became of it."""


class Storing:
    """Writes through the client where it offers that, otherwise by itself. What is under way is not asked about."""

    def __init__(self, live: Callable[[], LiveSettings], now: Callable[[], Effective], newcomers: Newcomers) -> None:
        self._live = live
        self._now = now
        self._newcomers = newcomers
        self.write: Write | None = None
        """The client's way to write, where it has one."""
        self._under_way: list[Consent] = []
        self._taken_back: set[Consent] = set()

    def settled(self, entries: Iterable[LooseningEntry]) -> tuple[LooseningEntry, ...]:
        """Those of the entries that are not just being written or taken out."""
        entries = tuple(entries)
        # The editor may tell a little later that it took it out.
        self._taken_back &= {entry.consent for entry in entries}
        pending = self._taken_back.union(self._under_way)
        return tuple(entry for entry in entries if entry.consent not in pending)

    def kept(self, now: Effective) -> Kept:
        """Where a rule, a tool or a directory that is clicked now would be stored."""
        return self._kept(now, WriteTarget.WORKSPACE)

    def bypass_kept(self, now: Effective) -> Kept:
        """Where a bypass that is clicked now would be stored."""
        return self._kept(now, now.write_target)

    def _kept(self, now: Effective, target: WriteTarget) -> Kept:
        if obstacle(self._place(now), target):
            return Kept.MEMORY
        return Kept.USER if target is WriteTarget.USER else Kept.WORKSPACE

    async def store(self, grant: Grant) -> Stored:
        """Writes what was clicked into the settings, together with the record of the user's consent."""
        now = self._now()
        change = change_for(grant, now.agents)
        if change is None:
            return Stored(False, "", "The agent is no longer defined, so there is nothing to store it for.")
        return await self._agreed(change, self._place(now))

    async def put(self, change: Change) -> Stored:
        """Writes a change that was clicked, together with the record of the user's consent."""
        return await self._agreed(change, self._place_of(change))

    def why_not(self, now: Effective, target: WriteTarget) -> str:
        """Why nothing can be stored there now; nothing where it can."""
        return obstacle(self._place(now), target)

    def stored_grants(self) -> tuple[StoredGrant, ...]:
        """Everything in the settings that permits something, and the rules that forbid."""
        return self._live().stored()

    async def take_back(self, grant: StoredGrant) -> Stored:
        """Takes an entry out of the settings, and the user's agreement to it."""
        change = taken_back(grant)
        place, entry = self._place_of(change), grant.entry
        if entry is None:
            return await self._written(change, place)
        if change.scope is WriteTarget.USER:
            return self._withheld(grant, entry, await self._written(change, place))
        self._under_way.append(entry.consent)
        try:
            return await self._written(change, place)
        finally:
            self._under_way.remove(entry.consent)
            self._taken_back.add(entry.consent)

    async def take_back_again(self, grant: Grant) -> Stored:
        """It was taken back while it was being stored, so it is not to be found in the settings either."""
        change = change_for(grant, self._now().agents)
        of_user = change is not None and change.target(self._place(self._now())) is WriteTarget.USER
        for one in self.stored_grants():
            same = change is not None and (one.setting, one.path) == (change.key, change.path)
            item = change is None or not one.is_item or one.value == change.value
            if same and item and of_user == (one.origin.scope is Scope.USER):
                stored = await self.take_back(one)
                if not stored.written:
                    return stored
        return Stored(False, "", "You took it back while it was being stored, so it was taken out again.")

    async def give_back(self, grant: StoredGrant) -> Stored:
        """Writes what was taken back again, with the agreement that there was."""
        change = given_back(grant)
        if grant.entry is None:
            return await self._written(change, self._place_of(change))
        self._taken_back.discard(grant.entry.consent)
        return await self._agreed(replace(change, consent=grant.entry.consent), self._place_of(change))

    def _withheld(self, grant: StoredGrant, entry: LooseningEntry, stored: Stored) -> Stored:
        """Until the editor tells that it is gone, it does not count."""
        if stored.written and any(other.key == grant.key for other in self.stored_grants()):
            self._newcomers.take_back(entry.consent)
            self._live().withheld = self._newcomers.withheld
        return stored

    def _place_of(self, change: Change) -> Surroundings:
        place = self._place(self._now())
        if change.folder is None:
            return place
        return replace(place, folder=change.folder, client_writes=False, workspace_file=None)

    async def _agreed(self, change: Change, place: Surroundings) -> Stored:
        # Between the setting and the record nobody is to be asked about what was clicked just now.
        consent, of_user = change.consent, change.target(place) is WriteTarget.USER
        if consent is None:
            return await self._written(change, place)
        self._under_way.append(consent)
        if of_user:
            self._newcomers.expect(consent)
        stored: Stored | None = None
        try:
            stored = await self._written(change, place)
        finally:
            self._under_way.remove(consent)
            if of_user and (stored is None or not stored.written):
                self._newcomers.not_written(consent)
        return stored

    async def _written(self, change: Change, place: Surroundings) -> Stored:
        begun = await asyncio.to_thread(begin_store, change, place, self._live().ledger)
        stored = begun if isinstance(begun, Stored) else await self._finish(change, place, begun)
        wins = self._live().overruling(change, place) if stored.written else None
        return stored if wins is None else overruled_by(stored, change, wins.by, wins.text)

    async def _finish(self, change: Change, place: Surroundings, wanted: ClientWrite) -> Stored:
        assert self.write is not None
        told = await self.write(wanted)
        return await asyncio.to_thread(
            finish_store,
            change,
            place,
            self._live().ledger,
            written=told.written,
            target=told.target,
            error=told.error,
        )

    def _place(self, now: Effective) -> Surroundings:
        live = self._live()
        return Surroundings(live.folder, live.trusted, now.write_target, self.write is not None, live.workspace_file)
