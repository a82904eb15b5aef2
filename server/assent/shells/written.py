"""What calls have written that a person allowed one by one: it is not taken for what a command beside them did."""

from collections import deque

MOST = 10_000


class Written:
    """Paths in the order in which they were written, or were about to be."""

    def __init__(self) -> None:
        self._paths: deque[str] = deque(maxlen=MOST)
        self._count = 0

    def add(self, path: str) -> None:
        """A call is about to write this."""
        self._paths.append(path)
        self._count += 1

    @property
    def count(self) -> int:
        """How many there were: a moment to ask from."""
        return self._count

    def since(self, count: int) -> tuple[str, ...]:
        """What was written since that moment."""
        new = self._count - count
        return tuple(self._paths)[-new:] if new > 0 else ()
