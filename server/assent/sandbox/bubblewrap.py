"""A layout in the words of bubblewrap, and where that program is. What it is told depends on the layout alone."""
# ruff: noqa: PTH112, PTH114, PTH115, PTH116, PTH118 - names as the system spells them

import os
import stat
from collections.abc import Iterable
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.sandbox.layout import (
    HELD_OF_KERNEL,
    HIDDEN_OF_KERNEL,
    MASKED,
    NAMES_OF_HOSTS,
    SHOWN_AGAIN,
    SYSTEM,
    Layout,
    lies_in,
)

_PLACES = ("/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin")
"""Where systems keep it. Never a folder that a command may write to, or a relative one."""
_OWN = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL")
"""What is its own. Not the name of the machine: the filter of system calls keeps it, and further namespaces, away."""
_ORDINARY_RIGHTS = (
    *("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL", "CAP_SETGID", "CAP_SETUID"),
    *("CAP_NET_BIND_SERVICE", "CAP_NET_RAW"),
)
"""What an administrator's command keeps where all is as outside: none of it undoes a mount."""


@dataclass(frozen=True, slots=True)
class System:
    """What the arguments depend on beside the layout."""

    empty: str
    """An empty file that nobody writes to."""
    shown_again: tuple[str, ...]
    names_of_hosts: tuple[str, ...]
    administrator: bool
    system: tuple[tuple[str, str], ...] = ()
    """Where its programs are, each with what it leads to where it is a link."""
    of_the_kernel: tuple[str, ...] = ()
    takes_handles: bool = False
    """Whether it takes open folders: what a name means may change until it is used, an open folder not."""


def find(writable: Iterable[str] = ()) -> str | None:
    """The program, where it lies in none of these places."""
    for folder in _PLACES:
        path = os.path.join(folder, "bwrap")
        real = os.path.realpath(path)
        if _is_program(real) and not any(lies_in(name, place) for name in (path, real) for place in writable):
            return path
    return None


def system_of(empty: str, help_text: bytes) -> System:
    """This machine."""
    return System(
        empty,
        tuple(filter(os.path.isdir, SHOWN_AGAIN)),
        tuple(filter(os.path.isdir, NAMES_OF_HOSTS)),
        administrator=os.geteuid() == 0,
        of_the_kernel=tuple(filter(os.path.exists, (*HELD_OF_KERNEL, *HIDDEN_OF_KERNEL))),
        system=tuple((path, _link(path)) for path in SYSTEM if os.path.isdir(path)),
        takes_handles=b"--bind-fd" in help_text,
    )


@lru_cache(maxsize=16)
def arguments(layout: Layout, machine: System, first: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Everything but the command, and the folders that it is to be given open, by numbers that begin with `first`.

    Mounts come outermost first, so that what lies deeper counts.
    """
    words, opened = list(_namespaces(layout, machine)), list[str]()
    places = _places(layout, machine)
    for path in sorted(places, key=lambda path: (path != "/", path.count("/"), path)):
        if places[path][0] == "--bind" and machine.takes_handles:
            words += ("--bind-fd", str(first + len(opened)), path)
            opened.append(path)
        else:
            words += places[path]
    return (*words, "--die-with-parent", "--chdir", layout.directory), tuple(opened)


def _namespaces(layout: Layout, machine: System) -> Iterable[str]:
    if layout.everything:
        if machine.administrator:
            # One of its programs becomes another user, and would get out by what that user's programs see.
            yield "--unshare-pid"
            yield "--cap-drop"
            yield "ALL"
            for right in _ORDINARY_RIGHTS:
                yield from ("--cap-add", right)
        else:
            yield "--unshare-user"
        return
    yield from _OWN
    if not layout.network:
        yield "--unshare-net"


def _places(layout: Layout, machine: System) -> dict[str, tuple[str, ...]]:
    """What is mounted where. Of several things for one place, the last one here counts."""
    if layout.only:
        # What is at the top is a file system in memory that goes with the command.
        places: dict[str, tuple[str, ...]] = {
            "/dev": ("--dev", "/dev"),
            "/proc": ("--proc", "/proc", "--remount-ro", "/proc"),
        }
        places |= {path: ("--dir", path) for path in layout.writable}
        places |= {path: ("--symlink", to, path) if to else ("--ro-bind", path, path) for path, to in machine.system}
        places |= {path: ("--ro-bind", path, path) for path in (*machine.shown_again, *layout.only)}
    elif layout.everything:
        places = {"/": ("--dev-bind", "/", "/")}
        if machine.administrator:
            places["/proc"] = ("--proc", "/proc")
            places |= _held_of_the_kernel(machine)
    else:
        shown = (*machine.shown_again, *(machine.names_of_hosts if layout.network else ()))
        places = {
            "/": ("--ro-bind", "/", "/"),
            "/dev": ("--dev", "/dev"),
            "/proc": ("--proc", "/proc"),
            **{path: ("--tmpfs", path) for path in MASKED if not path.startswith("/dev/")},
            **{path: ("--ro-bind", path, path) for path in shown},
            **_held_of_the_kernel(machine),
        }
    if not layout.only:
        bind = "--dev-bind" if layout.everything else "--bind"
        places |= {path: (bind, path, path) for path in (*layout.pinned(), *filter(layout.is_place, layout.writable))}
    gone = frozenset(layout.hidden_folders)
    for path in layout.held:
        if _is_seen(path, layout) and layout.is_reached(path, gone | frozenset(layout.held)):
            places[path] = ("--ro-bind", path, path)
    for path in (*layout.hidden_folders, *layout.hidden_files):
        if _is_seen(path, layout) and layout.is_reached(path, gone):
            places[path] = ("--tmpfs", path) if path in gone else ("--ro-bind", machine.empty, path)
    return places


def _held_of_the_kernel(machine: System) -> dict[str, tuple[str, ...]]:
    """What an administrator could set of the whole machine, or read of its memory, stays as it is."""
    return {
        path: ("--ro-bind", machine.empty if path in HIDDEN_OF_KERNEL else path, path) for path in machine.of_the_kernel
    }


def _is_seen(path: str, layout: Layout) -> bool:
    """Whether it is there at all once other programs' places are hidden."""
    if layout.everything:
        return True
    if layout.only:
        return any(lies_in(path, place) for place in (*layout.only, *SYSTEM))
    mask = next((mask for mask in MASKED if lies_in(path, mask)), None)
    return mask is None or any(lies_in(path, place) and len(place) >= len(mask) for place in layout.writable)


def _link(path: str) -> str:
    return os.readlink(path) if os.path.islink(path) else ""


def _is_program(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK)
    except OSError:
        return False
