"""What the user has denied in a run, so that an agent which asks for the very same again and again is halted. Pure."""

from assent.agent.broken import Broken
from assent.jsontext import canonical_json
from assent.model.calls import ToolCall

MOST_DENIALS = 3
"""Of one and the same call. Who has said no so often is not asked a fourth time."""


class Denials:
    """Counts for a run and all its sub-agents. A run that goes on after a halt is another one, and counts anew."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, bytes], int] = {}
        self.halted: Broken | None = None
        """Why no more turns begin: once a call was denied too often."""

    def denied(self, call: ToolCall) -> None:
        """The user has denied it."""
        same = (call.tool, canonical_json(call.args if call.args is not None else call.raw))
        count = self._counts[same] = self._counts.get(same, 0) + 1
        if count >= MOST_DENIALS and self.halted is None:
            self.halted = Broken("keeps_asking", _words(call.tool, count), again=True)


def _words(tool: str, count: int) -> str:
    return (
        f"The agent keeps asking: you have denied the same call of {tool} {count} times, so its run is halted. “Retry” "
        "lets it go on, and a message tells it what to do instead. To refuse such calls without being asked, choose "
        "“Never allow” on their card, or write a rule into the setting assent.alwaysDenyRules."
    )
