"""Rules for the tools that read and write files, as far as they speak of what a command does."""

from collections.abc import Iterator
from dataclasses import replace
from posixpath import normpath

from assent.model.commands import Command, Part
from assent.model.modes import Category
from assent.model.paths import Access, PathUse
from assent.policy.rules.commands.put_together import is_put_together

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


def wide_reads(command: Command) -> tuple[PathUse, ...]:
    """Folders that are read with all that lies below them, as if that were to be changed: then rules on it count."""
    found: list[PathUse] = []
    for part in command.all():
        wide = {normpath(touch.name) for touch in part.touches if touch.whole and touch.access is Access.READ}
        read = [use for use in part.paths if use.access is Access.READ and use.is_directory] if wide else []
        found += [replace(use, access=Access.WRITE) for use in read if normpath(use.named or use.real) in wide]
    return tuple(found)
