"""From the path that a model names to the place that it means."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from assent.model.calls import Access, PathUse
from assent.tools.aliases import aliases_of
from assent.tools.names import is_address, path_of, printable, root_as_spelled
from assent.tools.resolve import Anchor, Target, resolve

Roots = Callable[[], tuple[str, ...]]
"""The workspace folders as they are now, and after them the further folders that count as inside."""


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
    grounds: tuple[str, ...] = ()
    """Folders whose protected names may be links to this place: the workspace's, and the home directory."""
    ground: str = ""
    """Which folder the workspace is, whatever it is called: a moved or replaced one is another ground."""

    @property
    def real(self) -> str:
        return self.target.real

    def use(self, access: Access, *, is_directory: bool = False) -> PathUse:
        """This place, as touched by a call."""
        aliases = () if access is Access.READ else aliases_of(self.real, self.grounds)
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


def locate(name: str, roots: tuple[str, ...]) -> Place:
    """Where this name leads. Relative names start at the first workspace folder, or at the home directory."""
    home = str(Path.home())
    base = roots[0] if roots else home
    plain = path_of(name)
    if "\0" in plain:
        return Place(printable(name), Target(plain, Anchor(os.sep, 0, 0)), plain, inside=False, directory=base)
    # Not in an address: there, a tilde is a letter as any other.
    expanded = plain if is_address(name) else os.path.expanduser(plain)  # noqa: PTH111 - Path's own raises where there is no such user
    absolute = os.path.join(base, expanded)  # noqa: PTH118 - as the system would read it
    # Where a folder leads takes a look at every one on the way, and the first of them is asked for twice.
    resolved = cache(resolve)
    target, root = _contained(resolve(absolute), map(resolved, roots))
    first = resolved(base).real
    # Two workspace folders can hold the same relative name: it stands for the file in the first one only.
    shown = os.path.relpath(target.real, first) if root is not None and _lies_in(target.real, first) else target.real
    ground = root.anchor.identity if root is not None else ""
    grounds = (*roots, home)
    return Place(printable(shown), target, _tidy(absolute), root is not None, base, grounds, ground)


def _contained(target: Target, roots: Iterable[Target]) -> tuple[Target, Target | None]:
    """The target, as its root is spelled, and the root that it lies in."""
    for root in roots:
        spelled = root_as_spelled(target.real, root.real, _is_same_folder)
        if spelled is not None:
            return (target if _lies_in(target.real, root.real) else _respelled(target, spelled, root.real)), root
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
    return root_as_spelled(path, folder, lambda _one, _other: False) is not None


def _tidy(absolute: str) -> str:
    # Two slashes in front are one here; normpath leaves them.
    path = os.path.normpath(absolute)
    return path[1:] if path.startswith("//") and os.sep == "/" else path
