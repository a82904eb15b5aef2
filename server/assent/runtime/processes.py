"""The only home of process starting: with a limit of time, bounded output, and nothing left of it afterwards."""

import asyncio
import errno
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from assent.runtime.kept_output import KeptOutput

GRACE_TO_END = 2.0
"""Seconds between the polite signal and the one that cannot be refused."""
GRACE_FOR_OUTPUT = 0.5
"""Seconds for which the output of a process that has ended is waited for: another process may hold it open."""


@dataclass(frozen=True, slots=True)
class Start:
    """A program to be started, and with what. Nothing is inherited but this: no input, no other environment."""

    argv: tuple[str, ...]
    directory: str
    environment: Mapping[str, str]
    seconds: float
    kept_bytes: int


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: by itself with a code or by a signal, or because its time was over."""

    code: int | None
    signal: str | None
    output: KeptOutput
    errors: KeptOutput
    timed_out: bool = False
    held_open: bool = False
    """Something that it had started still held its output, and was ended."""


class Processes:
    """Starts programs, each in a group of its own, and ends whatever is left of a group with its first process."""

    def __init__(self) -> None:
        self._alive: set[_Child] = set()
        self._starting = threading.Lock()
        """Held while a program starts: the end, which may come from another thread, then knows of it."""
        self._over = False

    async def run(self, start: Start) -> Ended:
        """Runs a program until it ends. Raises OSError where it cannot be started. Being cancelled kills it at once."""
        loop = asyncio.get_running_loop()
        with self._starting:
            if self._over:
                raise OSError(errno.ECANCELED, "the server ends, and nothing more is started")
            child = _Child(start, loop)
            self._alive.add(child)
        try:
            output, errors = await child.attach(start.kept_bytes)
            timed_out = not await _happens(child.ended, start.seconds)
            if timed_out:
                child.signal(signal.SIGTERM)
                await _happens(child.ended, GRACE_TO_END)
            # The first process has ended, but its number is not free yet: the group is still this one.
            held_open = not await _all_happen((output.ended, errors.ended), 0.0 if timed_out else GRACE_FOR_OUTPUT)
            child.signal(signal.SIGKILL)
            await _happens(child.ended, GRACE_TO_END)
            await _all_happen((output.ended, errors.ended), GRACE_FOR_OUTPUT)
            code = await child.reaped()
            return _ended(code, output.kept, errors.kept, timed_out=timed_out, held_open=held_open and not timed_out)
        finally:
            child.end()
            self._alive.discard(child)

    def end_all(self) -> None:
        """Kills everything that still runs, and lets nothing more start. Any thread may call."""
        self._over = True
        # Where even starting one takes too long, the others are ended all the same.
        known = self._starting.acquire(timeout=GRACE_FOR_OUTPUT)
        # A copy is made in one step, whatever the loop does meanwhile.
        for child in self._alive.copy():
            child.signal(signal.SIGKILL)
        if known:
            self._starting.release()


def _ended(code: int | None, output: KeptOutput, errors: KeptOutput, *, timed_out: bool, held_open: bool) -> Ended:
    by_signal = code is not None and code < 0
    name = _signal_name(-code) if code is not None and by_signal else None
    return Ended(None if by_signal else code, name, output, errors, timed_out, held_open)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class _Child:
    """One started process. It is not reaped before its group was ended: until then nobody else can have its number."""

    def __init__(self, start: Start, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.ended = asyncio.Event()
        self._may_reap = threading.Event()
        self._reaped: asyncio.Future[int | None] = loop.create_future()
        self._gone = False
        self._readers: list[asyncio.BaseTransport] = []
        self._process = subprocess.Popen(  # noqa: S603 - whether it may run was decided before; it is no text for a shell here
            start.argv,
            cwd=start.directory,
            env=dict(start.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        try:
            threading.Thread(target=self._watch, name=f"process {self._process.pid}", daemon=True).start()
        except RuntimeError as fault:
            self.signal(signal.SIGKILL)
            self._process.wait()
            raise OSError(errno.EAGAIN, "no thread could be started to watch it") from fault

    async def attach(self, most: int) -> "tuple[_Reader, _Reader]":
        """Begins to read what it prints."""
        readers = []
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is None:
                raise AssertionError("both were asked for")
            transport, reader = await self._loop.connect_read_pipe(lambda: _Reader(KeptOutput(most)), pipe)
            self._readers.append(transport)
            readers.append(reader)
        return readers[0], readers[1]

    def signal(self, number: int) -> None:
        """Tells the whole group. Where nothing is left of it, nobody is told."""
        if not self._gone:
            # Where only the ended first process is left, some systems say that it may not be told.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    async def reaped(self) -> int | None:
        """Lets the system forget the process. None where it cannot be ended: it waits for a device."""
        self._gone = True
        self._may_reap.set()
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(self._reaped), GRACE_TO_END)
        return None

    def end(self) -> None:
        """Whatever happened before: the group is killed, its output no longer read, its first process reaped."""
        self.signal(signal.SIGKILL)
        self._gone = True
        self._may_reap.set()
        for reader in self._readers:
            reader.close()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None and len(self._readers) < 2:
                pipe.close()

    def _watch(self) -> None:
        # Without reaping, so that the number stays taken. Where a system cannot wait so, it is reaped a little early.
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
            self._tell(self.ended.set)
            self._may_reap.wait()
        code = self._process.wait()
        self._tell(self.ended.set)
        self._tell(lambda: self._forgotten(code))

    def _forgotten(self, code: int) -> None:
        if not self._reaped.done():
            self._reaped.set_result(code)

    def _tell(self, news: Callable[[], object]) -> None:
        # The loop may be closed by now: then nobody waits for news.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(news)


class _Reader(asyncio.Protocol):
    """Reads one stream until it ends."""

    def __init__(self, kept: KeptOutput) -> None:
        self.kept = kept
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.kept.add(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


async def _all_happen(events: tuple[asyncio.Event, ...], seconds: float) -> bool:
    results = await asyncio.gather(*(_happens(event, seconds) for event in events))
    return all(results)
