"""What a run tells the gate of one of its calls, and what the gate tells the run of it."""

from collections.abc import Awaitable, Callable
from dataclasses import field

from assent.agent.permit import Refusal
from assent.agent.said_before import SaidBefore
from assent.agent.toolbelt import Toolbelt
from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.calls import CallFacts, ToolCall
from assent.model.events import Phase
from assent.model.grants import Granted
from assent.model.ids import ApprovalId
from assent.model.modes import Category
from assent.policy.granting import Counted
from assent.policy.rules_in_force import Rules


@dataclass(frozen=True, slots=True)
class RunView:
    """What the gate must know of the run, read anew whenever it decides."""

    rules: Callable[[], Rules]
    ended_by: Callable[[], ResolvedBy]
    """What ended the run, if it is ended while a call waits."""
    unattended: Callable[[], str | None]
    """Why nobody can ever answer a question, or None."""
    seen: Callable[[Category, str], Awaitable[None]]
    """The call was looked at: this is its category, and its headline in the server's words. Returns when it is told."""
    asked: Callable[[ToolCall, ApprovalId], None]
    progress: Callable[[ToolCall, Phase, str | None], None]
    set_aside: Callable[[CallFacts], Granted | None] = lambda facts: None
    """The call is on its way to run by what is in force: the uses of grants that it needs are no other call's until it
    begins, which uses them up. Says what was granted that it runs by."""
    counted: Callable[[], tuple[Counted, ...]] = tuple
    """What is granted in the chat, with the uses that are left."""
    interrupted: bool = False
    """The call waited when an earlier server ended: it runs with a click, or not at all."""
    looked: Callable[[CallFacts], None] = lambda facts: None
    """What it would touch is known, or known anew. Told before anyone is asked."""
    refused: Callable[[Refusal], None] = lambda refusal: None
    """It does not run."""
    said: SaidBefore = field(default_factory=SaidBefore)
    """What the user has said in the chat to such calls."""
    is_read: bool = True
    """A model of Assent's own reads the result of the call."""
    tools: Toolbelt | None = None
    """The tools that this call may be of. None: all that the gate knows."""
