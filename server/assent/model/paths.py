"""A path that a call touches, and what it does there."""

from dataclasses import field
from enum import StrEnum

from assent.lazy_dataclasses import dataclass


class Access(StrEnum):
    """What a call does with a path."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    RUN = "run"
    """It is started, or something is started in it; its content is what runs."""


@dataclass(frozen=True, slots=True)
class PathUse:
    """A path that a call touches, by its real name: symbolic links and `..` are resolved before policy sees it."""

    real: str
    shown: str
    access: Access
    inside: bool
    is_directory: bool = False
    named: str = ""
    """As the call named it, made absolute, its links not followed: a link can stand where a protected name does."""
    aliases: tuple[str, ...] = ()
    """Protected names that lead to the same place."""
    installed: bool = False
    """It is a program that was installed for every project, as those are where the system has its own."""
    environment: str = ""
    """The folder of the Python environment in the workspace whose program it is; empty where it is of none."""
    below: tuple[str, ...] | None = field(default=None, compare=False, repr=False)
    """Of a folder that is gone through, the names of all files that are met; None where that is not known."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that it goes by."""
        return self.real, self.shown, self.named, *self.aliases
