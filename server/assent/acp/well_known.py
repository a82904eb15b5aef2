"""What is kept of an agent of others that is well known."""

from enum import StrEnum

from assent.acp.habits import NO_HABITS, Habits
from assent.lazy_dataclasses import dataclass


class Installer(StrEnum):
    """What brings an agent onto a machine."""

    NPM = "npm"
    PIP = "pip"


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """One agent, as it is offered to a user and understood by the code."""

    key: str
    name: str
    command: str
    args: tuple[str, ...]
    package: str
    installer: Installer
    needs: str
    """What must be there before it can be installed."""
    about: str
    env: tuple[tuple[str, str], ...] = ()
    """Variables that it may need, each with words about it."""
    known_as: tuple[str, ...] = ()
    """Names by which it introduces itself, and parts of the words that start it."""
    plain_programs: tuple[str, ...] = ()
    """Programs and packages of the agent that do not speak the protocol, beside the one that does it for them."""
    asks_at_all: bool = True
    asks_by_default: bool = True
    """For everything that matters, as it is installed, and without a mode being set."""
    asking_modes: tuple[str, ...] = ()
    """The ids of its modes in which it asks most, the best first."""
    made_to_ask: tuple[tuple[str, str], ...] = ()
    """Variables with which it asks, whatever stands in its own settings: it is started with them."""
    asking_settings: tuple[tuple[str, str], ...] = ()
    """Ids of what else can switch its asking off, each with the choice with which it asks: it is put there."""
    misstates_its_mode: bool = False
    """A new session need not be in the mode that it tells: it is put there in any case."""
    modes_are_modes: bool = True
    """What it calls modes says how much it asks. Some have agents or a depth of thought there."""
    dangerous_modes: tuple[tuple[str, str], ...] = ()
    """Ids of modes that sound harmless, each with what it does there by itself."""
    advice: str = ""
    """What a user must know, as a sentence."""
    two_ways_once: str | None = None
    """The id of its option that allows just this call, where another of its options says so as well."""
    habits: Habits = NO_HABITS

    @property
    def install(self) -> str:
        """The command that installs it, as it is shown to the user."""
        if self.installer is Installer.NPM:
            return f"npm install --global {self.package}"
        return f"pip install '{self.package}'" if "[" in self.package else f"pip install {self.package}"
