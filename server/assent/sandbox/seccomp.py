"""System calls that a confined program may not make, as the kernel's filter takes them. No I/O.

Everything else is allowed. A program meets a refusal as an ordinary error, except where it tries to be another kind of
program than it is: then it is ended.
"""

import struct
from collections.abc import Sequence
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.sandbox.call_numbers import CALLS

_LOAD, _EQUAL, _AND, _ANY_OF, _AT_LEAST, _RETURN = 0x20, 0x15, 0x54, 0x45, 0x35, 0x06
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24
"""Where the kernel lays them: arguments by their lower half, which is all that it uses of those looked at here."""
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NOT_PERMITTED, _NO_SUCH_CALL, _NOT_SUPPORTED = 1, 38, 95
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_OTHER_NUMBERS = 0x40000000
"""Bit of the numbers of x32, by which each call of x86-64 could be made under another one."""
_NEW_NAMESPACES = 0x7E020000
_UNIX, _INTERNET, _INTERNET_6 = 1, 2, 10
_STREAM, _RAW, _SEQUENCED = 1, 3, 5
_KIND = 0xF
_TYPE_INTO_TERMINAL, _OLD_TERMINAL = 0x5412, 0x541C
_SET_FLAGS, _SET_EXTENDED = 0x40086602, 0x401C5820

