"""What runs here: versions, and what a sandbox could be made of. Nothing is started to find it out."""

import ctypes
import errno
import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import assent
from assent.masking import Json
from assent.store.library import library_version

_CREATE_RULESET = 444
_ASK_VERSION = 1


def versions() -> dict[str, Json]:
    """Of Assent, of what it stands on, and of the machine."""
    return {
        "assent": assent.__version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": platform.platform(),
        "machine": platform.machine(),
        "pygls": _package("pygls"),
        "lsprotocol": _package("lsprotocol"),
        "sqlite": library_version(),
    }


def _package(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def sandbox_tools() -> dict[str, Json]:
    """What of the tools for a sandbox is present. Whether one holds is only known once it was tried."""
    bubblewrap = shutil.which("bwrap") is not None
    namespaces = _user_namespaces()
    landlock = _landlock()
    seatbelt = sys.platform == "darwin" and Path("/usr/bin/sandbox-exec").exists()
    tier = (
        "bubblewrap"
        if bubblewrap and namespaces is not False
        else "landlock"
        if landlock
        else "seatbelt"
        if seatbelt
        else "none"
    )
    return {
        "tier": tier,
        "bubblewrap": bubblewrap,
        "userNamespaces": namespaces,
        "landlockVersion": landlock,
        "sandboxExec": seatbelt,
    }


def _user_namespaces() -> bool | None:
    """Whether the kernel lets a user make namespaces; None where it does not say."""
    answers = [
        _number(Path("/proc/sys/kernel/unprivileged_userns_clone")),
        _number(Path("/proc/sys/user/max_user_namespaces")),
    ]
    known = [answer for answer in answers if answer is not None]
    return all(answer > 0 for answer in known) if known else None


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None


def _landlock() -> int:
    """The version of Landlock that the kernel has, or 0."""
    if sys.platform != "linux":
        return 0
    library = ctypes.CDLL(None, use_errno=True)
    answer = int(library.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION))
    return answer if answer > 0 and ctypes.get_errno() not in (errno.ENOSYS, errno.EOPNOTSUPP) else 0
