"""The client's two pipes, moved to where nothing else finds them.

A stray print, or a child that writes to descriptor 1, would otherwise land between two messages and end the connection.
"""

import os
import sys

from assent.lazy_dataclasses import dataclass

STDIN, STDOUT, STDERR = 0, 1, 2


class NoClient(Exception):
    """Standard input or output is closed, so there is nobody to talk to."""


@dataclass(frozen=True, slots=True)
class ClientPipes:
    """The descriptors that lead to the client. Children do not inherit them."""

    incoming: int
    outgoing: int


def take_client_pipes() -> ClientPipes:
    """Moves descriptors 0 and 1 aside; from then on 0 is empty and 1 is the log."""
    # Asked of Python, which looked at its start: by now the numbers may stand for some other file.
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise NoClient("standard input and output must be open: start the server from an editor, or with pipes")
    pipes = ClientPipes(os.dup(STDIN), os.dup(STDOUT))
    for fd in (pipes.incoming, pipes.outgoing):
        _plain_bytes(fd)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, STDIN)
    os.dup2(STDERR if _is_open(STDERR) else null, STDOUT)
    os.close(null)
    return pipes


def _plain_bytes(fd: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(fd, os.O_BINARY)
    else:
        os.set_blocking(fd, True)


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
