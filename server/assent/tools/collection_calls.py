"""What calls to collections have in common: which folders they touch, and what an agreement to one rests on."""

from collections.abc import Sequence

from assent.jsontext import readable_json
from assent.model.calls import Access, PathUse
from assent.model.collections import Collection
from assent.model.errors import ToolFault
from assent.tools.collection_words import shown_path
from assent.tools.disk import digest_of
from assent.tools.names import printable

LONGEST_QUERY = 1_000
QUERY = 'Words to look for; "words in quotes" only together. Best is what holds most of them.'
_NAMED = 20


def uses(collections: Sequence[Collection], roots: Sequence[str]) -> tuple[PathUse, ...]:
    """The folders that are read. Whoever made a collection of one agreed that agents read there."""
    folders = dict.fromkeys(folder for one in collections for folder in one.folders)
    return tuple(use_of(folder, is_directory=True, roots=roots) for folder in folders)


def use_of(path: str, *, is_directory: bool = False, roots: Sequence[str] = ()) -> PathUse:
    """A place in a collection, given by its real path, as a query touches it."""
    shown = "." if path in roots[:1] else shown_path(path, roots)
    return PathUse(path, shown, Access.READ, inside=True, is_directory=is_directory, named=path)


def bound(collections: Sequence[Collection]) -> str:
    """A digest of which documents are asked."""
    said = [[one.name, list(one.folders), list(one.include), list(one.exclude)] for one in collections]
    return digest_of(readable_json(said).encode("utf-8", "surrogateescape"))


def require_same(seen: Sequence[Collection], now: Sequence[Collection]) -> None:
    """Raises ToolFault where other documents would be asked than was shown."""
    if bound(seen) != bound(now):
        raise ToolFault("changed_since", "The collections are others by now, so none was searched; ask again.")


def no_collection(name: str, known: Sequence[Collection]) -> ToolFault:
    """There is none of this name; these are."""
    names = ", ".join(printable(one.name) for one in known[:_NAMED])
    there = f"There are: {names}." if known else "There are none: no folder is open, and assent.collections names none."
    return ToolFault("not_found", f"There is no collection named {printable(name)}. {there}")
