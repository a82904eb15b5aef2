"""A job of Windows: all processes that a program starts belong to it, and end when its last handle closes.

Written from the documentation of the system and never run there so far. What it hands over is tested without it.
"""

import ctypes
from typing import TYPE_CHECKING, Any

from assent.runtime.starts import Bounds

if TYPE_CHECKING:
    import subprocess

CREATE_SUSPENDED = 0x4
_ACTIVE_PROCESSES = 0x8
_JOB_MEMORY = 0x200
_DIE_ON_UNHANDLED = 0x400
_KILL_ON_CLOSE = 0x2000
_EXTENDED_LIMITS = 9
_KILLED = 1


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("per_process_time", ctypes.c_int64),
        ("per_job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def limits_for(bounds: Bounds) -> ExtendedLimits:
    """What a job is told of the bounds: Windows has none for the size of a file."""
    limits = ExtendedLimits()
    limits.basic.flags = _KILL_ON_CLOSE | _DIE_ON_UNHANDLED
    if bounds.processes is not None:
        limits.basic.flags |= _ACTIVE_PROCESSES
        limits.basic.active_processes = bounds.processes
    if bounds.memory_bytes is not None:
        limits.basic.flags |= _JOB_MEMORY
        limits.job_memory = bounds.memory_bytes
    return limits


class WindowsJob:
    """One job, and all that runs in it."""

    def __init__(self, kernel: Any, handle: int) -> None:
        self._kernel = kernel
        self._handle = handle

    def kill(self) -> None:
        """Ends all of it. Nothing happens where it has ended."""
        if self._handle:
            self._kernel.TerminateJobObject(ctypes.c_void_p(self._handle), _KILLED)

    def close(self) -> None:
        """Lets go of it, which ends what is left."""
        handle, self._handle = self._handle, 0
        if handle:
            self._kernel.CloseHandle(ctypes.c_void_p(handle))


def job_for(process: "subprocess.Popen[bytes]", bounds: Bounds) -> WindowsJob:
    """Puts a process that was created suspended into a new job, and lets it begin. Raises OSError."""
    kernel, system = (ctypes.WinDLL(name, use_last_error=True) for name in ("kernel32", "ntdll"))  # type: ignore[attr-defined]
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    handle = kernel.CreateJobObjectW(None, None)
    _check(handle, "a job could not be made")
    job = WindowsJob(kernel, handle)
    limits = limits_for(bounds)
    its_handle = ctypes.c_void_p(int(process._handle))  # type: ignore[attr-defined]
    place = ctypes.c_void_p(handle)
    try:
        set_up = kernel.SetInformationJobObject(place, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
        _check(set_up, "the bounds of a job could not be set")
        _check(kernel.AssignProcessToJobObject(place, its_handle), "a process could not be put into its job")
        _check(system.NtResumeProcess(its_handle) == 0, "a process could not be let go on")
    except BaseException:
        job.close()
        raise
    return job


def _check(done: object, words: str) -> None:
    if not done:
        raise _fault(words)


def _fault(words: str) -> OSError:
    return OSError(0, words, None, ctypes.get_last_error())  # type: ignore[attr-defined]
