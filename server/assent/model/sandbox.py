"""What the settings say of the sandbox that commands run in."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass


class SandboxKind(StrEnum):
    """What holds a command."""

    AUTO = "auto"
    """The strongest that this machine has."""
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    SEATBELT = "seatbelt"
    OFF = "off"
    """Nothing does."""


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """Which sandbox, whether what runs in it needs no question, and what it leaves open."""

    enabled: SandboxKind = SandboxKind.AUTO
    auto_allow: bool = False
    """What runs inside needs no question, as long as it can reach neither the network nor anything else to write."""
    network: bool = False
    """The network can be reached from inside."""
    writable: tuple[str, ...] = ()
    """Directories that can be written from inside, beside the workspace's own, by their real paths."""


SANDBOX_NAMES = ("enabled", "autoAllow", "network", "writable")
"""All that the setting may hold, by its name there."""


def parse_kind(value: object) -> SandboxKind | None:
    """The word that a setting holds, if it is one."""
    return SandboxKind(value) if isinstance(value, str) and value in tuple(SandboxKind) else None


def parse_switch(value: object) -> bool | None:
    """The position of a switch, if it has one."""
    return value if isinstance(value, bool) else None
