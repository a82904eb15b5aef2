"""The paths that a command touches, by their real names: every name that it says is looked up, none is opened."""

import posixpath
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from assent.lazy_dataclasses import dataclass
from assent.model.commands import Command, Danger, Part, PassesOver, Tells, Touch
from assent.model.modes import Category, graver
from assent.model.paths import Access, PathUse
from assent.policy.protected import protection
from assent.tools.brought import COPIES, Brought
from assent.tools.globbing import Budget, Matches, expand
from assent.tools.links import Below
from assent.tools.names import printable
from assent.tools.places import OneLook, Place
from assent.tools.program_identity import identity_of
from assent.tools.python_environment import PythonEnvironment, environment_with, installation_of

MOST_PATHS = 500
"""Different paths of one command. One that names more is not followed."""
TOO_MANY = f"touches more than {MOST_PATHS} different paths, so not all of them were looked at"
_CHANGES = (Access.WRITE, Access.DELETE)
_STARTING = (0, 1)
"""The words that can name a file which is started."""
_SPECIAL = re.compile(r".*(?:[*?]|\[[^/\]]+\])", re.DOTALL)
"""A pattern up to the last sign that stands for others."""


def resolved(command: Command, look: OneLook, python: PythonEnvironment | None = None) -> Command:
    """The same command with the paths of every part."""
    search = _Search(look, Below(look.roots), python)
    return replace(command, parts=tuple(search.part(part) for part in command.parts))


def paths_of(command: Command) -> tuple[PathUse, ...]:
    """All paths of all parts, each once."""
    return tuple(dict.fromkeys(use for part in command.all() for use in part.paths))


