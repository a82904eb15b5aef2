"""Results of which the model got only a part, kept whole for the user as long as there is room."""

from dataclasses import replace

from assent.agent.results import fitted
from assent.model.conversation import ToolOutcome
from assent.model.ids import CallId

MOST_OF_ONE = 2_000_000
MOST_OF_ALL = 16_000_000
"""Characters. What is oldest goes first."""


class KeptResults:
    """The whole texts of a chat's long results. They are not kept beyond this process."""

    def __init__(self) -> None:
        self._texts: dict[CallId, str] = {}

    def fit(self, outcome: ToolOutcome, most: int) -> ToolOutcome:
        """The result as the model gets it, no longer than so many bytes; the rest of it is kept here."""
        fit = fitted(outcome, most)
        if fit.whole is None or len(fit.whole) > MOST_OF_ONE:
            return fit.outcome
        self._texts[outcome.call_id] = fit.whole
        while sum(map(len, self._texts.values())) > MOST_OF_ALL:
            self._texts.pop(next(iter(self._texts)))
        return replace(fit.outcome, whole_length=len(fit.whole))

    def get(self, call_id: CallId) -> str | None:
        """The whole text of this result; None where it is not kept, or the result was whole."""
        return self._texts.get(call_id)
