"""What the system says is wrong with a path, in words for the one who asked for it."""

import errno

from assent.model.errors import ToolFault
from assent.tools.names import printable

MASKED_TEXT = "masked_text"
_WORDS = {
    errno.EACCES: ("permission_denied_by_system", "You have no permission for {path}."),
    errno.EPERM: ("permission_denied_by_system", "You have no permission for {path}."),
    errno.EROFS: ("read_only", "{path} is on a read-only file system."),
    errno.ENOSPC: ("disk_full", "The disk is full; {path} is unchanged."),
    errno.EDQUOT: ("disk_full", "Your disk quota is used up; {path} is unchanged."),
    errno.EISDIR: ("is_a_directory", "{path} is a directory."),
    errno.ENOTDIR: ("not_a_directory", "{path} is not a directory, or lies below something that is none."),
    errno.ELOOP: ("changed_since", "{path} is a symbolic link now, or lies behind one; it was not touched."),
    errno.EXDEV: ("changed_since", "{path} leads somewhere else now; it was not touched."),
    errno.ESTALE: ("changed_since", "{path} was taken away while it was used; look again."),
    errno.EEXIST: ("changed_since", "{path} was made by someone else meanwhile; it was not touched."),
    errno.ENAMETOOLONG: ("name_too_long", "The name of {path} is too long for this file system."),
    errno.ENXIO: ("not_a_file", "{path} is not a regular file."),
    errno.ENOENT: ("not_found", "{path} does not exist."),
}


def explained(fault: OSError, path: str) -> ToolFault:
    """The fault of the system as one of a tool."""
    code, words = _WORDS.get(fault.errno or 0, ("io_error", "{path} could not be used: {why}."))
    return ToolFault(code, words.format(path=printable(path), why=fault.strerror or type(fault).__name__))


def named(number: int, path: str) -> ToolFault:
    """The same for a fault that was seen coming."""
    return explained(OSError(number, ""), path)


def not_a_file(path: str) -> ToolFault:
    """Only what keeps bytes can be read and replaced: no pipe, socket or device."""
    return ToolFault("not_a_file", f"{printable(path)} is not a regular file.")


def too_many_links(path: str) -> ToolFault:
    """A link that leads to itself, or a chain that no system follows."""
    return ToolFault(
        "link_loop", f"{printable(path)} leads through too many symbolic links, or through a loop of them."
    )


def masked_text(path: str, mark: str) -> ToolFault:
    """A mark that stands for a secret is no text to write, nor one to look for."""
    return ToolFault(
        MASKED_TEXT,
        f"The text for {printable(path)} holds “{mark}”. That mark stands for a secret that you did not get to read, so"
        " writing it would lose the secret; nothing was written. Change the other parts with edit_file, and leave the"
        " parts with marks out of `old` and `new`.",
    )


def changed(path: str, done: str = "it was not touched") -> ToolFault:
    """What is there now is not what was looked at."""
    return ToolFault("changed_since", f"{printable(path)} changed after this call was looked at; {done}.")


def elsewhere(path: str, done: str) -> ToolFault:
    """The name leads to another place than the one that was looked at."""
    return ToolFault("changed_since", f"{path} leads somewhere else now; {done}.")
