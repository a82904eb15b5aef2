"""The rows of calls that an agent carries out without having asked, and the one warning about them."""

from collections.abc import Callable

from assent.acp.as_tools import tool_name
from assent.acp.call_contents import claimed_arguments
from assent.acp.claim import Claim
from assent.acp.claimed_look import kind_category, short_headline
from assent.acp.open_call import OpenCall
from assent.agent.guest import Host
from assent.model.calls import ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.events import Notice, NoticeLevel, Phase, ToolProgress
from assent.model.modes import Category
from assent.runtime.clock import Clock


class UnaskedRows:
    """Of one turn. Nothing of it was decided here: it is only told."""

    def __init__(self, agent: str, host: Host, clock: Clock, is_done_here: Callable[[Claim], bool]) -> None:
        self._agent = agent
        self._host = host
        self._clock = clock
        self._is_done_here = is_done_here
        """Whether the agent had Assent do just this: then it was decided there."""
        self._warned = False

    def begin(self, call: OpenCall, claim: Claim) -> None:
        """The agent is at it; told once."""
        if call.told:
            return
        call.told = True
        says = call.picture.title
        shown = ToolCall(call.call_id, tool_name(claim), claimed_arguments(claim), says=says)
        self._host.announce(shown, kind_category(claim), short_headline(claim, says))

    def end(self, call: OpenCall, claim: Claim, text: str, *, is_error: bool) -> None:
        """It is over, as far as the agent says."""
        call.finished = True
        done_here = self._is_done_here(claim)
        note = f"{self._agent} had Assent do this." if done_here else self._without_asking(claim)
        self._host.tell(ToolProgress(call.call_id, Phase.POST_TOOL_USE, note))
        code = "tool_failed" if is_error else None
        outcome = ToolOutcome(call.call_id, tool_name(claim), text or "Done.", is_error=is_error, code=code, ran=True)
        self._host.finish(outcome, self._clock.monotonic() - call.began, done_here=done_here)

    def _without_asking(self, claim: Claim) -> str:
        # Not before it is over: some say that a call goes on, and ask then.
        self._warn(kind_category(claim))
        return f"{self._agent} did this without asking."

    def _warn(self, category: Category) -> None:
        if self._warned or category in (Category.READ, Category.INTERNAL):
            return
        self._warned = True
        words = (
            f"{self._agent} does more than read without asking, so Assent cannot decide about it. It may be in a mode "
            "in which it does not ask, or something was allowed in its own settings."
        )
        self._host.tell(Notice(words, NoticeLevel.WARNING))
