"""What is said of a setting where it is declared: what it does, what it risks, and who may set it."""

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from assent.lazy_dataclasses import dataclass


class Reach(Enum):
    """Who may set it, as VS Code names its scopes."""

    MACHINE = "machine"
    APPLICATION = "application"
    WINDOW = "window"
    RESOURCE = "resource"

    @property
    def is_open_to_workspaces(self) -> bool:
        """Whether an editor takes a value of it from a workspace."""
        return self in (Reach.WINDOW, Reach.RESOURCE)


class Power(Enum):
    """What a stranger who sets it could do with it."""

    STARTS = "starts programs"
    SENDS = "sends data"
    LOOSENS = "lets more run without asking"


HARMLESS: frozenset[Power] = frozenset()
LOOSENS = frozenset({Power.LOOSENS})


@dataclass(frozen=True, slots=True)
class About:
    """What people and editors are told of one setting. `expected` ends the sentence "it should be …"."""

    does: str
    risk: str
    expected: str
    reach: Reach
    powers: frozenset[Power]
    risk_of: str = ""
    """Which of its values the risk is about, where that is not plain."""
    item: str = ""
    """What one entry of a list or an object should be, as `expected` says it of the whole."""
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What each of its words means."""

    @property
    def is_restricted(self) -> bool:
        """Whether an editor keeps a workspace's value of it from us until the workspace is trusted."""
        return bool(self.powers) and self.reach.is_open_to_workspaces

    @property
    def loosens(self) -> bool:
        return Power.LOOSENS in self.powers

    @property
    def warning(self) -> str:
        """The sentence about its risk."""
        return f"**Risk{f' of {self.risk_of}' if self.risk_of else ''}:** {self.risk}"
