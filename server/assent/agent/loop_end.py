"""How a conversation ends, whoever leads it."""

from assent.agent.broken import Broken
from assent.lazy_dataclasses import dataclass
from assent.model.events import DoneReason


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """How a conversation came to its end: a reason, or what went wrong."""

    reason: DoneReason | None
    broken: Broken | None = None
    message: str | None = None
