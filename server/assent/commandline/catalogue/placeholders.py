"""Programs that find files and start another one for each: what stands where the names of the files will."""

import posixpath
from collections.abc import Iterable, Sequence

from assent.commandline.catalogue.changes import listed
from assent.model.commands import Argument

_MADE_ANEW = listed(
    "__pycache__ node_modules .pytest_cache .mypy_cache .ruff_cache .tox .nox .parcel-cache .turbo .DS_Store Thumbs.db "
    "*.pyc *.pyo *.o *.obj *.class *.log *.tmp *.temp *.swp *.swo *.bak *.orig *.rej *.egg-info *.tsbuildinfo *.gcda "
    "*.gcno *.profraw .coverage htmlcov"
)
"""What tools make anew when it is gone: nothing acts on files with these names, in whatever folder they lie."""


def common_folder(places: Sequence[Argument]) -> str | None:
    """The folder in or below which all of these are, as it would be named from here; None where that is not known."""
    if len(places) == 1 and places[0].exact and not places[0].glob and places[0].text:
        return places[0].text
    return "." if places and all(map(stays_here, places)) else None


def stays_here(word: Argument) -> bool:
    """Whether this can be nothing but a name at or below the folder that the program runs in."""
    known = word.exact or word.below
    return known and not word.text.startswith(("/", "-", "~")) and ".." not in word.text.split("/")


def only_name(patterns: Sequence[Argument]) -> str:
    """The pattern by which alone what is found can be told; empty where something else could be meant by it."""
    named = [pattern.text for pattern in patterns if pattern.exact]
    return next((name for name in named if name in _MADE_ANEW), "")


def placed(
    given: Iterable[Argument],
    marks: Sequence[str],
    folder: str | None,
    named: str = "",
    *,
    patterns: tuple[str, ...] = (),
    many: bool = False,
) -> tuple[Argument, ...]:
    """The words with what is known of the names that will stand in the place of the marks.

    `named` is the one name that alone is meant, of `patterns`, the last name of each matches one.
    """
    found = []
    for word in given:
        one = _placed(word, marks, folder, named, patterns, many)
        # That there are several is said by naming it twice: each is a word of its own, and none is split.
        found += [one, one] if many and one is not word and one.below else [one]
    return tuple(found)


def _placed(
    word: Argument, marks: Sequence[str], folder: str | None, named: str, patterns: tuple[str, ...], many: bool
) -> Argument:
    if word.text in marks and word.exact:
        return _found(folder, named, patterns, many, word.written)
    starts = [word.text.find(mark) for mark in marks if mark in word.text]
    if not starts:
        return word
    before, after = word.text[: min(starts)], word.text[min(starts) :]
    if not before and word.exact and "/" not in _without(after, marks) and folder and stays_here(Argument(folder)):
        # With something behind it, the name of the start itself is that of a neighbour.
        return _found(posixpath.dirname(folder.rstrip("/")) or ".", "", (), False, word.written)
    return Argument(before, exact=False, written=word.written)


def _without(text: str, marks: Sequence[str]) -> str:
    for mark in sorted(marks, key=len, reverse=True):
        text = text.replace(mark, "")
    return text


def _found(folder: str | None, named: str, patterns: tuple[str, ...], many: bool, written: str) -> Argument:
    if folder is None:
        return Argument("", exact=False, many=many, written=written)
    if named:
        return Argument(posixpath.join(folder, named), many=many, glob=True, written=written)
    text = f"{folder.rstrip('/')}/"
    return Argument(text, exact=False, below=True, named=patterns, written=written)


def last_names(places: Sequence[Argument]) -> tuple[str, ...]:
    """Patterns for the names of these very files; none where one of them can be a folder with others in it."""
    names = [place.text.rpartition("/")[2] for place in places if place.exact]
    files = len(names) == len(places) and all("." in name.strip(".") for name in names)
    return tuple(names) if files else ()
