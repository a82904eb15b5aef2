"""How far one run may go, with all its sub-agents: the limits, their names in the settings, what each may be."""

from collections.abc import Mapping
from dataclasses import dataclass


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


LIMITS: Mapping[str, LimitWords] = {
    "iterations": LimitWords("iterations", 1, 10_000, "turns of the model"),
    "tool_calls": LimitWords("toolCalls", 0, 100_000, "tool calls"),
    "model_calls": LimitWords("modelCalls", 1, 100_000, "requests to the model"),
    "wall_clock_seconds": LimitWords("wallClockSeconds", 1, 604_800, "seconds of work"),
    "writes": LimitWords("writes", 0, 100_000, "writes"),
    "result_bytes": LimitWords("resultBytes", 1_000, 1_000_000, "bytes of a result"),
    "parallel_calls": LimitWords("parallelCalls", 1, 64, "calls at the same time"),
    "subtasks": LimitWords("subtasks", 0, 1_000, "sub-agents"),
    "depth": LimitWords("depth", 0, 10, "sub-agents below each other"),
}
"""Every limit by the name of its field."""
