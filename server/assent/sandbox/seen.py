"""What a look at the disk has found that a command must not touch."""

from collections.abc import Container
from dataclasses import field

from assent.lazy_dataclasses import dataclass


@dataclass(slots=True)
class Seen:
    """Protected and secret things below the places that were looked at."""

    held: dict[str, bool] = field(default_factory=dict)
    """Protected paths that exist, outermost first; whether each is a folder."""
    secret: dict[str, bool] = field(default_factory=dict)
    """The same of what must not be read."""
    noted: set[str] = field(default_factory=set)
    """What is protected and secret, or would be protected had a command made it: not held, but to be missed."""
    git: list[str] = field(default_factory=list)
    """Folders in which git keeps its settings."""
    linked: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    """Protected files with several names, by what they are."""
    links: list[str] = field(default_factory=list)
    """Protected names that are symbolic links."""
    unseen: dict[str, bool] = field(default_factory=dict)
    """Folders that nobody has looked into, because they lie too deep or there are too many: anything may be in them."""
    met: Container[object] = ()
    """Folders that were looked into, each with what was looked for."""
    too_large: str = ""

    def protected(self) -> set[str]:
        """Everything that is to be missed or found again when a command has ended."""
        return {*self.held, *self.noted, *self.links, *self.unseen}
