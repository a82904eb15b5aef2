"""From what a command may touch to the places that it finds: one look at the disk, before it starts."""
# ruff: noqa: PTH110, PTH112, PTH118, PTH120 - names as the system spells them

import os
import stat
import threading
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from functools import cache

from assent.lazy_dataclasses import dataclass
from assent.policy.protected import is_secret, protection
from assent.sandbox.fewer import fewer
from assent.sandbox.git_settings import has_settings_of_worktrees, named_by
from assent.sandbox.layout import MASKED, SYSTEM, Layout, lies_in, ways_to
from assent.sandbox.placeholders import GIT_FILES, GIT_FOLDERS, NAMES, Placeholders
from assent.sandbox.scan import Scanner, names_elsewhere
from assent.sandbox.seen import Seen
from assent.sandbox.words import Reading, Unheld, Wanted

MOST_HELD = 200
"""Each costs time at every start, and far more than these mean that something else is wrong."""
MOST_GUARDED = 600
"""For a command that runs in any case, with the folders on the way. Where there are more, what they lie in is held."""
MOST_UNSEEN = 200
"""The same of folders that were not looked into: there are as many as somebody likes to make."""

_CHOOSES_VERSIONS = (".rustup", ".tool-versions", ".asdfrc", ".config/mise", ".python-version", ".node-version")
"""Where a user has said which version of a program it is that stands under its name."""
SCRATCH = "assent-"
"""How the names of folders for what passes begin."""


@dataclass(frozen=True, slots=True)
class Look:
    """A layout, what was there when it was made, and what was put there for it."""

    layout: Layout
    before: frozenset[str]
    placed: tuple[str, ...]
    tops: tuple[str, ...]
    roots: tuple[str, ...]
    met: Container[object]
    """Folders that were looked into: afterwards they are again, however much has come."""

    def is_in_workspace(self, path: str) -> bool:
        """Whether it lies in what the command was to work with."""
        return any(lies_in(path, top) for top in self.tops)


