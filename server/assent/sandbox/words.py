"""What is asked of a sandbox and what it answers."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass


class Tier(StrEnum):
    """The means by which a command is confined."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    SEATBELT = "seatbelt"

    @property
    def label(self) -> str:
        """For people."""
        return _LABELS[self]


_LABELS = {Tier.BUBBLEWRAP: "bubblewrap", Tier.LANDLOCK: "Landlock", Tier.SEATBELT: "Seatbelt"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one command may touch."""

    roots: tuple[str, ...]
    """The workspace's folders."""
    further: tuple[str, ...]
    """More folders that it may write to, from the user's settings."""
    scratch: str
    directory: str
    network: bool = False

    @property
    def writable(self) -> tuple[str, ...]:
        """All places that it may write to."""
        return tuple(dict.fromkeys((*self.roots, *self.further, self.scratch)))


@dataclass(frozen=True, slots=True)
class Reading:
    """What one command may read that is known to do nothing else."""

    places: tuple[str, ...]
    """The workspace, and what belongs to it."""
    roots: tuple[str, ...]
    directory: str
    programs: tuple[str, ...] = ()
    """Folders where its programs are looked for."""
    installed: tuple[str, ...] = ()
    """More folders of programs that are installed, and of what these need."""


@dataclass(frozen=True, slots=True)
class Found:
    """Which means this machine has, and why no better one."""

    tier: Tier | None
    why: str = ""
    holds_readers: bool = False
    """It keeps a command that only reads from doing anything else."""


@dataclass(frozen=True, slots=True)
class Unheld:
    """Something protected cannot be held, so nothing may run by the sandbox without a question."""

    why: str
