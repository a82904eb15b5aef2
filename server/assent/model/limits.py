"""How far one run and its commands may go: the limits, their names in the settings, what each may be."""

from collections.abc import Mapping

from assent.lazy_dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a run. All but the iterations are shared by the run and its sub-agents."""

    iterations: int = 50
    """Turns of the model, of the run and of each sub-agent by itself."""
    tool_calls: int = 200
    model_calls: int = 60
    wall_clock_seconds: int = 1800
    """Without the time in which the run only waits for people."""
    writes: int = 50
    result_bytes: int = 50_000
    """Of one result, for the model."""
    parallel_calls: int = 8
    """Calls that are carried out at the same time; any number may wait for an answer."""
    subtasks: int = 32
    depth: int = 3
    """How many sub-agents may stand below each other."""


@dataclass(frozen=True, slots=True)
class LimitWords:
    """One limit as the settings have it: its name there, the least and the most it may be, what it counts."""

    name: str
    least: int
    most: int
    counts: str
    more: str
    """What more of it would mean, as a sentence."""


LIMITS: Mapping[str, LimitWords] = {
    "iterations": LimitWords(
        "iterations", 1, 10_000, "turns of the model", "An agent could go on for up to {} turns without a new message."
    ),
    "tool_calls": LimitWords("toolCalls", 0, 100_000, "tool calls", "A run could make up to {} tool calls."),
    "model_calls": LimitWords(
        "modelCalls", 1, 100_000, "requests to the model", "A run could send up to {} requests to its model."
    ),
    "wall_clock_seconds": LimitWords(
        "wallClockSeconds", 1, 604_800, "seconds of work", "A run could work for up to {} seconds."
    ),
    "writes": LimitWords("writes", 0, 100_000, "writes", "A run could change files up to {} times."),
    "result_bytes": LimitWords(
        "resultBytes", 1_000, 1_000_000, "bytes of a result", "Up to {} bytes of a result could be sent to the model."
    ),
    "parallel_calls": LimitWords(
        "parallelCalls", 1, 64, "calls at the same time", "Up to {} tools could be at work at the same time."
    ),
    "subtasks": LimitWords("subtasks", 0, 1_000, "sub-agents", "A run could start up to {} sub-agents."),
    "depth": LimitWords(
        "depth", 0, 10, "sub-agents below each other", "Sub-agents could start others, up to {} below each other."
    ),
}
"""Every limit by the name of its field."""

LIMIT_NAMES: Mapping[str, LimitWords] = {words.name: words for words in LIMITS.values()}
"""Every limit by its name in the settings."""


def parse_limit(words: LimitWords, value: object) -> int | None:
    """The number that a setting names, if this limit can be that."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if words.least <= value <= words.most else None


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The Python that settings name for the editor."""

    path: str
    users: bool
    """The user's own settings name it, not those of a workspace."""


@dataclass(frozen=True, slots=True)
class ShellLimits:
    """The shell, and what its commands may take."""

    path: str | None = None
    """The program that commands are given to; None for the one that the machine has."""
    max_background: int = 8
    """Commands of a chat that run in the background at the same time."""
    max_output_bytes: int = MIB
    """Of what one command prints, kept."""
    max_processes: int = 512
    """Of one command, at the same time."""
    max_memory_mb: int | None = None
    """Of all programs of one command together, in MiB; None where there is no limit."""
    passed: tuple[str, ...] = ()
    """Variables that commands get though they look secret or redirect programs; a star stands for any ending."""
    withheld: tuple[str, ...] = ()
    """Variables that commands do not get, though they look harmless."""
    interpreter: Interpreter | None = None
    """The Python that the editor is set to use."""


SHELL_LIMITS: Mapping[str, LimitWords] = {
    "max_background": LimitWords(
        "maxBackground",
        1,
        64,
        "commands in the background",
        "Up to {} commands of a chat could run in the background at the same time.",
    ),
    "max_output_bytes": LimitWords(
        "maxOutputBytes",
        64 * 1024,
        64 * MIB,
        "bytes of output",
        "Up to {} bytes of what a command prints would be kept in memory.",
    ),
    "max_processes": LimitWords(
        "maxProcesses", 16, 100_000, "processes", "A command could have up to {} processes at the same time."
    ),
    "max_memory_mb": LimitWords(
        "maxMemoryMb", 64, 16 * MIB, "MiB of memory", "The programs of a command could use up to {} MiB of memory."
    ),
}
"""Every number by the name of its field."""

PATH = "path"
ENVIRONMENT = "environment"
PASS, WITHHOLD = "pass", "withhold"
SHELL_NAMES = (PATH, *(words.name for words in SHELL_LIMITS.values()), ENVIRONMENT)
"""All that the setting may hold, by its name there."""
