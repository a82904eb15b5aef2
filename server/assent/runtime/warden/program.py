"""A forked process becomes the program that was ordered, step by step. Where a step fails, no program runs."""

import errno
import fcntl
import os
import resource
import signal
from collections.abc import Callable

from assent.runtime.warden import kernel, lock
from assent.runtime.warden.words import Order, said

ENDS_FIRST = 800
"""How early the system ends commands when memory is short, of 1000: long before an editor."""
_ROOM_FOR_DATA = 2
"""Memory that is set aside and never used is no harm: the keeper counts what is used, this stops what outruns it."""
_ROOM_FOR_THREADS = 8
_LEAST_ROOM = 1_024


class Handles:
    """What came with an order."""

    __slots__ = ("directory", "errors", "files", "output")

    def __init__(self, directory: int, output: int, errors: int, *files: int) -> None:
        self.directory = directory
        self.output = output
        self.errors = errors
        self.files = files

    def close(self) -> None:
        """This process needs none of them any more."""
        for handle in (self.directory, self.output, self.errors, *self.files):
            os.close(handle)


def become(order: Order, handles: Handles, news: int, keeper: int) -> None:
    """Does not return. What goes wrong is written to `news`, which closes where the program begins."""
    name = "its files"
    try:
        news = _set_aside(news, order)
        for name, step in _steps(order, handles, news, keeper):  # noqa: B007 - what went wrong is told by its name
            step()
    except Exception as fault:  # noqa: BLE001 - whatever it is, no program runs, and that is said
        path = getattr(fault, "filename", None)
        words = f"{name} ({os.fsdecode(path)})" if name and path else name
        os.write(news, said(words, getattr(fault, "errno", None) or errno.EINVAL))


def _steps(order: Order, handles: Handles, news: int, keeper: int) -> tuple[tuple[str, Callable[[], None]], ...]:
    return (
        ("a session of its own", lambda: _leave(keeper)),
        ("its folder", lambda: os.fchdir(handles.directory)),
        ("its files", lambda: _arrange(order, handles, news)),
        ("its limits", lambda: _limit(order)),
        ("its lock", lambda: lock.apply(order.lock) if order.lock is not None else None),
        ("", lambda: _execute(order)),
    )


def _leave(keeper: int) -> None:
    signal.set_wakeup_fd(-1)
    os.setsid()
    kernel.prctl(kernel.SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != keeper:
        # It died before it could be noticed.
        os._exit(0)
    for number in signal.valid_signals():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _let_the_system_end_it_first()


def _let_the_system_end_it_first() -> None:
    try:
        with open("/proc/self/oom_score_adj", "r+") as file:  # noqa: PTH123
            if int(file.read()) < ENDS_FIRST:
                file.seek(0)
                file.write(str(ENDS_FIRST))
    except (OSError, ValueError):
        # A help, no promise: some systems do not let it be said.
        return


def _set_aside(handle: int, order: Order) -> int:
    return fcntl.fcntl(handle, fcntl.F_DUPFD_CLOEXEC, max((2, *order.numbers)) + 1)


def _arrange(order: Order, handles: Handles, news: int) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    wanted = dict(
        zip((0, 1, 2, *order.numbers), (nothing, handles.output, handles.errors, *handles.files), strict=True)
    )
    # First out of each other's way, then to their places.
    aside = {number: _set_aside(handle, order) for number, handle in wanted.items()}
    for number, handle in aside.items():
        os.dup2(handle, number, inheritable=True)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        if int(name) != news and int(name) not in wanted:
            _close(int(name))


def _close(handle: int) -> None:
    try:
        os.close(handle)
    except OSError:
        # The one by which the list was read.
        return


def _limit(order: Order) -> None:
    if order.file_bytes is not None:
        _set_limit(resource.RLIMIT_FSIZE, order.file_bytes)
    if order.memory_bytes is not None:
        _set_limit(resource.RLIMIT_DATA, order.memory_bytes * _ROOM_FOR_DATA)
    if order.processes is not None:
        _set_limit(resource.RLIMIT_NPROC, _tasks() + max(order.processes * _ROOM_FOR_THREADS, _LEAST_ROOM))


def _set_limit(which: int, most: int) -> None:
    _, hard = resource.getrlimit(which)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (most, most))


def _tasks() -> int:
    """How many there are on this system: the limit counts all of a user, this counts a few more."""
    with open("/proc/loadavg") as file:  # noqa: PTH123
        return int(file.read().split()[3].partition("/")[2])


def _execute(order: Order) -> None:
    fault = OSError(errno.ENOENT, os.strerror(errno.ENOENT))
    for path in order.programs:
        try:
            os.execve(path, order.argv, order.environment)  # noqa: S606 - what was agreed to, and no shell
        except OSError as another:
            # What is there and cannot be started says more than what is not there.
            if another.errno not in (errno.ENOENT, errno.ENOTDIR):
                fault = another
    fault.filename = None
    raise fault
