"""Rules for the tools that read and write files, as far as they speak of what a command does."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from posixpath import join, normpath

from assent.model.commands import Command, Part, Tells
from assent.model.modes import Category
from assent.model.paths import Access, PathUse
from assent.policy.protected import folded
from assent.policy.rules.commands.put_together import is_put_together, without_escapes
from assent.policy.rules.commands.unread import files_in_code, files_in_text, is_fed

READERS = ("read_file", "list_files")
WRITERS = ("write_file", "edit_file")

_DOES_AS_WELL = {
    "write_file": ("edit_file",),
    # Whether something is in a file shows in whether it can be replaced.
    "edit_file": ("write_file", "read_file"),
    "grep": READERS,
    "glob": ("list_files",),
    # It names documents and says how large they are, without being asked for any of them by name.
    "list_collections": ("list_files", "read_file"),
    "query_collection": ("read_file", "search_collections"),
    "search_collections": ("read_file", "query_collection"),
    # What is made takes the place of what stands there, as a text would.
    "generate_image": WRITERS,
    "text_to_speech": WRITERS,
    # What the editor shows of a file, or says of it, comes out of the file.
    "ui_get_selection": ("read_file",),
    "ui_get_diagnostics": ("read_file",),
    "ui_show_diff": ("read_file",),
    "ui_open_file": ("read_file",),
}


def does_as_well(tool: str) -> tuple[str, ...]:
    """The tools whose work this one can do as well: what restricts them restricts it, wherever it goes."""
    return _DOES_AS_WELL.get(tool, ())


def tools_for(access: Access) -> tuple[str, ...]:
    """The tools that do the same with a file; none for what is started."""
    match access:
        case Access.READ:
            return READERS
        case Access.WRITE | Access.DELETE:
            return WRITERS
        case Access.RUN:
            return ()


def does(tool: str, access: Access) -> bool:
    """Whether this tool could do that with a file. What is not known of a tool, it can."""
    return tool in tools_for(access) or tool not in (*READERS, *WRITERS)


def put_together(command: Command) -> Iterator[tuple[Part, frozenset[Access]]]:
    """Parts of which only the shell will know which files they name, with what they could do to these."""
    for part in command.all():
        if part.roams:
            yield part, part.roams
        words = any(not word.exact or is_put_together(word) for word in part.words[1:])
        together = part.touches and (words or any(map(is_put_together, part.touches)))
        if part.unknown or (command.doubt and together):
            yield part, frozenset((*_could_do(part), *(touch.access for touch in part.touches)))


def _could_do(part: Part) -> Iterator[Access]:
    if part.unknown:
        yield Access.READ
        if part.category is not Category.READ:
            yield Access.WRITE
    # What is known to be dangerous, and no mere ignorance of a name.
    if len(part.dangers) > len(part.unknown):
        yield Access.WRITE


def wide_reads(command: Command) -> Iterator[tuple[PathUse, tuple[str, ...]]]:
    """Folders that are read with all that lies below them, and the tools that would do the same with a file of it."""
    for part in command.all():
        wide = {normpath(one.name): one.tells for one in part.touches if one.whole and one.access is Access.READ}
        for use in part.paths if wide else ():
            tells = wide.get(normpath(use.named or use.real))
            if tells is not None and use.access is Access.READ and use.is_directory:
                yield use, READERS if tells is not Tells.NAMES else ("list_files",)


def all_below(use: PathUse, patterns: Iterable[str]) -> tuple[PathUse, ...]:
    """The files of a folder that is gone through, but for those whose names lack what each of these patterns spells
    out: to compare each with each takes long. Where the files are not known, whatever could lie there."""
    if use.below is None:
        return (replace(use, access=Access.WRITE),)
    spelled = [_spelled_out(pattern) for pattern in patterns]
    met = (name for name in use.below if _holds_any(folded(name), spelled))
    return tuple(PathUse(name, "", Access.READ, use.inside, named=name) for name in met)


def _spelled_out(pattern: str) -> list[str]:
    if _CLASSES.search(pattern):
        return []
    return [piece for piece in re.split(r"[*?/]+", folded(pattern.removeprefix("~"))) if piece not in ("", ".", "..")]


def _holds_any(name: str, spelled: list[list[str]]) -> bool:
    return any(all(piece in name for piece in pieces) for pieces in spelled)


_CLASSES = re.compile(r"[\[\]\\{}!]")


def working_folders(command: Command) -> Iterator[tuple[Part, PathUse]]:
    """Where programs work that can do what no word of theirs names, each as a file in that folder whose name nobody
    knows."""
    for part in command.all():
        if part.category is Category.READ or part.transparent or (part.category is Category.WRITE and _changes(part)):
            continue
        folders = {use.real for use in part.paths if use.access is Access.RUN and use.is_directory}
        for folder in (*folders, *((part.directory,) if part.directory is not None else ())):
            yield part, _use_of(f"{folder.rstrip('/')}/{_UNKNOWN}")


def in_code(command: Command) -> Iterator[tuple[Part, PathUse]]:
    """Files and folders that could be meant by pieces of text which nobody reads."""
    # What is given to a program to read stands somewhere in the text.
    fed = files_in_text(without_escapes(command.text)) if any(map(is_fed, command.all())) else frozenset()
    for part in command.all():
        for text in (*files_in_code(part), *fed) if part.directory is not None else ():
            name = normpath(join(part.directory or "/", text))
            yield part, _use_of(name)
            yield part, _use_of(f"{name}/{_UNKNOWN}")


def _use_of(name: str) -> PathUse:
    return PathUse(name, "", Access.WRITE, inside=False, named=name)


_UNKNOWN = "\ufffd"
"""No name that a pattern says."""


def _changes(part: Part) -> bool:
    return any(touch.access in (Access.WRITE, Access.DELETE) for touch in part.touches)
