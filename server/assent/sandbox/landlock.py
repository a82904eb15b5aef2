"""A layout in the words of Landlock. A right counts for all that lies below, and there is no taking it back there.

So a folder with something held in it is opened entry by entry, and nothing new can be made directly in it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.sandbox.layout import MASKED, NAMES_OF_HOSTS, SHOWN_AGAIN, SYSTEM, Layout, lies_in, ways_to

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 2, 4, 8
REMOVE_FOLDER, REMOVE_FILE, MAKE_DEVICE, MAKE_FOLDER, MAKE_FILE, MAKE_SOCKET = 16, 32, 64, 128, 256, 512
MAKE_PIPE, MAKE_BLOCK_DEVICE, MAKE_LINK, MOVE, CUT_OFF, CONTROL_DEVICE = 1024, 2048, 4096, 8192, 16384, 32768
ALL = 0xFFFF
NEEDED, WITH_DEVICES, WITH_SIGNALS = 4, 5, 6
"""Versions of Landlock: the least that will do, and those that know of more."""
BOTH_SCOPES = 3
BIND_AND_CONNECT = 3
MOST_RULES = 8_000

_READ = EXECUTE | READ_FILE | READ_FOLDER
_WRITE = (
    _READ
    | (WRITE_FILE | CUT_OFF | MOVE | REMOVE_FOLDER | REMOVE_FILE)
    | (MAKE_FOLDER | MAKE_FILE | MAKE_SOCKET | MAKE_PIPE | MAKE_LINK)
)
_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | CUT_OFF | CONTROL_DEVICE
_DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty"))

Entries = Callable[[str], Iterable[tuple[str, bool]]]
"""What a folder holds but links: full paths, and whether each is a folder."""


def handled(version: int) -> int:
    """All rights to files that this version knows."""
    return ALL if version >= WITH_DEVICES else ALL & ~CONTROL_DEVICE


@dataclass(slots=True)
class _Rules:
    marks: dict[str, int]
    entries: Entries
    mask: int
    shown: tuple[str, ...]
    """Folders that can be listed though not all in them is open."""
    found: list[tuple[str, int]] = field(default_factory=list)

    def open(self, on_the_way: frozenset[str], start: int) -> None:
        """From the top: as far in as something differs, and whole folders from there on."""
        stack = [("/", True, start)]
        while stack and len(self.found) <= MOST_RULES:
            path, is_folder, access = stack.pop()
            access = self.marks.get(path, access)
            if path not in on_the_way:
                self._add(path, access if is_folder else access & _OF_A_FILE)
                continue
            if any(lies_in(path, place) for place in self.shown):
                self._add(path, READ_FOLDER & access)
            stack.extend((below, folder, access) for below, folder in self.entries(path))

    def _add(self, path: str, access: int) -> None:
        if access & self.mask:
            self.found.append((path, access & self.mask))


def rules(layout: Layout, version: int, entries: Entries) -> tuple[tuple[str, int], ...] | None:
    """A right for each path that has one, or None where they are too many."""
    whole = ALL if layout.everything else _WRITE
    marks = dict(_marks(layout, whole))
    on_the_way = frozenset({"/", *(way for path in marks for way in ways_to(path))})
    shown = ("/",) if layout.everything else layout.only or layout.writable
    wanted = _Rules(marks, entries, handled(version), shown)
    wanted.open(on_the_way, ALL if layout.everything else 0 if layout.only else _READ)
    return tuple(wanted.found) if len(wanted.found) <= MOST_RULES else None


def _marks(layout: Layout, whole: int) -> Iterator[tuple[str, int]]:
    """Where rights differ from those of the folder around. Of several for one place, the last one counts."""
    if not layout.everything:
        yield "/dev", 0
        yield from ((path, READ_FILE | WRITE_FILE) for path in _DEVICES)
        yield from ((path, 0) for path in MASKED)
        yield from ((path, _READ) for path in (*SHOWN_AGAIN, *(NAMES_OF_HOSTS if layout.network else ())))
    if layout.only:
        yield from ((path, _READ) for path in (*SYSTEM, "/proc", *layout.only))
    else:
        yield from ((path, whole) for path in layout.writable)
    gone = frozenset(layout.hidden_folders)
    for path in layout.held:
        if layout.is_reached(path, gone):
            yield path, _READ
    for path in (*layout.hidden_folders, *layout.hidden_files):
        yield path, 0
