"""One command inside a sandbox: how it is started, and what is looked at when it has ended."""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.runtime.starts import Start
from assent.sandbox.looking import Look, Looking
from assent.sandbox.means import Prepared
from assent.sandbox.taken_out import Appeared, none_of, take_out
from assent.sandbox.words import Tier

_SHARED_FOR = 0.05
"""Seconds for which what stands in for something missing stays after the last command that needed it."""


@dataclass(frozen=True, slots=True)
class Held:
    """A command that only reads, where it can do nothing else. Afterwards there is nothing to look for."""

    tier: Tier
    prepared: Prepared

    @contextmanager
    def applied(self, start: Start) -> Iterator[Start]:
        """The same command inside."""
        own = {**start.environment, "TMPDIR": "/tmp"}  # noqa: S108 - its own, which goes with it
        with self.prepared.applied(replace(start, environment=own)) as inside:
            yield inside


class Confined:
    """What was prepared for one command. `after` is called once it has ended, and also where it never started."""

    def __init__(self, tier: Tier, prepared: Prepared, look: Look, looking: Looking, state: str) -> None:
        self.tier = tier
        self._prepared = prepared
        self._look = look
        self._looking = looking
        self._state = state
        self._ending: asyncio.Task[Appeared] | None = None
        self._going: asyncio.Task[None] | None = None

    def applied(self, start: Start) -> AbstractContextManager[Start]:
        """The same command inside. What it needs to start is held open until the context ends."""
        return self._prepared.applied(start)

    async def after(self, *, take: bool = True, keep: Collection[str] = ()) -> Appeared:
        """Protected things that have appeared since it was prepared. They are taken out of where they are; in the
        workspace only where `take` says so, else they are told.

        `keep`: what calls of the user's own choosing wrote meanwhile. What is one of these paths, or holds one, is no
        matter. Asked again, it tells the same.
        """
        if self._ending is None:
            work = self._end(take=take, keep=tuple(keep))
            self._ending = asyncio.get_running_loop().create_task(work, name="sandbox/after")
        # What was put into the workspace goes again, even where whoever asks no longer waits.
        return await asyncio.shield(self._ending)

    def give_back(self) -> None:
        """Instead of all else, where nobody takes it: no command ran in it."""
        self._release()

    async def _end(self, *, take: bool, keep: Collection[str]) -> Appeared:
        try:
            appeared = await asyncio.to_thread(self._look_again, take=take, keep=keep)
        except BaseException:
            self._release()
            raise
        self._going = asyncio.get_running_loop().create_task(self._put_away(), name="sandbox/away")
        return appeared

    async def _put_away(self) -> None:
        """Nobody has to wait for this, and a command that comes at once shares what still stands there."""
        try:
            await asyncio.sleep(_SHARED_FOR)
        except BaseException:
            # The server ends: there is no later.
            self._release()
            raise
        await asyncio.to_thread(self._release)

    def _after(self, *, take: bool = True, keep: Collection[str] = ()) -> Appeared:
        try:
            return self._look_again(take=take, keep=keep)
        finally:
            self._release()

    def _look_again(self, *, take: bool, keep: Collection[str]) -> Appeared:
        appeared = none_of(keep, self._looking.appeared(self._look))
        left = () if take else tuple(path for path in appeared if self._look.is_in_workspace(path))
        found = take_out((path for path in appeared if path not in left), self._state)
        return replace(found, left=tuple(sorted((*found.left, *left))))

    def _release(self) -> None:
        self._looking.release(self._look.placed)
