"""The rows of calls that an agent carries out without having asked, and the one warning about them."""

import asyncio
from collections.abc import Callable

from assent.acp.as_tools import tool_name
from assent.acp.call_contents import claimed_arguments
from assent.acp.claim import Claim
from assent.acp.claimed_look import ClaimedLook, kind_category, look, only_reads, short_headline
from assent.acp.habits import Habits
from assent.acp.open_call import OpenCall
from assent.acp.whereabouts import Start
from assent.acp.words import Kind
from assent.agent.guest import Host
from assent.model.calls import ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.events import Notice, NoticeLevel, Phase, ToolProgress
from assent.model.modes import Category
from assent.runtime.clock import Clock
from assent.tools.places import Roots

_HAD_ASSENT = "{agent} had Assent do this."
_DID = "{agent} did this without asking."
_TRIED = "{agent} tried this without asking."
_HELD_BACK = "{agent} itself did not let this run."
_WARNING = (
    "{agent} does more without asking than read in the workspace, so Assent cannot decide about it. It may be in a "
    "mode in which it does not ask, or something was allowed in its own settings."
)


class UnaskedRows:
    """Of one turn. Nothing of it was decided here: it is only told."""

    def __init__(
        self,
        agent: str,
        host: Host,
        clock: Clock,
        habits: Habits,
        is_done_here: Callable[[Claim], bool],
        roots: Roots,
        folder: str,
    ) -> None:
        self._agent = agent
        self._host = host
        self._clock = clock
        self._habits = habits
        self._is_done_here = is_done_here
        """Whether the agent had Assent do just this: then it was decided there."""
        self._roots = roots
        self._folder = folder
        """Where the agent works."""
        self._warned = False
        self._looking: list[asyncio.Task[None]] = []

    def begin(self, call: OpenCall, claim: Claim) -> None:
        """The agent is at it; told once."""
        if call.told:
            return
        call.told = True
        says = call.picture.title
        shown = ToolCall(call.call_id, tool_name(claim), claimed_arguments(claim), says=says)
        self._host.announce(shown, kind_category(claim), short_headline(claim, says, self._folder))

    def end(self, call: OpenCall, claim: Claim, text: str, *, is_error: bool) -> None:
        """It is over, as far as the agent says."""
        call.finished = True
        done_here, ran = self._is_done_here(claim), not (is_error and call.picture.held_back)
        # Not before it is over: some say that a call goes on, and ask then. A file whose change failed is as it was.
        if ran and not done_here and not (is_error and kind_category(claim) is Category.WRITE):
            self._warn(claim, call.began_in)
        note = _HAD_ASSENT if done_here else _HELD_BACK if not ran else _TRIED if is_error else _DID
        self._host.tell(ToolProgress(call.call_id, Phase.POST_TOOL_USE, note.format(agent=self._agent)))
        code = "tool_failed" if is_error else None
        outcome = ToolOutcome(call.call_id, tool_name(claim), text or "Done.", is_error=is_error, code=code, ran=ran)
        self._host.finish(outcome, self._clock.monotonic() - call.began, done_here=done_here)

    async def looked(self) -> None:
        """Returns when it is known of every command whether it only read."""
        if self._looking:
            await asyncio.wait(self._looking)

    def _warn(self, claim: Claim, began_in: Start | None) -> None:
        is_note = claim.kind is Kind.OTHER and not claim.acts and self._habits.notes == claim.raw.keys()
        if self._warned or is_note or kind_category(claim) in (Category.READ, Category.INTERNAL):
            return
        if claim.command is None:
            self._tell_warning()
        else:
            self._looking.append(
                self._host.start(self._warn_of_command(claim, began_in), "look at what was not asked for")
            )

    async def _warn_of_command(self, claim: Claim, began_in: Start | None) -> None:
        if not only_reads(await asyncio.to_thread(self._look, claim, began_in)):
            self._tell_warning()

    def _look(self, claim: Claim, began_in: Start | None) -> ClaimedLook:
        # Where nobody knows the folder: most of what only reads does so in each.
        begins = (began_in.folders or None) if began_in is not None else None
        return look(claim.wherever, self._roots(), self._agent, self._folder, begins)

    def _tell_warning(self) -> None:
        if not self._warned:
            self._warned = True
            self._host.tell(Notice(_WARNING.format(agent=self._agent), NoticeLevel.WARNING))