class Looking:
    """Looks for one server. Any thread may ask; one looks at a time."""

    def __init__(self, home: str, hidden: tuple[str, ...], read_only: tuple[str, ...], places: Placeholders) -> None:
        self._home = os.path.realpath(home)
        self._hidden = tuple(map(os.path.realpath, hidden))
        self._read_only = tuple(map(os.path.realpath, read_only))
        self._places = places
        self._scanner = Scanner(self._home)
        self._lock = threading.Lock()
        self._system = _protected_by_system()

    def look(self, wanted: Wanted, *, everything: bool, put: bool = True) -> Look | Unheld:
        """The layout for this command. What was put there for it is to be removed with `release`.

        Without `put` nothing is: to know whether it would hold.
        """
        # A folder that the settings name and that is not there is nothing to write to, and no reason to ask.
        wanted = replace(wanted, further=tuple(filter(os.path.isdir, wanted.further)))
        writable = _outermost_first(map(os.path.realpath, wanted.writable))
        if "/" in writable:
            return Unheld("The whole file system would be writable, so nothing in it could be held.")
        # What passes is kept in a folder that is only made when the command runs.
        later = () if put else (os.path.realpath(wanted.scratch),)
        gone = next((path for path in writable if path not in later and not os.path.isdir(path)), None)
        if gone is not None:
            return Unheld(f"{gone} is no folder.")
        roots = tuple(map(os.path.realpath, wanted.roots))
        with self._lock:
            self._places.sweep()
            # Not in the folder for what passes: a command must be able to change there what another has made.
            tops = _outermost(map(os.path.realpath, (*wanted.roots, *wanted.further)))
            seen = self._scanner.look(tops, roots, home=False)
            home = self._scanner.look((), roots, home=True)
        fault = self._fault(seen, everything=everything)
        if fault is not None:
            return fault
        placed = self._put(seen, roots, everything=everything) if put else ()
        if isinstance(placed, Unheld):
            return placed
        layout = Layout(
            writable,
            self._held(seen, home, placed, writable, tops, everything=everything),
            *self._gone(seen, home, _of_others(wanted.scratch, writable), everything=everything),
            os.path.realpath(wanted.directory),
            wanted.network,
            everything,
        )
        fault = _no_place(layout)
        if fault is not None:
            self.release(placed)
            return fault
        before = frozenset(seen.protected() - set(placed)) | self._settings_there()
        if everything:
            before |= home.protected()
        return Look(layout, before, placed, tops, roots, seen.met)

    def reading(self, wanted: Reading) -> Layout | Unheld:
        """The layout for a command that only reads: there is nothing to put in place for it, or to look for after."""
        roots = tuple(map(os.path.realpath, wanted.roots))
        tops = _outermost(filter(os.path.isdir, map(os.path.realpath, wanted.places)))
        if "/" in tops:
            return Unheld("The whole file system is the workspace, so nothing in it could be kept from being read.")
        with self._lock:
            seen = self._scanner.look(tops, roots, home=False)
            home = self._scanner.look((), roots, home=True)
        shown = (*tops, *filter(os.path.exists, (*_tools(wanted.programs, self._home), *wanted.installed)))
        folders, files = self._gone(seen, home, (), everything=False)
        folders, files = (*folders, *_kept_from_others()[0]), (*files, *_kept_from_others()[1])
        seen_at_all = (*shown, *SYSTEM)
        hidden = [path for path in (*folders, *files, *seen.unseen) if any(lies_in(path, at) for at in seen_at_all)]
        if len(hidden) > MOST_HELD:
            return Unheld(f"There are more than {MOST_HELD} files in the workspace that may hold secrets.")
        gone = frozenset((*folders, *seen.unseen))
        layout = Layout(
            writable=(self._home, "/tmp"),  # noqa: S108 - its own, which goes with the command
            held=(),
            hidden_folders=tuple(sorted(path for path in hidden if path in gone)),
            hidden_files=tuple(sorted(path for path in hidden if path not in gone)),
            directory=os.path.realpath(wanted.directory),
            network=False,
            only=shown,
        )
        if any(lies_in(layout.directory, folder) for folder in layout.hidden_folders):
            return Unheld(f"{layout.directory} is hidden from commands, so none can run there.")
        return layout

    def appeared(self, look: Look) -> tuple[str, ...]:
        """What is protected and there now, and was not. Where all is as outside, also at home."""
        with self._lock:
            seen = self._scanner.look(look.tops, look.roots, home=False, met=look.met)
            found = seen.protected()
            if look.layout.everything:
                found |= self._scanner.look((), look.roots, home=True).protected()
        found |= set(filter(look.is_in_workspace, self._settings_there()))
        # What is in a held folder, or a stand-in, was put there from outside: the command could not.
        held = set(look.layout.held)
        new = (path for path in found - look.before if path not in held)
        return _outermost(path for path in new if not any(way in held for way in ways_to(path)))

    def sweep(self) -> None:
        """Removes what processes that are gone have put there."""
        self._places.sweep()

    def release(self, placed: Iterable[str]) -> None:
        """The command no longer needs what was put there for it."""
        for path in placed:
            self._places.release(path)

    def _fault(self, seen: Seen, *, everything: bool) -> Unheld | None:
        if everything:
            # It runs in any case, because it is allowed: what can be held of it is, and the rest is not lost by that.
            return None
        if seen.too_large:
            return Unheld("There are too many files in the workspace to look through for protected ones.")
        link = next(iter(seen.links), None)
        if link is not None:
            return Unheld(f"{link} is protected, and a symbolic link: it cannot be kept from being replaced.")
        elsewhere = names_elsewhere(seen)
        if elsewhere is not None:
            return Unheld(f"{elsewhere} is protected, and a hard link: it could be written under its other name.")
        return None

    def _put(self, seen: Seen, roots: tuple[str, ...], *, everything: bool) -> tuple[str, ...] | Unheld:
        """Stands something in for what is missing and must not be made."""
        wanted: dict[str, str | None] = {os.path.join(root, name): None for root in roots for name in NAMES}
        # One that only stands in for what is missing needs nothing in it: it is held as a whole.
        for git in (git for git in seen.git if not self._places.is_known(git)):
            wanted |= self._missing_in(git)
        placed: list[str] = []
        for path, content in wanted.items():
            # In this order: one that goes just now is unknown only once it is gone.
            if not self._places.is_known(path) and os.path.lexists(path):
                continue
            try:
                if self._places.make(path, content):
                    placed.append(path)
            except OSError as fault:
                if everything:
                    # All else is held nevertheless.
                    continue
                self.release(placed)
                return Unheld(f"{path} does not exist and could not be held: {fault.strerror}.")
        return tuple(placed)

    def _missing_in(self, git: str) -> dict[str, str | None]:
        """What could be made in a folder of git's own and would say what git runs."""
        elsewhere = os.path.join(git, "commondir")
        if not self._places.is_known(elsewhere) and os.path.lexists(elsewhere):
            # All but this one file is taken from where that leads.
            return {os.path.join(git, "config.worktree"): ""}
        stand_ins = {**dict.fromkeys(GIT_FOLDERS), **GIT_FILES}
        if not has_settings_of_worktrees(git):
            del stand_ins["config.worktree"]
        return {os.path.join(git, name): content for name, content in stand_ins.items()}

    def _held(
        self,
        seen: Seen,
        home: Seen,
        placed: tuple[str, ...],
        writable: tuple[str, ...],
        tops: tuple[str, ...],
        *,
        everything: bool,
    ) -> tuple[str, ...]:
        settings = [path for path in self._read_only if os.path.exists(path)]
        found = {*seen.held, *placed, *settings, *(path for git in seen.git for path in named_by(git))}
        if everything:
            secrets = (path for path in (*seen.secret, *home.secret) if protection(path))
            # A link can be replaced, but what it leads to is held all the same.
            targets = filter(os.path.exists, map(os.path.realpath, (*seen.links, *home.links)))
            all_held = {*found, *home.held, *self._system, *secrets, *targets} - set(writable) - {"/"}
            unseen = fewer((*seen.unseen, *home.unseen), (*tops, self._home), MOST_UNSEEN)
            return tuple(sorted(fewer({*all_held, *unseen}, tops, MOST_GUARDED)))
        found |= set(seen.unseen)
        inside = (path for path in found if any(path != top and lies_in(path, top) for top in writable))
        return tuple(sorted(set(inside) - set(seen.secret) - set(writable)))

    def _gone(
        self, seen: Seen, home: Seen, others: Iterable[str], *, everything: bool
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Folders and files that are hidden."""
        found = {path: os.path.isdir(path) for path in self._hidden if os.path.exists(path)}
        if not everything:
            targets = [os.path.realpath(link) for link in home.links if is_secret(link)]
            found |= {path: os.path.isdir(path) for path in targets if os.path.exists(path)}
            found |= {path: os.path.isdir(path) for path in self._system if is_secret(path)}
            found |= seen.secret | home.secret | dict.fromkeys(others, True)
        folders = tuple(sorted(path for path, is_folder in found.items() if is_folder))
        return folders, tuple(sorted(path for path, is_folder in found.items() if not is_folder))

    def _settings_there(self) -> frozenset[str]:
        return frozenset(path for path in self._read_only if os.path.lexists(path))


def _tools(folders: Iterable[str], home: str) -> Iterator[str]:
    """Folders of programs that a user has installed, with what belongs to them beside each."""
    for folder in map(os.path.realpath, folders):
        above = os.path.dirname(folder)
        if lies_in(folder, home) and folder != home:
            yield above if above not in {home, os.path.join(home, ".local")} else folder
    yield from (os.path.join(home, name) for name in _CHOOSES_VERSIONS)


def _of_others(scratch: str, writable: tuple[str, ...]) -> Iterator[str]:
    """Folders beside this one in which other chats keep what passes: it is no matter of this one's commands."""
    above = os.path.dirname(os.path.realpath(scratch))
    if any(lies_in(above, mask) for mask in MASKED) and not any(lies_in(above, place) for place in writable):
        return
    try:
        with os.scandir(above) as entries:
            found = [one.path for one in entries if one.name.startswith(SCRATCH) and one.is_dir(follow_symlinks=False)]
    except OSError:
        return
    yield from (path for path in found if path not in writable)


def _no_place(layout: Layout) -> Unheld | None:
    """Why a command cannot run in this layout."""
    if len(layout.held) > MOST_HELD and not layout.everything:
        return Unheld(f"There are more than {MOST_HELD} protected files in the workspace.")
    gone = (*layout.hidden_folders, *(() if layout.everything else MASKED))
    top = layout.top_of(layout.directory + "/.")
    if any(lies_in(layout.directory, folder) and len(folder) > len(top or "") for folder in gone):
        return Unheld(f"{layout.directory} is hidden from commands in the sandbox, so none can run there.")
    return None


def _protected_by_system() -> tuple[str, ...]:
    """What is protected in the system's own folder and only its rights for this user would not keep."""
    found = []
    for folder in ("/etc", "/etc/ssh"):
        try:
            with os.scandir(folder) as entries:
                paths = [entry.path for entry in entries if not entry.is_symlink()]
        except OSError:
            continue
        found += [path for path in paths if protection(path) and os.access(path, os.W_OK)]
        found += [path for path in paths if is_secret(path) and os.access(path, os.R_OK)]
    return tuple(sorted(set(found)))


@cache
def _kept_from_others() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Folders and files of the system's settings that are for the administrator alone, who may be the user."""
    folders, files = [], []
    for above, inner, names in os.walk("/etc") if os.geteuid() == 0 else ():
        folders += [os.path.join(above, name) for name in inner if not _is_for_others(above, name)]
        files += [os.path.join(above, name) for name in names if not _is_for_others(above, name)]
        inner[:] = [name for name in inner if _is_for_others(above, name)]
    return tuple(folders), tuple(files)


def _is_for_others(above: str, name: str) -> bool:
    try:
        return bool(os.lstat(os.path.join(above, name)).st_mode & stat.S_IROTH)
    except OSError:
        return True


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Without what lies in another of them."""
    found = set(paths)
    return tuple(sorted(path for path in found if not any(way in found for way in ways_to(path))))


def _outermost_first(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(paths), key=lambda path: (path.count("/"), path)))
