"""The sandbox of a server: which means this machine has, tried once, and what it does for one command."""
# ruff: noqa: PTH103, PTH118 - names as the system spells them

import asyncio
import os
import sys
from functools import partial

from assent.runtime.processes import Processes
from assent.sandbox.bubblewrap_means import bubblewrap, said_by_bubblewrap
from assent.sandbox.confined import Confined, Held
from assent.sandbox.escape import ways_out
from assent.sandbox.handover import Handover
from assent.sandbox.landlock_means import landlock
from assent.sandbox.looking import Looking
from assent.sandbox.means import Means
from assent.sandbox.placeholders import Placeholders
from assent.sandbox.words import Found, Reading, Tier, Unheld, Wanted

NOT_HERE = "There is no sandbox for this system yet."


class Sandbox:
    """Confines commands. `hidden`: the state directory first; `read_only`: what editors take their settings from."""

    def __init__(
        self, processes: Processes, *, home: str, hidden: tuple[str, ...], read_only: tuple[str, ...] = ()
    ) -> None:
        self._processes = processes
        self._state = hidden[0]
        self._own = os.path.join(self._state, "sandbox")
        self._looking = Looking(home, hidden, read_only, Placeholders(os.path.join(self._own, "placeholders")))
        self._testing: asyncio.Task[tuple[Means | None, str]] | None = None

    async def tier(self) -> Found:
        """The means that held against attempts to escape. They are made once; whoever asks meanwhile waits for them."""
        means, why = await self._tested()
        return Found(None, why) if means is None else Found(means.tier, why, means.holds_readers)

    def forget(self) -> None:
        """What was found out counts no more: the next call tries again."""
        self._testing = None

    def sweep(self) -> None:
        """Removes what servers that are gone have put into workspaces. It blocks for a moment."""
        self._looking.sweep()

    async def confine(self, wanted: Wanted) -> Confined | Unheld:
        """For a command without a click: it writes to these places, never to what is protected, and reads no secret."""
        return await self._prepared(wanted, everything=False)

    async def holds(self, wanted: Wanted) -> Tier | Unheld:
        """Whether it would hold for this command. Nothing is put in place for it."""
        means, why = await self._tested()
        if means is None:
            return Unheld(why)
        look = await asyncio.to_thread(self._looking.look, wanted, everything=False, put=False)
        return look if isinstance(look, Unheld) else means.tier

    async def hold(self, wanted: Reading) -> Held | Unheld:
        """For a command that only reads: it finds the workspace and the machine's programs, and can change nothing."""
        means, why = await self._tested()
        if means is None or not means.holds_readers:
            return Unheld(why or "This kernel's Landlock keeps no command from ending other programs.")
        return await asyncio.to_thread(self._held, means, wanted)

    def _held(self, means: Means, wanted: Reading) -> Held | Unheld:
        layout = self._looking.reading(wanted)
        if isinstance(layout, Unheld):
            return layout
        prepared = means.prepare(layout)
        return prepared if isinstance(prepared, Unheld) else Held(means.tier, prepared)

    async def guards(self) -> bool:
        """Whether there is a means to guard commands."""
        return (await self.tier()).tier not in (None, Tier.LANDLOCK)

    async def guard(self, wanted: Wanted) -> Confined | Unheld:
        """Everything as outside, but protected things cannot be changed and hidden places not be reached."""
        found = await self.tier()
        if found.tier is Tier.LANDLOCK:
            return Unheld("Landlock holds a file only where nothing new can be made beside it: that would be no guard.")
        return await self._prepared(wanted, everything=True)

    async def _prepared(self, wanted: Wanted, *, everything: bool) -> Confined | Unheld:
        means, why = await self._tested()
        if means is None:
            return Unheld(why)
        work = partial(prepare, means, self._looking, wanted, self._state, everything=everything)
        return await Handover(work, _given_back).result()

    async def _tested(self) -> tuple[Means | None, str]:
        if self._testing is None:
            self._testing = asyncio.get_running_loop().create_task(self._test(), name="sandbox/self-test")
        testing = self._testing
        try:
            return await asyncio.shield(testing)
        except OSError as fault:
            if self._testing is testing:
                self._testing = None
            return None, f"The sandbox could not be tested: {fault.strerror or type(fault).__name__}."

    async def _test(self) -> tuple[Means | None, str]:
        if sys.platform != "linux":
            return None, NOT_HERE
        reasons: list[str] = []
        said = await said_by_bubblewrap(self._processes)
        empty = await asyncio.to_thread(self._empty)
        for make, tier in ((partial(bubblewrap, said=said), Tier.BUBBLEWRAP), (landlock, Tier.LANDLOCK)):
            means = await asyncio.to_thread(make, empty)
            why = means if isinstance(means, str) else await ways_out(self._processes, means, self._own)
            if not why and not isinstance(means, str):
                return means, " ".join(reasons)
            reasons.append(f"{tier.label}: {why}")
        return None, " ".join(reasons)

    def _empty(self) -> str:
        """A file in which nothing is, which stands for every secret one."""
        os.makedirs(self._own, mode=0o700, exist_ok=True)
        path = os.path.join(self._own, "empty")
        if not os.path.exists(path):  # noqa: PTH110
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
        return path


def _given_back(prepared: Confined | Unheld) -> None:
    if isinstance(prepared, Confined):
        prepared.give_back()


def prepare(means: Means, looking: Looking, wanted: Wanted, state: str, *, everything: bool) -> Confined | Unheld:
    """Looks at the disk and gets everything ready. It blocks for a moment."""
    look = looking.look(wanted, everything=everything)
    if isinstance(look, Unheld):
        return look
    try:
        prepared = means.prepare(look.layout)
    except BaseException:
        looking.release(look.placed)
        raise
    if isinstance(prepared, Unheld):
        looking.release(look.placed)
        return prepared
    return Confined(means.tier, prepared, look, looking, state)
