"""The operating system's own lock on an open file: who dies lets go of it."""

import sys

if sys.platform == "win32":
    import msvcrt

    def take(descriptor: int) -> None:
        """Locks the open file for this process at once, or raises OSError where another one holds it."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def take(descriptor: int) -> None:
        """Locks the open file for this process at once, or raises OSError where another one holds it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
