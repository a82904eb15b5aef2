"""What a command is to find of the file system, whatever means sees to it. No I/O."""

from collections.abc import Iterable

from assent.lazy_dataclasses import dataclass

MASKED = ("/tmp", "/var/tmp", "/run", "/dev/shm")  # noqa: S108 - not used: hidden
"""Where programs of all users leave things for each other. A command has its own, empty."""

SHOWN_AGAIN = ("/run/current-system", "/run/wrappers", "/run/opengl-driver")
"""Programs and libraries that some systems keep in a place that is hidden."""
HELD_OF_KERNEL = (
    "/proc/sys",
    "/proc/bus",
    "/proc/fs",
    "/proc/irq",
    "/proc/driver",
    "/proc/mtrr",
    "/proc/sysrq-trigger",
)
"""What sets how the whole machine works."""
HIDDEN_OF_KERNEL = ("/proc/kcore", "/proc/keys", "/proc/kmsg", "/proc/timer_list", "/proc/latency_stats")
"""What tells of its memory, and of the keys and programs of others."""
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/snap"),
    *("/var/lib/dpkg", "/var/lib/rpm", "/home/linuxbrew/.linuxbrew"),
)
"""Where the programs of the machine are, what they need, and what they know of it."""
NAMES_OF_HOSTS = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager")
"""Where the addresses of hosts are asked for, which is in vain without a network."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Places, as real paths. What lies deeper counts more than what it lies in."""

    writable: tuple[str, ...]
    held: tuple[str, ...]
    """Not to be changed, made or moved."""
    hidden_folders: tuple[str, ...]
    hidden_files: tuple[str, ...]
    directory: str
    network: bool
    everything: bool = False
    """All else is as it is outside, writable and reachable: only what is held and hidden differs."""
    only: tuple[str, ...] = ()
    """Where there are any, nothing else is there but the system's programs, and nothing can be written but what is
    gone with the command."""

    def pinned(self) -> tuple[str, ...]:
        """Folders between a writable place and what is held in it: who moves such a folder moves what it holds."""
        found = set[str]()
        still = {*self.held, *self.hidden_folders}
        for path in (*self.held, *self.hidden_folders, *self.hidden_files, *self.writable):
            top = self.top_of(path)
            for way in ways_to(path) if top is not None else ():
                if way in still and len(way) >= len(top or ""):
                    # Nothing moves in there.
                    break
                if len(way) > len(top or "") and way != top:
                    found.add(way)
        return tuple(sorted(found - set(self.writable)))

    def is_place(self, path: str) -> bool:
        """Whether this writable folder differs from what is around it, or what lies in it must not move with it."""
        within = (*self.held, *self.hidden_folders)
        return (
            not self.everything
            or any(lies_in(path, cover) for cover in within)
            or any(lies_in(inner, path) for inner in (*within, *self.hidden_files))
        )

    def top_of(self, path: str) -> str | None:
        """The innermost writable place that a path lies in."""
        tops = ("/", *self.writable) if self.everything else self.writable
        return max((top for top in tops if path != top and lies_in(path, top)), key=len, default=None)

    def is_reached(self, path: str, covers: frozenset[str]) -> bool:
        """Whether none of these covers what lies at a path: a writable place within a cover is there again."""
        top = self.top_of(path) or ""
        return not any(way in covers and len(way) > len(top) for way in ways_to(path))


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is this folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def ways_to(path: str) -> Iterable[str]:
    """The folders that a path lies in, outermost first, without the top of all."""
    end = path.find("/", 1)
    while end != -1:
        yield path[:end]
        end = path.find("/", end + 1)
