"""Runs of workflows as they are kept: what their steps gave, and of which step nobody knows what it did."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.ids import CallId


class StepState(StrEnum):
    """What is known of a step that was begun."""

    DONE = "done"
    WITHHELD = "withheld"
    """It is done. What it gave was not kept: it held what looks like a secret, or was too long."""
    UNKNOWN = "unknown"
    """It was under way when it was cut off."""


@dataclass(frozen=True, slots=True)
class KeptStep:
    """A step that was begun, by its number from zero among the steps of its workflow."""

    number: int
    name: str
    """As a person reads it."""
    state: StepState
    result: str = ""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run of a workflow that did not come to its end."""

    run: str
    call_id: CallId
    """The call that made it last."""
    identity: str
    """Of the workflow with its parameters: another one begins anew."""
    steps: tuple[KeptStep, ...]
    """Those that were begun. One that was about to begin and did not is none of them."""
