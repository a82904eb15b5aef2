"""What the tools that ask collections say to a model: passages and what is known of a collection. No disk."""

import os
from collections.abc import Iterator, Sequence

from assent.model.collections import DOCUMENTS, Collection
from assent.tools.library import Hit, State
from assent.tools.names import printable

UNFINISHED = (
    "[documents are still being read for the first time: this is from those that were; ask again later for more]"
)


def shown_path(path: str, folders: Sequence[str]) -> str:
    """A path as read_file takes it: relative where it lies in the folder that relative names start from."""
    first = folders[0].rstrip(os.sep) if folders else ""
    if first and path.startswith(first + os.sep):
        return printable(path[len(first) + 1 :])
    return printable(path)


def passages(hits: Sequence[Hit], folders: Sequence[str]) -> str:
    """The passages, numbered. What stands in a document is set in: it is no word of ours."""
    return "\n".join(line for number, hit in enumerate(hits, start=1) for line in _passage(number, hit, folders))


def described(collection: Collection, state: State, folders: Sequence[str]) -> str:
    """One collection: where it is, what is in it, and what is left out."""
    about = [f"{printable(collection.name)}: {_count(state.indexed, 'document')} in {_places(collection, folders)}"]
    if collection.description:
        about.append(f"    {printable(collection.description)}")
    if collection.include != DOCUMENTS:
        about.append(f"    only {', '.join(map(printable, collection.include))}")
    if collection.exclude:
        about.append(f"    without {', '.join(map(printable, collection.exclude))}")
    return "\n".join([*about, *(f"    {note}" for note in _notes(state, folders))])


def _notes(state: State, folders: Sequence[str]) -> Iterator[str]:
    if state.hidden:
        yield "git ignores this whole folder, so nothing in it is part of the collection"
    if not state.whole:
        yield "it has more documents or folders than are looked at; the others are not part of it"
    left_out = 0
    for why, (count, paths) in state.left_out.items():
        left_out += count
        names = ", ".join(shown_path(path, folders) for path in paths)
        more = f"{count - len(paths)} more" if paths else _count(count, "document")
        yield f"left out, {why}: {' and '.join(filter(None, (names, more if count > len(paths) else '')))}"
    waiting = state.documents - state.indexed - left_out
    if waiting > 0:
        yield f"{_count(waiting, 'document')} not read yet"


def _passage(number: int, hit: Hit, folders: Sequence[str]) -> Iterator[str]:
    lines = f"line {hit.first}" if hit.first == hit.last else f"lines {hit.first}-{hit.last}"
    under = f", under “{printable(hit.heading)}”" if hit.heading else ""
    yield f"{number}. {shown_path(hit.path, folders)}, {lines}{under}"
    yield from (f"    {line}" for line in hit.snippet.splitlines() if line.strip())


def _places(collection: Collection, folders: Sequence[str]) -> str:
    return ", ".join(
        "the workspace folder" if place in folders[:1] else printable(place) for place in collection.folders
    )


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
