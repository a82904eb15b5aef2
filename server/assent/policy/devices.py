"""Paths that are no files: hardware, the system's switches, the insides of processes. No setting opens them."""

from functools import lru_cache

from assent.policy.protected import folded

SAFE_DEVICES = frozenset(
    {
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/tty",
    }
)

# Folders of which every file does something, or tells what no agent needs.
_SYSTEM = (("sys",), ("proc", "sys"), ("proc", "self"), ("proc", "thread-self"), ("proc", "bus"), ("proc", "irq"))
_SYSTEM_FILES = frozenset({"kcore", "kmem", "kmsg", "kpagecount", "kpageflags", "kpagecgroup", "sysrq-trigger", "mtrr"})
# Below /proc/<number> and its threads: memory, environment, open files, and switches. What is left only describes.
_PROCESS_FILES = frozenset(
    {
        "mem",
        "environ",
        "auxv",
        "pagemap",
        "map_files",
        "stack",
        "syscall",
        "fd",
        "fdinfo",
        "root",
        "cwd",
        "exe",
        "ns",
        "attr",
        "clear_refs",
        "comm",
        "coredump_filter",
        "oom_adj",
        "oom_score_adj",
        "sched",
        "autogroup",
        "timerslack_ns",
        "setgroups",
        "uid_map",
        "gid_map",
        "projid_map",
    }
)
_DOS_NAMES = frozenset({"con", "prn", "aux", "conin$", "conout$", "clock$"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"
}


def is_unsafe_device(path: str) -> bool:
    """Whether a path names a device, a switch of the system, or the inside of a process."""
    return _kept_unsafe(path) if len(path) <= _LONG else _is_unsafe(path)


_LONG = 1_024


@lru_cache(maxsize=1_024)
def _kept_unsafe(path: str) -> bool:
    return _is_unsafe(path)


def _is_unsafe(path: str) -> bool:
    if path.startswith(("\\\\", "//")) and _is_dos_namespace(path):
        return True
    if path[1:2] == ":" or path.startswith("\\\\"):
        return _is_dos_device(path)
    names = _names(path)
    if not path.startswith("/") or not names:
        return False
    return _is_below_dev(path, names) or _is_system(names)


def _is_below_dev(path: str, names: list[str]) -> bool:
    if names[0] != "dev" or len(names) == 1:
        return False
    plain = "/" + "/".join(name for name in path.split("/") if name not in {"", "."})
    return plain not in SAFE_DEVICES and not _is_descriptor(plain) and not _is_shared(plain)


def _is_shared(path: str) -> bool:
    """Ordinary files, kept in memory."""
    return path.startswith("/dev/shm/")  # noqa: S108 - no file is made there


def _is_descriptor(path: str) -> bool:
    rest = path.removeprefix("/dev/fd/")
    return rest != path and rest.isascii() and rest.isdigit()


def _is_system(names: list[str]) -> bool:
    if any(tuple(names[: len(folder)]) == folder for folder in _SYSTEM):
        return True
    if names[0] != "proc" or len(names) == 1:
        return False
    return names[1] in _SYSTEM_FILES or (names[1].isdecimal() and any(name in _PROCESS_FILES for name in names[2:]))


def _is_dos_namespace(path: str) -> bool:
    r"""`\\.\` leads to devices, and so does `\\?\` where no drive and no share follows."""
    plain = path.replace("/", "\\").casefold()
    if plain.startswith("\\\\.\\"):
        return True
    rest = plain.removeprefix("\\\\?\\")
    return rest != plain and rest[1:2] != ":" and not rest.startswith("unc\\")


def _is_dos_device(path: str) -> bool:
    """Windows takes such a name for the device in every folder, whatever ending it has. NUL only swallows."""
    return any(name.split(".")[0].split(":")[0].rstrip(" ") in _DOS_NAMES for name in _names(path))


def _names(path: str) -> list[str]:
    return [name for name in folded(path).split("/") if name not in {"", "."}]
