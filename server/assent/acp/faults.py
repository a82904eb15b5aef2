"""What can go wrong with an agent of others, told so that a person knows what to do."""

from assent.model.errors import AssentError
from assent.model.json import Json


class AgentFault(AssentError):
    """A request to an agent came to nothing."""

    def __init__(self, message: str, code: int = 0, data: Json = None) -> None:
        super().__init__(message)
        self.code = code
        """As the agent gave it. 0: it gave none."""
        self.message = message
        self.data = data


class AgentSilent(AgentFault):
    """It did not answer in time. It may still do what it was asked for."""


class AgentUnclear(AgentFault):
    """What it answered is no answer. It may have done what it was asked for."""


class AgentGone(AgentFault):
    """It has ended, or is being ended, and answers nothing any more."""
