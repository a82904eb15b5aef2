"""What a server asks of the system is held until we say what becomes of it: let through, counted, or failed.

The kernel holds each such call (seccomp's user notification) and tells us of it. Other than a tracer's, this costs
nothing for the calls that nobody asked for. What the server starts is held as well. Linux on x86-64.
"""

import ctypes
import errno
import fcntl
import os
import platform
import select
import socket
import struct
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.support.scale import limit

NUMBERS = {
    "write": 1,
    "pwrite64": 18,
    "clone": 56,
    "vfork": 58,
    "execve": 59,
    "fsync": 74,
    "fdatasync": 75,
    "ftruncate": 77,
    "rename": 82,
    "unlink": 87,
    "openat": 257,
    "pipe2": 293,
    "clone3": 435,
}
"""Of the x86-64 kernel."""
_NAMES = {number: name for name, number in NUMBERS.items()}
_BY_PATH = {"openat": (1,), "rename": (0, 1), "unlink": (0,)}
"""Which arguments are names of files; those of all others that are about a file begin with its descriptor."""
_BY_DESCRIPTOR = frozenset({"write", "pwrite64", "fsync", "fdatasync", "ftruncate"})

_SECCOMP = 317
_SET_FILTER, _ACTION_AVAILABLE = 1, 2
_NEW_LISTENER = 1 << 3
_ARCHITECTURE = 0xC000003E
_LET_THROUGH, _HOLD = 0x7FFF0000, 0x7FC00000
_RECEIVE, _ANSWER = 0xC0502100, 0xC0182101
_CONTINUE = 1
_HELD = struct.Struct("=QIIiIQ6Q")
_VERDICT = struct.Struct("=QqiI")
_LONGEST_NAME = 4096


def obstacle() -> str:
    """Why calls cannot be held here, or nothing."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return "calls can be held on Linux on x86-64 only"
    action = ctypes.c_uint32(_HOLD)
    if _libc().syscall(_SECCOMP, _ACTION_AVAILABLE, 0, ctypes.byref(action)) != 0:
        return f"this kernel does not let calls be held: {os.strerror(ctypes.get_errno())}"
    return ""


@dataclass(frozen=True, slots=True)
class Failure:
    """The Nth call of this name fails, once."""

    name: str
    error: str
    n: int


@dataclass(slots=True)
class Watch:
    """What happened while it was watched."""

    failure: Failure | None
    counted: Counter[str] = field(default_factory=Counter)
    happened: bool = False


class HeldCalls:
    """The calls of one server. It is handed to the server as what comes before it, and serves from then on."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._address = f"\0held-calls-{uuid.uuid4()}"
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._door.bind(self._address)
        self._door.listen(1)
        self._door.settimeout(limit(60))
        self._lock = threading.Lock()
        self._watch: Watch | None = None
        self._server = threading.Thread(target=self._serve, name="held calls", daemon=True)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        """After the end of the server."""
        self._server.join(limit(20))
        assert not self._server.is_alive(), "something that the server started still holds its calls"

    @property
    def before(self) -> tuple[str, str, dict[str, Any]]:
        """What the server has to call before it becomes one."""
        return "tests.faults.held_calls", "hold", {"address": self._address}

    @contextmanager
    def watching(self, failure: Failure | None = None) -> Iterator[Watch]:
        """Counts the calls from here on, and lets one of them fail."""
        watch = Watch(failure)
        with self._lock:
            self._watch = watch
        try:
            yield watch
        finally:
            with self._lock:
                self._watch = None

    def _serve(self) -> None:
        with self._door:
            line, _ = self._door.accept()
        with line:
            _, (listener,), _, _ = socket.recv_fds(line, 1, 1)
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        try:
            while not any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll()):
                self._answer_next(listener)
        finally:
            os.close(listener)

    def _answer_next(self, listener: int) -> None:
        told = bytearray(_HELD.size)
        try:
            fcntl.ioctl(listener, _RECEIVE, told)
        except (FileNotFoundError, InterruptedError):
            return
        held, thread, _, number, _, _, *arguments = _HELD.unpack(told)
        error = 0
        try:
            error = self._error(_NAMES[number], thread, arguments)
        finally:
            verdict = bytearray(_VERDICT.pack(held, 0, -error, 0 if error else _CONTINUE))
            # Whoever called may be gone.
            with suppress(FileNotFoundError):
                fcntl.ioctl(listener, _ANSWER, verdict)

    def _error(self, name: str, thread: int, arguments: list[int]) -> int:
        with self._lock:
            watch = self._watch
        if watch is None or (watch.failure is not None and (watch.failure.name != name or watch.happened)):
            return 0
        if not self._is_ours(name, thread, arguments):
            return 0
        watch.counted[name] += 1
        failure = watch.failure
        if failure is None or watch.counted[name] != failure.n:
            return 0
        watch.happened = True
        return int(getattr(errno, failure.error))

    def _is_ours(self, name: str, thread: int, arguments: list[int]) -> bool:
        """Of those that are about files only those about files of the state directory."""
        try:
            if name in _BY_PATH:
                return any(self._is_of_state(_text_at(thread, arguments[which])) for which in _BY_PATH[name])
            if name in _BY_DESCRIPTOR:
                return self._is_of_state(str(Path(f"/proc/{thread}/fd/{arguments[0]}").readlink()))
        except OSError:
            return False  # it has gone meanwhile, or its arguments are none
        return True

    def _is_of_state(self, name: str) -> bool:
        return Path(name) == self._state or self._state in Path(name).parents


def hold(address: str) -> None:
    """In the server, while it has one thread: from here on its calls are held, and those of all that it starts."""
    libc = _libc()
    set_ptracer, anyone, no_new_privileges = 0x59616D61, -1, 38
    # Where only parents may look into a process, whoever holds its calls may as well.
    libc.prctl(set_ptracer, ctypes.c_ulong(anyone), 0, 0, 0)
    if libc.prctl(no_new_privileges, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.connect(address)
        program = b"".join(_filter(NUMBERS.values()))
        code = ctypes.create_string_buffer(program, len(program))
        wanted = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
        listener = libc.syscall(_SECCOMP, _SET_FILTER, _NEW_LISTENER, wanted)
        if listener < 0:
            raise OSError(ctypes.get_errno(), "seccomp")
        socket.send_fds(line, [b"."], [listener])
        os.close(listener)


def _filter(numbers: Iterable[int]) -> Iterator[bytes]:
    load, equal, end = 0x20, 0x15, 0x06
    numbers = tuple(numbers)
    yield _instruction(load, 4)
    yield _instruction(equal, _ARCHITECTURE, 0, len(numbers) + 1)
    yield _instruction(load, 0)
    for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True):
        yield _instruction(equal, number, left)
    yield _instruction(end, _LET_THROUGH)
    yield _instruction(end, _HOLD)


def _instruction(code: int, operand: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_so, if_not, operand)


def _text_at(thread: int, address: int) -> str:
    with Path(f"/proc/{thread}/mem").open("rb", buffering=0) as memory:
        memory.seek(address)
        return os.fsdecode(memory.read(_LONGEST_NAME).partition(b"\0")[0])


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
