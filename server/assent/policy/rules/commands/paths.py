"""Rules for the tools that read and write files, as far as they speak of what a command does."""

from dataclasses import replace
from posixpath import normpath

from assent.model.commands import Command
from assent.model.paths import Access, PathUse

READERS = ("read_file", "list_files")
WRITERS = ("write_file", "edit_file")


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


def wide_reads(command: Command) -> tuple[PathUse, ...]:
    """Folders that are read with all that lies below them, as if that were to be changed: then rules on it count."""
    found: list[PathUse] = []
    for part in command.all():
        wide = {normpath(touch.name) for touch in part.touches if touch.whole and touch.access is Access.READ}
        read = [use for use in part.paths if use.access is Access.READ and use.is_directory] if wide else []
        found += [replace(use, access=Access.WRITE) for use in read if normpath(use.named or use.real) in wide]
    return tuple(found)
