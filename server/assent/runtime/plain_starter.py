"""Starts programs with what every system has: a group of processes on POSIX, a job on Windows.

Used where the means of Linux are missing. What leaves its group (POSIX) is not found, bounds are kept on Windows only,
nothing can be locked in, and files cannot be passed on: a start that asks for one of the last two is refused.
"""

import asyncio
import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from assent.runtime.running import Life, Printed, Running, all_over
from assent.runtime.starts import Start, Stream, exit_of
from assent.runtime.thread_writer import ThreadWriter
from assent.runtime.windows_job import CREATE_SUSPENDED, WindowsJob, job_for

_PIECE = 64 * 1024
_AHEAD = 8
"""Pieces that may wait for the loop: what prints faster than it is taken has to wait."""
_WAIT_FOR_LOCK = 0.5


class PlainStarter:
    """Starts each program in a group of its own."""

    def __init__(self) -> None:
        self._held: set[_Hold] = set()
        self._over = False
        self._starting = threading.Lock()
        """Held while a program starts: the end, which may come from another thread, then knows of it."""

    async def start(self, start: Start, printed: Printed) -> Running:
        """Raises OSError where it cannot be started."""
        if start.lock is not None or start.files:
            raise OSError(errno.ENOTSUP, "this system cannot lock programs in, nor pass files on to them")
        with self._starting:
            if self._over:
                raise all_over()
            process, job = _begin(start)
            life = Life()
            hold = _Hold(process, job, life, self._held.discard)
            self._held.add(hold)
        readers = tuple(
            _ThreadReader(pipe, stream, printed)
            for pipe, stream in ((process.stdout, Stream.OUTPUT), (process.stderr, Stream.ERRORS))
            if pipe is not None
        )
        writer = ThreadWriter(process.stdin) if process.stdin is not None else None
        return Running(process.pid, hold, life, readers, writer)

    def end_all(self) -> None:
        """Kills everything that was started here, and lets nothing more start. Any thread may call."""
        self._over = True
        known = self._starting.acquire(timeout=_WAIT_FOR_LOCK)
        for hold in self._held.copy():
            hold.kill()
        if known:
            self._starting.release()


def _begin(start: Start) -> tuple["subprocess.Popen[bytes]", WindowsJob | None]:
    on_windows = sys.platform == "win32"
    try:
        process = subprocess.Popen(  # noqa: S603 - whether it may run was decided before; it is no text for a shell here
            start.argv,
            cwd=start.directory,
            env=dict(start.environment),
            stdin=subprocess.PIPE if start.talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=not on_windows,
            creationflags=_windows_flags() if on_windows else 0,
        )
    except ValueError as fault:
        raise OSError(errno.EINVAL, str(fault)) from fault
    if not on_windows:
        return process, None
    try:
        return process, job_for(process, start.bounds)
    except BaseException:
        process.kill()
        process.wait()
        raise


def _windows_flags() -> int:
    # It does not run before it is in its job: what it starts is in there, too.
    return int(getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)) | CREATE_SUSPENDED


class _Hold:
    """One started process. It is not reaped before its group was ended: until then nobody else can have its number."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        job: WindowsJob | None,
        life: Life,
        forget: "Callable[[_Hold], None]",
    ) -> None:
        self._process = process
        self._job = job
        self._life = life
        self._forget = forget
        self._loop = asyncio.get_running_loop()
        self._killed = threading.Event()
        self._telling = threading.Lock()
        self._reaped = False
        threading.Thread(target=self._watch, name=f"watch {process.pid}", daemon=True).start()

    def terminate(self) -> None:
        """Asks its group to end. On Windows that reaches programs of the same console only."""
        if self._job is None:
            self._signal(signal.SIGTERM)
        else:
            with suppress(OSError):
                self._process.send_signal(int(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM)))

    def kill(self) -> None:
        """Kills all of it. Any thread may call."""
        if self._job is not None:
            self._job.kill()
        else:
            self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self._killed.set()

    def close(self) -> None:
        """Lets go of it, which kills what is left."""
        self.kill()
        if self._job is not None:
            self._job.close()
        self._forget(self)

    def _signal(self, number: int) -> None:
        with self._telling:
            # Where only the ended first process is left, some systems say that it may not be told.
            if not self._reaped:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, number)

    def _watch(self) -> None:
        # Without reaping, so that the number stays taken. Where a system cannot wait so, the kill comes a little early.
        if hasattr(os, "waitid"):
            while (info := os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)) is None:
                pass
            code = info.si_status if info.si_code == os.CLD_EXITED else -info.si_status
            self._tell(lambda: self._life.tell_ended(exit_of(code)))
            self._killed.wait()
            with self._telling:
                self._reaped = True
                self._process.wait()
        else:
            code = self._process.wait()
            self._tell(lambda: self._life.tell_ended(exit_of(code)))
            self._killed.wait()
        self._tell(self._life.tell_gone)

    def _tell(self, news: Callable[[], object]) -> None:
        # The loop may be closed by now: then nobody waits for news.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(news)


class _ThreadReader:
    """Reads one stream in a thread of its own: not every system's loop can wait for pipes."""

    def __init__(self, pipe: IO[bytes], stream: Stream, printed: Printed) -> None:
        self.ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._pipe = pipe
        self.stream = stream
        self._printed = printed
        self._room = threading.Semaphore(_AHEAD)
        self._over = False
        self._read_all = False
        self._paused = False
        self._held: list[bytes] = []
        """What was read while it is paused. It keeps its room, so that it cannot be much."""
        threading.Thread(target=self._read, name=f"read {stream}", daemon=True).start()

    def pause(self) -> None:
        """Tells of nothing for now: whoever prints has to wait soon."""
        self._paused = True

    def go_on(self) -> None:
        """Tells what was read meanwhile, and reads again."""
        self._paused = False
        while self._held and not self._paused:
            self._take(self._held.pop(0))
        self._tell_the_end()

    def close(self) -> None:
        """Reads no further. The thread ends with the pipe, at the latest when nobody can write to it any more."""
        self._over = True
        self._tell_the_end()
        self._room.release()

    def _read(self) -> None:
        with self._pipe as pipe, suppress(OSError, RuntimeError):
            while not self._over and (data := pipe.read(_PIECE)):
                self._room.acquire()
                if not self._over:
                    self._loop.call_soon_threadsafe(self._take, data)
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._end)

    def _take(self, data: bytes) -> None:
        if self._paused and not self._over:
            self._held.append(data)
            return
        self._room.release()
        if not self._over:
            self._printed(self.stream, data)

    def _end(self) -> None:
        self._read_all = True
        self._tell_the_end()

    def _tell_the_end(self) -> None:
        # What is held is part of what was printed: the end comes behind it.
        if self._read_all and (self._over or not self._held):
            self.ended.set()
