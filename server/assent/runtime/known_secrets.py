"""Values that this process was given as secrets: wherever something is written down, they are masked."""


class KnownSecrets:
    """Grows while the process lives: a key that was taken back may still stand in something."""

    def __init__(self) -> None:
        self._values: frozenset[str] = frozenset()

    @property
    def values(self) -> frozenset[str]:
        """All of them, the same object as long as none was added."""
        return self._values

    def add(self, value: str) -> None:
        """This is a secret from now on."""
        if value and value not in self._values:
            self._values |= {value}
