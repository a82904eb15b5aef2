"""What becomes of keys and tokens in what a model is about to read."""

from enum import StrEnum


class SecretsReading(StrEnum):
    """From the strictest to the loosest."""

    MASK = "mask"
    """A mark stands for each."""
    ASK = "ask"
    """The user is asked whether the model gets them."""
    SHOW = "show"

    @property
    def looseness(self) -> int:
        """A larger number lets a model read more."""
        return tuple(SecretsReading).index(self)


def parse_reading(value: object) -> SecretsReading | None:
    """The word that a setting holds, if it is one."""
    return SecretsReading(value) if isinstance(value, str) and value in tuple(SecretsReading) else None
