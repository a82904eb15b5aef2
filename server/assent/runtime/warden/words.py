"""What the server and the warden say to each other. Both run the same Python, so values travel as it writes them.

An order is one message of one byte with handles: the socket between server and keeper, a file in memory that holds the
order, the folder, standard output, standard error, and the files that are passed on, of which the first may be the
standard input. Everything else about the command
is said on its own socket, by which the keeper also learns that the server is gone.
"""

import marshal

START = b"S"
"""To the warden: start this."""
TERMINATE = b"T"
"""To a keeper: ask the program to end."""
KILL = b"K"
"""To a keeper: kill all of it."""

STARTED = "started"
"""From a keeper, with the number of the process."""
FAULT = "fault"
"""From a keeper or the warden: nothing was started; with the step that failed, and the number of the error."""
ENDED = "ended"
"""From a keeper: the program has ended; with its wait status, and why the keeper ended it, if so."""
GONE = "gone"
"""From a keeper: nothing of the command is left; with why it killed what was left, if it did."""

LONGEST_MESSAGE = 4_096
MOST_HANDLES = 250
"""With one message; the system allows three more."""

LockOrder = tuple[int, int, int, tuple[tuple[bytes, int], ...], bytes]
"""The three masks of what is locked, the rules, and the filter for system calls."""


class Order:
    """A program to be started, in the words of the system: bytes and numbers."""

    __slots__ = ("argv", "environment", "file_bytes", "lock", "memory_bytes", "numbers", "processes", "programs")

    def __init__(
        self,
        programs: tuple[bytes, ...],
        argv: tuple[bytes, ...],
        environment: dict[bytes, bytes],
        numbers: tuple[int, ...] = (),
        processes: int | None = None,
        memory_bytes: int | None = None,
        file_bytes: int | None = None,
        lock: LockOrder | None = None,
    ) -> None:
        self.programs = programs
        """Paths, of which the first that is a program is started."""
        self.argv = argv
        self.environment = environment
        self.numbers = numbers
        """Under which the program finds the files that are passed on. 0 is its standard input, otherwise empty."""
        self.processes = processes
        self.memory_bytes = memory_bytes
        self.file_bytes = file_bytes
        self.lock = lock

    def packed(self) -> bytes:
        """The order as it travels."""
        return marshal.dumps(
            (
                self.programs,
                self.argv,
                self.environment,
                self.numbers,
                self.processes,
                self.memory_bytes,
                self.file_bytes,
                self.lock,
            )
        )


def unpacked(data: bytes) -> Order:
    """The order that travelled."""
    return Order(*marshal.loads(data))  # noqa: S302 - it comes from the server that started this process


def said(*words: str | int | None) -> bytes:
    """A message from a keeper or the warden."""
    return marshal.dumps(words)


def heard(data: bytes) -> "tuple[str | int | None, ...]":
    """The message that was said."""
    words = marshal.loads(data)  # noqa: S302 - it comes from a process that this server started
    return words if isinstance(words, tuple) else ()
