"""How long a question waits for its answer, and how much of that is left."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass

SHORTEST, LONGEST = 1, 86_400
"""How many seconds a question can wait, at least and at most."""


class TimeoutWhen(StrEnum):
    """When the clock of a waiting question counts, from the strictest to the loosest."""

    ALWAYS = "always"
    UNATTENDED = "unattended"
    """Only while nobody is there who could answer."""
    NEVER = "never"

    @property
    def looseness(self) -> int:
        """A larger number lets a question wait longer."""
        return tuple(TimeoutWhen).index(self)


@dataclass(frozen=True, slots=True)
class Allowance:
    """How long a question may wait, and which of that time counts."""

    seconds: float = 300.0
    when: TimeoutWhen = TimeoutWhen.UNATTENDED


@dataclass(frozen=True, slots=True)
class Countdown:
    """What is left of a question's time, and whether it is getting less at this moment."""

    seconds: float
    running: bool
    remaining: float


def parse_seconds(value: object) -> float | None:
    """The seconds that a setting names, if they are such as a question can wait."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if SHORTEST <= value <= LONGEST else None


def parse_when(value: object) -> TimeoutWhen | None:
    """The word that a setting holds, if it is one."""
    return TimeoutWhen(value) if isinstance(value, str) and value in tuple(TimeoutWhen) else None
