"""The only way to start a program: within bounds, watched, and with nothing left of it afterwards.

On Linux a small program beside the server starts them (`warden`), so that nothing outlives the server, however it ends.
"""

import asyncio
import os
import shutil
import sys

from assent.runtime.kept_output import KeptOutput
from assent.runtime.launching import Launch, start_of
from assent.runtime.running import Printed, Running, Starter
from assent.runtime.starts import Bounds, Ended, Exit, Lock, Start, Stream

__all__ = ["Bounds", "Ended", "Exit", "Lock", "Printed", "Processes", "Running", "Start", "Stream"]

GRACE_TO_END = 2.0
"""Seconds between the polite signal and the one that cannot be refused."""
GRACE_FOR_OUTPUT = 0.5
"""Seconds for which the output of a process that has ended is waited for: another process may hold it open."""


class Processes:
    """Starts programs, and ends whatever they leave behind."""

    def __init__(self, starter: Starter | None = None) -> None:
        self._starter = _starter_of_this_system() if starter is None else starter

    async def start(self, start: Start, printed: Printed) -> Running:
        """Starts a program; it runs until it ends or `end` is called. Raises OSError where it cannot be started."""
        return await self._starter.start(start, printed)

    async def launch(self, launch: Launch, printed: Printed) -> Running:
        """Starts a program that settings name, as `start` does."""
        return await self.start(start_of(launch, os.environ, _found, on_windows=sys.platform == "win32"), printed)

    async def run(self, start: Start, seconds: float, kept_bytes: int, *, given: bytes | None = None) -> Ended:
        """Runs a program until it ends. Raises OSError where it cannot be started. Being cancelled kills it at once.

        With something given to read, it is one of which an answer is wanted: it is killed once it printed too much.
        """
        kept = {stream: KeptOutput(kept_bytes) for stream in Stream}
        running: Running | None = None

        def printed(stream: Stream, data: bytes) -> None:
            kept[stream].add(data)
            if given is not None and kept[stream].left_out and running is not None:
                running.kill()

        running = await self.start(start, printed)
        if given is not None:
            running.write(given)
            running.close_input()
        try:
            timed_out = not await _ends(running, seconds)
            if timed_out:
                running.terminate()
                await _ends(running, GRACE_TO_END)
            held_open = not timed_out and not await running.silent(GRACE_FOR_OUTPUT)
        finally:
            await running.end()
        end = await running.ended()
        output, errors = kept[Stream.OUTPUT], kept[Stream.ERRORS]
        return Ended(end.code, end.signal, output, errors, timed_out, held_open, end.limit)

    def end_all(self) -> None:
        """Kills everything that still runs, and lets nothing more start. Any thread may call."""
        self._starter.end_all()

    def sweep(self) -> int:
        """Kills what servers left behind that are gone, and tells how many processes. It blocks for a moment."""
        if not _on_linux():
            return 0
        from assent.runtime import leftovers

        return leftovers.sweep()


def _found(name: str, path: str | None) -> str | None:
    return shutil.which(name, path=path)


async def _ends(running: Running, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await running.ended()
    except TimeoutError:
        return False
    return True


def _starter_of_this_system() -> Starter:
    if _on_linux():
        from assent.runtime.linux_starter import LinuxStarter

        return LinuxStarter()
    from assent.runtime.plain_starter import PlainStarter

    return PlainStarter()


def _on_linux() -> bool:
    return sys.platform == "linux"
