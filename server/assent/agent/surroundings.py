"""What runs need that outlives them."""

from collections.abc import Awaitable, Callable

from assent.agent.chat import Chat
from assent.agent.gate import Gate
from assent.agent.ports import FormPort, HandingOn
from assent.agent.prompt import Briefing
from assent.agent.secrets_in_results import SecretsRule
from assent.agent.toolbelt import Toolbelt
from assent.lazy_dataclasses import dataclass
from assent.model.ids import SessionId
from assent.model.limits import Limits
from assent.model.modes import Mode
from assent.policy.decide import Rules
from assent.runtime.clock import Clock


def _streams() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run needs that outlives it."""

    gate: Gate
    toolbelt: Toolbelt
    clock: Clock
    limits: Callable[[], Limits]
    """How far a run may go that begins now."""
    rules: Callable[[Chat, frozenset[Mode]], Rules]
    """What is in force for a chat, where these modes hold together."""
    unattended: Callable[[], str | None]
    ready: Callable[[], Awaitable[None]]
    """Returns when the page can take more text."""
    briefing: Callable[[SessionId], Awaitable[Briefing]]
    """Where the model works, as it is at this moment."""
    forms: FormPort
    """Puts forms of agents of others to the user."""
    secrets: SecretsRule = SecretsRule()
    """What becomes of secrets that a model is about to read."""
    streaming: Callable[[], bool] = _streams
    """Whether models are asked for their answers piece by piece."""
    handing_on: HandingOn | None = None
    """The one among the tools that hands something on to a sub-agent."""
    of_chats: frozenset[str] = frozenset()
    """Tools that belong to a chat itself, by name: no sub-agent has them."""
