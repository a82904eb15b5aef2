"""Where is searched, and which of the files there may be told of."""

import os
from collections.abc import Callable

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access, PathUse
from assent.model.errors import ToolFault
from assent.policy.protected import is_secret
from assent.tools.declared import NOTHING_DECLARED, Declared
from assent.tools.declared_encoding import declared_in
from assent.tools.disk import Content, read_regular
from assent.tools.names import printable
from assent.tools.places import Place
from assent.tools.resolve import Target, resolve
from assent.tools.search.order import MOST_BYTES
from assent.tools.text import decode

_HEAD = 4_096
Withheld = Callable[[PathUse, PathUse], bool]
"""Whether a file is kept back that is found while another place is searched."""


def nothing_withheld(_use: PathUse, _searched: PathUse) -> bool:
    """No rule is about any file."""
    return False


@dataclass(frozen=True, slots=True)
class Scope:
    """A place that is searched."""

    place: Place
    file: str | None
    """The name of the one file, where it is no folder."""
    root: str
    """The folder of the workspace that it lies in; itself, where it lies outside."""
    declared: Declared = NOTHING_DECLARED
    """The encodings that the settings name."""

    @classmethod
    def of(cls, place: Place, roots: tuple[str, ...]) -> "Scope":
        """Of a place that was located."""
        target = place.target
        one = target.mode is not None and not target.is_folder
        folder = target.folder if one else target.real
        reals = tuple(resolve(root).real for root in roots)
        root = next((real for real in reals if _lies_in(folder, real)), folder)
        return cls(place, target.name if one else None, root, declared_in(target.real, root if root in reals else ""))

    @property
    def folder(self) -> Target:
        """The folder that is looked through, or that has the one file."""
        return resolve(self.place.target.folder) if self.file is not None else self.place.target

    def shown(self, path: str) -> str:
        """A file's path below the folder, as a call would name it."""
        start = self.place.shown
        if self.file is not None:
            return start
        return printable(path) if start == "." else f"{start.rstrip('/')}/{printable(path)}"

    def use(self, path: str) -> PathUse:
        """The reading of a file below the folder."""
        place = self.place
        if self.file is not None:
            return place.use(Access.READ)
        real, named = (os.path.join(start, *path.split("/")) for start in (place.real, place.named))  # noqa: PTH118
        return PathUse(real, self.shown(path), Access.READ, place.inside, named=named)

    def may_tell(self, path: str, withheld: Withheld, *, content: bool) -> bool:
        """Whether the file may be told of. One that was named itself was decided about as such."""
        if self.file is not None:
            return True
        use = self.use(path)
        if content and any(map(is_secret, (use.real, use.named))):
            return False
        return not withheld(use, self.place.use(Access.READ, is_directory=True))

    def text(self, path: str) -> str | None:
        """What a file says; None where it is no text, or not there any more."""
        content = self._content(path, MOST_BYTES)
        return (
            decode(content.data, declared=self.declared.of(self.use(path).real))
            if content is not None and content.whole
            else None
        )

    def head(self, path: str) -> bytes:
        """How a file begins."""
        content = self._content(path, _HEAD)
        return content.data if content is not None else b""

    def _content(self, path: str, most: int) -> Content | None:
        """Read so that no link leads elsewhere."""
        real = self.use(path).real
        target = resolve(real)
        if target.real != real:
            return None
        try:
            return read_regular(target, most)
        except ToolFault:
            return None


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