@dataclass(slots=True)
class _Search:
    _look: OneLook
    _below: Below
    _python: PythonEnvironment | None
    _brought: Brought = field(default_factory=Brought)
    _known: dict[tuple[str, Access, bool, PassesOver], PathUse] = field(default_factory=dict)
    _expanded: dict[tuple[str, str], Matches] = field(default_factory=dict)
    _budget: Budget = field(default_factory=Budget)

    def part(self, part: Part) -> Part:
        dangers: list[Danger] = []
        uses = _each_once(use for touch in part.touches for use in self._touched(touch, part, dangers))
        uses = _each_once((*uses, *self._copied(part, uses, dangers)))
        dangers += [
            Danger(f"touches {use.shown}, which may be a link by then that this command itself has brought")
            for use in uses
            if self._brought.holds(use)
        ]
        own, loose = self._of_project(part)
        made = replace(
            part,
            paths=uses,
            identities=(*own, *self._identities(part)),
            loose=part.loose or loose or self._shown_secrets(part),
            dangers=tuple(dict.fromkeys((*part.dangers, *dangers))),
            inner=tuple(self.part(one) for one in part.inner),
            category=graver(part.category, Category.EXECUTE) if dangers else part.category,
        )
        self._brought.after(made)
        return made

    def _of_project(self, part: Part) -> tuple[tuple[tuple[int, str], ...], str]:
        """What a program of the project's Python is that a bare name stands for, where it lies in the workspace; and
        that it is another one than that of the system, which may be known to do no harm."""
        name = part.words[0].text if part.words and part.words[0].exact else "/"
        path = self._python.program(name) if self._python is not None and "/" not in name else None
        if self._python is None or path is None:
            return (), ""
        identity = identity_of(self._look.locate(path), self._look.roots)
        loose = f"starts {name} of {self._python.folder}" if part.category is Category.READ else ""
        return ((0, identity),) if identity is not None else (), loose

    def _environment(self, program: Place) -> str:
        folder = environment_with(program.named)
        found = self._look.locate(folder) if folder else None
        return found.shown if found is not None and found.inside else ""

    def _shown_secrets(self, part: Part) -> str:
        """That it shows lines of secret files in a folder that it goes through, unless these are kept from it."""
        for touch in part.touches:
            if touch.tells is not Tells.LINES or not touch.whole or touch.access is not Access.READ:
                continue
            found = self._below.secrets(touch.name, touch.named, touch.passes_over)
            if found:
                return f"shows lines of all files in {touch.written}, and {printable(found[0])} may hold secrets"
            if not self._below.whole:
                return f"shows lines of all files in {touch.written}, and not all of these were looked at"
        return ""

    def _identities(self, part: Part) -> Iterator[tuple[int, str]]:
        """Of the program itself, and of the script that an interpreter runs."""
        for touch in part.touches:
            if touch.access is Access.RUN and touch.at in _STARTING and not touch.glob:
                identity = identity_of(self._look.locate(touch.name), self._look.roots)
                if identity is not None:
                    yield touch.at, identity

    def _copied(self, part: Part, uses: tuple[PathUse, ...], dangers: list[Danger]) -> Iterator[PathUse]:
        """Protected files among those that come with a folder which is copied or moved."""
        if not part.steps or part.steps[0] not in COPIES:
            return
        targets = [use for use in uses if use.access is Access.WRITE]
        sources = [use for use in uses if use.access in (Access.READ, Access.DELETE) and use.is_directory]
        for source in sources if targets else ():
            for name in self._below.files(source.real):
                for target in targets:
                    # The folder comes with its own name or without it: both are thought of.
                    for start in (target.real, posixpath.join(target.real, posixpath.basename(source.real))):
                        copied = posixpath.join(start, name)
                        if protection(copied) is not None:
                            yield from self._use(copied, Access.WRITE, dangers, whole=False)
            if not self._below.whole:
                dangers.append(Danger(f"copies {source.shown}, and not all that is in it was looked at"))

    def _touched(self, touch: Touch, part: Part, dangers: list[Danger]) -> Iterator[PathUse]:
        if touch.follows or (touch.each and touch.access is Access.READ):
            yield from self._gone_through(touch, dangers)
        if not touch.glob:
            yield from self._use(touch.name, touch.access, dangers, whole=touch.whole, passes_over=touch.passes_over)
            return
        folder, pattern = _pattern(touch, part)
        matches = self._matches(folder, pattern)
        if not matches.whole:
            text = f"names files with {touch.written}, and what that matches could not be looked at in full"
            dangers.append(Danger(text))
        # As it stands there, the shell takes it for what is there.
        makes = touch.access is Access.WRITE and not touch.name.endswith(touch.written)
        names = (*matches.names, *self._new(folder, pattern)) if makes else matches.names
        for name in dict.fromkeys(names):
            whole = touch.whole or not matches.whole
            yield from self._use(name, touch.access, dangers, whole=whole, passes_over=touch.passes_over)

    def _new(self, folder: str, pattern: str) -> Iterator[str]:
        """What is not there yet: a loop goes through what is, and puts more behind each name."""
        found = _SPECIAL.match(pattern)
        if found is not None:
            yield from (name + pattern[found.end() :] for name in self._matches(folder, found[0]).names)

    def _gone_through(self, touch: Touch, dangers: list[Danger]) -> Iterator[PathUse]:
        """What is reached beside the folder itself, where links are followed or each file is named."""
        links = self._below.followed(touch.name) if touch.follows else self._below.links(touch.name, touch.named)
        for name in links:
            yield from self._use(name, touch.access, dangers, whole=touch.whole)
        for name in self._below.secrets(touch.name, touch.named) if touch.each else ():
            yield from self._use(name, touch.access, dangers, whole=False)
        if touch.each and self._below.strays(touch.name):
            dangers.append(Danger(f"goes through {touch.written}, where a name has a blank and names something else"))
        if not self._below.whole:
            dangers.append(Danger(f"goes through {touch.written}, and not all that lies below was looked at"))

    def _matches(self, folder: str, pattern: str) -> Matches:
        key = (folder, pattern)
        if key not in self._expanded:
            self._expanded[key] = expand(*key, self._budget)
        return self._expanded[key]

    def _use(
        self,
        name: str,
        access: Access,
        dangers: list[Danger],
        *,
        whole: bool,
        passes_over: PassesOver = PassesOver.NOTHING,
    ) -> Iterator[PathUse]:
        key = (name, access, whole, passes_over)
        if key not in self._known:
            if len(self._known) >= MOST_PATHS:
                dangers.append(Danger(TOO_MANY))
                return
            place = self._look.locate(name)
            use = place.use(access, is_directory=_is_folder(place, access, whole=whole))
            installed = access is Access.RUN and not use.inside and bool(installation_of(use.real))
            environment = self._environment(place) if access is Access.RUN and (use.inside or installed) else ""
            gone_through = whole and access is Access.READ and use.is_directory and use.inside
            below = self._below.names(use.real, passes_over) if gone_through else None
            self._known[key] = replace(use, installed=installed, environment=environment, below=below)
        use = self._known[key]
        if _by_way_of_a_process(name, use):
            dangers.append(Danger(f"names {printable(name)}, which leads elsewhere for every process"))
        yield use


def _each_once(uses: Iterable[PathUse]) -> tuple[PathUse, ...]:
    """Of those that are the same, one of which is known what lies below."""
    found: dict[PathUse, PathUse] = {}
    for use in uses:
        if use not in found or use.below is not None:
            found[use] = use
    return tuple(found.values())


def _pattern(touch: Touch, part: Part) -> tuple[str, str]:
    """The name of the folder may hold what looks like a pattern, and is none."""
    folder = (part.directory or "").rstrip("/") + "/"
    own = touch.at is not None and part.words[touch.at].text.startswith("/")
    within = part.directory is not None and touch.name.startswith(folder) and not own
    return (folder, touch.name[len(folder) :]) if within else ("/", touch.name)


def _by_way_of_a_process(name: str, use: PathUse) -> bool:
    """What a process has open and where it stands is looked up here for this one, and by then for another."""
    plain = "/" + "/".join(part for part in name.split("/") if part not in ("", "."))
    return any(plain.startswith(start) and not use.real.startswith(start) for start in ("/proc/", "/dev/fd/"))


def _is_folder(place: Place, access: Access, *, whole: bool) -> bool:
    """Whether all that lies below counts too. What is missing now may be a folder by then."""
    mode = place.target.mode
    if access in _CHANGES:
        return whole and (mode is None or stat.S_ISDIR(mode))
    return mode is not None and stat.S_ISDIR(mode)