_REFUSED = (
    *("mount", "umount2", "pivot_root", "chroot", "setns", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount"),
    *("fspick", "mount_setattr", "open_tree_attr", "open_by_handle_at", "fanotify_init", "quotactl", "quotactl_fd"),
    *("bpf", "keyctl", "add_key", "request_key", "userfaultfd", "perf_event_open", "lookup_dcookie", "syslog"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "acct", "swapon", "swapoff"),
    *("reboot", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname"),
    *("iopl", "ioperm", "nfsservctl", "vhangup"),
)
_UNKNOWN = ("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register")
"""Said to be unknown, because programs then do without: the flags of the first cannot be seen from here."""
_MODES = ("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat")
_ATTRIBUTES = (
    *("setxattr", "lsetxattr", "fsetxattr", "setxattrat", "file_setattr"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
)
_TIMES = ("utime", "utimes", "futimesat", "utimensat")
_OF_A_PROGRAM = ("prlimit64", "sched_setparam", "sched_setscheduler", "sched_setaffinity", "sched_setattr")
"""They name a program first, or themselves by 0."""
_OF_SOME_PROGRAMS = ("setpriority", "ioprio_set")
"""They name the kind of what they name first."""
_WATCHES = ("inotify_init", "inotify_init1", "inotify_add_watch")
"""Which names come and go in a folder is told by them to whoever knows where it is."""
_SHARED = ("shmget", "shmat", "semget", "msgget", "mq_open", "mq_unlink")


@dataclass(slots=True)
class _Program:
    column: int
    steps: list[bytes] = field(default_factory=list)

    def add(self, code: int, value: int, yes: int = 0, no: int = 0) -> None:
        self.steps.append(struct.pack("=HBBI", code, yes, no, value))

    def error(self, number: int) -> None:
        self.add(_RETURN, _ERROR | number)

    def refuse(self, names: Sequence[str], number: int) -> None:
        """These calls fail with this error, whatever their arguments."""
        for name in names:
            call = CALLS[name][self.column]
            if call is not None:
                self.add(_EQUAL, call, no=1)
                self.error(number)

    def look(self, name: str, checks: "_Program") -> None:
        """This call goes through these checks, of which each ends in an answer."""
        call = CALLS[name][self.column]
        if call is not None:
            self.add(_EQUAL, call, no=len(checks.steps))
            self.steps += checks.steps


def system_calls(machine: str, *, internet: bool, apart: bool, only_reads: bool = False) -> bytes | None:
    """The filter for this kind of processor, or None where there is none.

    `internet`: its sockets may be made. `apart`: the program has its own view of files and of other programs; where it
    has not, calls are refused that no right to a file would stop. `only_reads`: it has no file of its own either.
    """
    known = _MACHINES.get(machine)
    if known is None:
        return None
    kind, column = known
    program = _Program(column)
    program.add(_LOAD, _MACHINE)
    program.add(_EQUAL, kind, yes=1)
    program.add(_RETURN, _KILL)
    program.add(_LOAD, _NUMBER)
    program.add(_AT_LEAST, _OTHER_NUMBERS, no=1)
    program.add(_RETURN, _KILL)
    program.refuse(_REFUSED, _NOT_PERMITTED)
    program.refuse(_UNKNOWN, _NO_SUCH_CALL)
    if only_reads or not apart:
        # As on file systems that know no modes: it goes well and changes nothing. The devices are those of the machine.
        program.refuse(_MODES + (_TIMES if only_reads else ()), 0)
        program.refuse(_ATTRIBUTES, _NOT_SUPPORTED)
    if not apart:
        program.refuse((*_SHARED, *_WATCHES) if only_reads else _SHARED, _NOT_PERMITTED)
        for name in _OF_A_PROGRAM:
            program.look(name, _only_of_itself(column, _FIRST))
        for name in _OF_SOME_PROGRAMS:
            program.look(name, _only_of_itself(column, _SECOND))
    for name in ("clone", "unshare"):
        program.look(name, _namespaces(column))
    program.look("socket", _sockets(column, (_INTERNET, _INTERNET_6) if internet else ()))
    program.look("socketpair", _pairs(column))
    terminal = (_TYPE_INTO_TERMINAL, _OLD_TERMINAL)
    program.look("ioctl", _requests(column, terminal if apart else (*terminal, _SET_FLAGS, _SET_EXTENDED)))
    program.add(_RETURN, _ALLOW)
    return b"".join(program.steps)


def _only_of_itself(column: int, argument: int) -> _Program:
    """The limits of another program could be set so that it ends, its turns so that it waits for ever."""
    checks = _Program(column)
    checks.add(_LOAD, argument)
    checks.add(_EQUAL, 0, yes=1)
    checks.error(_NOT_PERMITTED)
    checks.add(_RETURN, _ALLOW)
    return checks


def _namespaces(column: int) -> _Program:
    checks = _Program(column)
    checks.add(_LOAD, _FIRST)
    checks.add(_ANY_OF, _NEW_NAMESPACES, no=1)
    checks.error(_NOT_PERMITTED)
    checks.add(_RETURN, _ALLOW)
    return checks


def _sockets(column: int, families: Sequence[int]) -> _Program:
    checks = _Program(column)
    checks.add(_LOAD, _FIRST)
    for position, family in enumerate(families):
        checks.add(_EQUAL, family, yes=len(families) - position)
    checks.error(_NOT_PERMITTED)
    checks.add(_LOAD, _SECOND)
    checks.add(_AND, _KIND)
    checks.add(_EQUAL, _RAW, no=1)
    checks.error(_NOT_PERMITTED)
    checks.add(_RETURN, _ALLOW)
    return checks


def _pairs(column: int) -> _Program:
    """Two ends of a pipe. One that takes single messages could send them to any socket that has a name."""
    checks = _Program(column)
    checks.add(_LOAD, _FIRST)
    checks.add(_EQUAL, _UNIX, yes=1)
    checks.error(_NOT_PERMITTED)
    checks.add(_LOAD, _SECOND)
    checks.add(_AND, _KIND)
    checks.add(_EQUAL, _STREAM, yes=2)
    checks.add(_EQUAL, _SEQUENCED, yes=1)
    checks.error(_NOT_PERMITTED)
    checks.add(_RETURN, _ALLOW)
    return checks


def _requests(column: int, refused: Sequence[int]) -> _Program:
    checks = _Program(column)
    checks.add(_LOAD, _SECOND)
    for request in refused:
        checks.add(_EQUAL, request, no=1)
        checks.error(_NOT_PERMITTED)
    checks.add(_RETURN, _ALLOW)
    return checks
