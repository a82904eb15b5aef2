"""Which files of a folder belong to a collection, by the globs that say so. No disk."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from assent.model.collections import Collection
from assent.tools.globs import Glob, UnusableGlob, glob_of


class Membership:
    """The globs of one collection. Letters are compared as they stand and in lower case: README.MD is a document."""

    def __init__(self, collection: Collection) -> None:
        self._include = _globs(collection.include)
        self._exclude = _globs(collection.exclude)
        self._only_folders = _globs(text for text in collection.exclude if text.endswith("/"))

    def takes(self, names: Sequence[str]) -> bool:
        """Whether the file belongs to it. A glob that means a folder means all that lies in it."""
        return self._means(self._include, names) and not any(
            glob.matches(names) for glob in self._exclude if glob not in self._only_folders
        )

    def enters(self, names: Sequence[str]) -> bool:
        """Whether something in this folder can belong to it."""
        return not any(glob.matches(names) for glob in self._exclude)

    @staticmethod
    def _means(globs: Iterable[Glob], names: Sequence[str]) -> bool:
        lower = tuple(name.lower() for name in names)
        return any(
            glob.matches(spelled[:length])
            for glob in globs
            for spelled in (names, lower)
            for length in range(len(names), 0, -1)
        )


def _globs(texts: Iterable[str]) -> tuple[Glob, ...]:
    found: list[Glob] = []
    for text in texts:
        body = text.replace("\\", "/").removeprefix("./").removesuffix("/")
        # One that cannot be understood means nothing.
        with suppress(UnusableGlob):
            found.append(glob_of(body if "/" in body else f"**/{body}"))
    return tuple(found)
