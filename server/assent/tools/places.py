"""From the path that a model names to the place that it means."""

import os
from collections.abc import Callable, Iterable
from dataclasses import field, replace

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access, PathUse
from assent.tools.aliases import aliases_of, protected_links
from assent.tools.names import is_address, path_of, printable, root_as_spelled
from assent.tools.resolve import Anchor, Target, resolve, status_of

Roots = Callable[[], tuple[str, ...]]
"""The workspace folders as they are now, and after them the further folders that count as inside."""


class LastRoots:
    """Those of the last look, for one that is to begin before it is known that they are the same."""

    def __init__(self, roots: Roots) -> None:
        self._roots = roots
        self._last: tuple[str, ...] | None = None

    def last(self) -> tuple[str, ...]:
        """As they were when they were last asked for; as they are now where they never were."""
        return self._last if self._last is not None else self()

    def __call__(self) -> tuple[str, ...]:
        self._last = self._roots()
        return self._last


def home_folder() -> str:
    """The user's own folder."""
    return os.path.expanduser("~")  # noqa: PTH111 - for every look, and Path takes ten times as long


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name leads once every symbolic link is followed."""

    shown: str
    """For people: relative where it lies in the folder that relative names start from, else in full."""
    target: Target
    named: str
    inside: bool
    directory: str
    """The folder that relative names start from."""
    links: Callable[[], tuple[tuple[str, str], ...]] = field(repr=False, compare=False)
    """Protected names that are links, in the workspace's folders and the home directory: one may lead to this place."""
    root: str = ""
    """The workspace folder in which it lies, where it lies in one."""
    ground: str = ""
    """Which folder the workspace is, whatever it is called: a moved or replaced one is another ground."""

    @property
    def real(self) -> str:
        return self.target.real

    def use(self, access: Access, *, is_directory: bool = False) -> PathUse:
        """This place, as touched by a call."""
        aliases = () if access is Access.READ else aliases_of(self.real, self.links())
        return PathUse(self.real, self.shown, access, self.inside, is_directory, self.named, aliases)

    def bound(self) -> str:
        """What an approval rests on besides names and content: the folder itself.

        For what does not exist yet it is the workspace's folder: of several calls that wait, one may make folders
        that another needs, and the other is still the call that was shown.
        """
        return self.ground if self.target.mode is None else self.target.anchor.identity

    def is_still(self, other: "Place") -> bool:
        """Whether the same name means the same place now, and one that has not left the workspace.

        It may have come in: an answer can take the folder into the workspace before the call runs.
        """
        return self.real == other.real and (other.inside or not self.inside)


class _Links:
    """The protected names in these folders that are links, looked up when they are asked for, and once.

    A place keeps them for as long as its call waits, and nothing else of the look that found it.
    """

    __slots__ = ("_found", "_grounds")

    def __init__(self, grounds: tuple[str, ...]) -> None:
        self._grounds = grounds
        self._found: tuple[tuple[str, str], ...] | None = None

    def __call__(self) -> tuple[tuple[str, str], ...]:
        if self._found is None:
            self._found = protected_links(self._grounds)
        return self._found


class OneLook:
    """Places as they are for the length of one look: whatever stands on the way to its names is looked at once.

    So what it tells of two names in one folder is true of the same folder. To be made when the look begins, and not to
    be kept.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self.roots = roots
        self.home = home_folder()
        self._seen: dict[str, os.stat_result | None] = {}
        self._targets: dict[str, Target] = {}
        self._links = _Links((*roots, self.home))

    def locate(self, name: str) -> Place:
        """Where this name leads. Relative names start at the first workspace folder, or at the home directory."""
        base = self.roots[0] if self.roots else self.home
        plain = path_of(name)
        if "\0" in plain:
            nowhere = Target(plain, Anchor(os.sep, 0, 0))
            return Place(printable(name), nowhere, plain, inside=False, directory=base, links=_no_links)
        # Not in an address: there, a tilde is a letter as any other.
        expanded = plain if is_address(name) else os.path.expanduser(plain)  # noqa: PTH111 - Path's own raises where there is no such user
        absolute = os.path.join(base, expanded)  # noqa: PTH118 - as the system would read it
        target, root = _contained(self._target(absolute), map(self._target, self.roots))
        first = self._target(base).real
        # Two workspace folders can hold the same relative name: it stands for the file in the first one only.
        within = root is not None and _lies_in(target.real, first)
        shown = _below(target.real, first) if within else target.real
        of_root, ground = (root.real, root.anchor.identity) if root is not None else ("", "")
        return Place(printable(shown), target, _tidy(absolute), root is not None, base, self._links, of_root, ground)

    def _target(self, path: str) -> Target:
        target = self._targets.get(path)
        if target is None:
            target = self._targets[path] = resolve(path, self._status)
        return target

    def _status(self, path: str) -> os.stat_result | None:
        if path not in self._seen:
            self._seen[path] = status_of(path)
        return self._seen[path]


def locate(name: str, roots: tuple[str, ...]) -> Place:
    """Where this one name leads."""
    return OneLook(roots).locate(name)


def _no_links() -> tuple[tuple[str, str], ...]:
    return ()


def _contained(target: Target, roots: Iterable[Target]) -> tuple[Target, Target | None]:
    """The target, as its root is spelled, and the root that it lies in."""
    for root in roots:
        if _lies_in(target.real, root.real):
            return target, root
        spelled = root_as_spelled(target.real, root.real, _is_same_folder)
        if spelled is not None:
            return _respelled(target, spelled, root.real), root
    return target, None


def _respelled(target: Target, spelled: str, root: str) -> Target:
    anchor = replace(target.anchor, path=root + target.anchor.path[len(spelled) :])
    return replace(target, real=root + target.real[len(spelled) :], anchor=anchor)


def _is_same_folder(one: str, other: str) -> bool:
    try:
        return os.path.samestat(os.lstat(one), os.lstat(other))
    except (OSError, ValueError):
        return False


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _below(path: str, folder: str) -> str:
    """The name of this path, which lies in the folder, as seen from there."""
    return path[len(folder) :].lstrip(os.sep) or "."


def _tidy(absolute: str) -> str:
    # Two slashes in front are one here; normpath leaves them.
    path = os.path.normpath(absolute)
    return path[1:] if path.startswith("//") and os.sep == "/" else path
