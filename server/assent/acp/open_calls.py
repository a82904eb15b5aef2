"""The calls of one turn of an agent: those that it asked for, and those that it just carried out."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from assent.acp.as_tools import tool_name
from assent.acp.call_contents import claimed_arguments, is_about, only_path, result_of
from assent.acp.claim import Claim, claim_of
from assent.acp.claimed_look import kind_category, short_headline
from assent.acp.habits import NO_HABITS, Habits
from assent.acp.picture import Picture
from assent.acp.words import Progress, ToolTold
from assent.agent.guest import Host
from assent.agent.ports import ToolAnswer
from assent.model.calls import ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.errors import ToolFault
from assent.model.events import Notice, NoticeLevel, Phase, ToolProgress
from assent.model.ids import CallId
from assent.model.modes import Category
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id

MOST_CALLS = 5_000
"""Of one turn. An agent that tells of more is not followed any further."""
_BEGINS = (Progress.PENDING, Progress.IN_PROGRESS)
_UNKNOWN_END = "{agent} ended its turn without saying how this ended."


@dataclass(slots=True)
class OpenCall:
    """One call as the agent counts them."""

    picture: Picture
    said: Picture
    """The same without what stood in questions only."""
    call_id: CallId
    began: float
    told: bool = False
    """It stands in the chat."""
    claim: Claim | None = None
    """What it stood for before it was over: then its content is what came of it."""
    asked: int = 0
    """How many questions about it are open, or were answered with yes and are carried out."""
    answered: bool = False
    """The question about it has had its answer: what stood in it is no part of any other."""
    looked: tuple[Picture, Claim] | None = None
    """What it stood for when it was looked at last."""
    finished: bool = False
    over: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """Done when the agent says that it is over, or when its turn is."""

    def end(self) -> None:
        """Whoever waits for its end goes on."""
        if not self.over.done():
            self.over.set_result(None)


class OpenCalls:
    """Told of everything that the agent says of its calls, in its order."""

    def __init__(
        self,
        agent: str,
        host: Host,
        clock: Clock,
        habits: Habits = NO_HABITS,
        is_done_here: Callable[[Claim], bool] = lambda claim: False,
    ) -> None:
        self._agent = agent
        self._host = host
        self._clock = clock
        self._habits = habits
        self._is_done_here = is_done_here
        """Whether the agent had Assent do just this: then it was decided there."""
        self._calls: dict[str, list[OpenCall]] = {}
        """By the agent's id: one, and another one for each further question about it."""
        self._only_asked: set[str] = set()
        """Ids that stood in questions, and nowhere else."""
        self._warned = False

    def claim(self, call: OpenCall) -> Claim:
        """What the agent shows of a call by now."""
        if call.looked is None or call.looked[0] is not call.picture:
            call.looked = call.picture, claim_of(call.picture, self._habits)
        return call.looked[1]

    def told(self, told: ToolTold) -> None:
        """The agent tells of a call."""
        told = _with_id(told)
        call = self._joined(told)
        if call is None:
            return
        progress = call.picture.progress
        if call.asked == 0 and progress not in (None, Progress.PENDING) and (other := self._asked_as(call)) is not None:
            # It asks under one id and tells under another.
            self._put(told.tool_call_id, other)
            self._join(other, told)
            call = other
        self._only_asked.discard(told.tool_call_id)
        for one in self._calls[told.tool_call_id]:
            if one.picture.is_over:
                one.end()
        if call.asked == 0 and not call.finished and progress not in (None, Progress.PENDING):
            self._unasked(call)

    def asking(self, told: ToolTold) -> OpenCall | None:
        """The agent asks about a call. A second question about one that is asked about is another one of its own."""
        told = _with_id(told)
        meant = self._told_before(told)
        if meant is not None:
            self._put(told.tool_call_id, meant)
        known = self._calls.get(told.tool_call_id)
        if known is None:
            self._only_asked.add(told.tool_call_id)
        if known is not None and not known[0].picture.is_over and any(one.asked or one.finished for one in known):
            call = self._beside(known, told)
        else:
            found = self._joined(told, asked=True)
            if found is None:
                self._only_asked.discard(told.tool_call_id)
                return None
            call = found
        call.asked += 1
        return call

    def again(self, call: OpenCall) -> OpenCall:
        """The same call, for another question."""
        another = self._new(call.picture, call.said)
        if call.over.done():
            another.end()
        self._calls.setdefault(call.picture.tool_call_id, []).append(another)
        return another

    def _beside(self, known: list[OpenCall], told: ToolTold) -> OpenCall:
        """Another question about a call: what it shows changes nothing of what is asked, or was allowed, already."""
        waiting = (one for one in reversed(known) if one.asked and not one.answered)
        before = next((one.picture for one in waiting), known[0].said)
        another = self._new(before.with_told(told), known[0].said)
        if known[0].over.done():
            another.end()
        self._calls.setdefault(before.tool_call_id, []).append(another)
        return another

    def _new(self, picture: Picture, said: Picture) -> OpenCall:
        return OpenCall(picture, said, CallId(new_id()), self._clock.monotonic())

    def _put(self, tool_call_id: str, call: OpenCall) -> None:
        """From now on the id stands for this call. Nothing more is told of those that it stood for."""
        for one in self._calls.get(tool_call_id, ()):
            if one is not call:
                one.end()
        self._calls[tool_call_id] = [call]

    def turn_is_over(self) -> None:
        """Nothing more is told of any of them."""
        for call in self._all():
            call.end()
            begun = call.told or call.picture.progress is Progress.IN_PROGRESS
            if begun and not call.finished and not call.asked:
                self._announce(call, self.claim(call))
                self._finish(call, _UNKNOWN_END.format(agent=self._agent), is_error=True)

    def _all(self) -> list[OpenCall]:
        return [call for calls in self._calls.values() for call in calls]

    def _joined(self, told: ToolTold, *, asked: bool = False) -> OpenCall | None:
        """The call with what was told of it added. None where there are too many."""
        known = self._calls.get(told.tool_call_id)
        if known is not None and known[0].picture.is_over and (asked or told.progress in _BEGINS):
            # The id is used again, for another call.
            known = None
        if known is None:
            if len(self._calls) >= MOST_CALLS:
                return None
            empty = Picture(told.tool_call_id)
            self._put(told.tool_call_id, self._new(empty, empty))
            known = self._calls[told.tool_call_id]
        for call in known:
            self._join(call, told, asked=asked)
        return known[0]

    def _join(self, call: OpenCall, told: ToolTold, *, asked: bool = False) -> None:
        call.picture = call.picture.with_told(told)
        if not asked:
            call.said = call.said.with_told(told)

    def _told_before(self, asked: ToolTold) -> OpenCall | None:
        """The call of another id that this agent has told of, and asks about now."""
        if not self._habits.asks_by_another_id or asked.tool_call_id in self._calls:
            return None
        waiting = (call for call in self._all() if not (call.asked or call.told or call.finished or call.over.done()))
        return next((call for call in waiting if is_about(asked, call.picture)), None)

    def _asked_as(self, call: OpenCall) -> OpenCall | None:
        """The call of another id that was allowed and is this one, as far as what both show tells."""
        shown = claimed_arguments(self.claim(call))
        for other_id in self._only_asked:
            for other in self._calls[other_id]:
                is_open = other is not call and other.asked and not other.over.done()
                if is_open and shown and claimed_arguments(self.claim(other)) == shown:
                    self._only_asked.discard(other_id)
                    return other
        return None

    async def ended(self, call: OpenCall) -> ToolAnswer:
        """What the agent says of a call that was allowed, once it is over. Raises ToolFault where it failed."""
        await asyncio.shield(call.over)
        progress, text = call.picture.progress, result_of(call.picture)
        if progress is Progress.FAILED:
            raise ToolFault("tool_failed", text or "It failed.")
        if progress is not Progress.COMPLETED:
            said = _UNKNOWN_END.format(agent=self._agent)
            return ToolAnswer(f"{said}\n{text}" if text else said, code="unknown_end")
        return ToolAnswer(text or "Done.", path=only_path(call.picture))

    def _unasked(self, call: OpenCall) -> None:
        """The agent carries it out without having asked."""
        if call.claim is None or not call.picture.is_over:
            call.claim = self.claim(call)
        claim = call.claim
        if claim.inspectable or call.picture.is_over:
            # Not before: while its arguments are still being written, some agents say that a call goes on.
            self._announce(call, claim)
        if call.picture.progress is not None and call.picture.progress.is_over:
            self._finish(call, result_of(call.picture), is_error=call.picture.progress is Progress.FAILED)

    def _announce(self, call: OpenCall, claim: Claim) -> None:
        if call.told:
            return
        call.told = True
        says = call.picture.title
        shown = ToolCall(call.call_id, tool_name(claim), claimed_arguments(claim), says=says)
        self._host.announce(shown, kind_category(claim), short_headline(claim, says))

    def _finish(self, call: OpenCall, text: str, *, is_error: bool) -> None:
        call.finished = True
        claim = call.claim or self.claim(call)
        tool = tool_name(claim)
        note = f"{self._agent} had Assent do this." if self._is_done_here(claim) else self._without_asking(claim)
        self._host.tell(ToolProgress(call.call_id, Phase.POST_TOOL_USE, note))
        outcome = ToolOutcome(
            call.call_id, tool, text or "Done.", is_error=is_error, code="tool_failed" if is_error else None, ran=True
        )
        self._host.finish(outcome, self._clock.monotonic() - call.began)

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


def _with_id(told: ToolTold) -> ToolTold:
    """What has no id is joined with nothing: it gets one that nobody else knows."""
    return told if told.tool_call_id else replace(told, tool_call_id=new_id())
