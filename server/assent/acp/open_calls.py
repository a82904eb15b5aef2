"""The calls of one turn of an agent: those that it asked for, and those that it just carried out."""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from assent.acp.call_contents import claimed_arguments, is_about, nothing_printed, only_path, result_of
from assent.acp.claim import Claim, claim_of
from assent.acp.command_lines import with_variables
from assent.acp.habits import NO_HABITS, Habits
from assent.acp.open_call import OpenCall, end_of
from assent.acp.picture import Picture
from assent.acp.together import together
from assent.acp.unasked_rows import UnaskedRows
from assent.acp.whereabouts import Start, Whereabouts
from assent.acp.words import Outcome, Progress, ToolTold
from assent.agent.guest import Host
from assent.agent.ports import ToolAnswer
from assent.model.errors import ToolFault
from assent.model.ids import CallId
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id
from assent.tools.command_facts import read_ahead
from assent.tools.places import Roots

MOST_CALLS = 5_000
"""Of one turn. An agent that tells of more is not followed any further."""
_BEGINS = (Progress.PENDING, Progress.IN_PROGRESS)
_FAILED = re.compile(r"Exit code [1-9]")
_UNKNOWN_END = "{agent} ended its turn without saying how this ended."


class OpenCalls:
    """Told of everything that the agent says of its calls, in its order."""

    def __init__(
        self,
        agent: str,
        host: Host,
        clock: Clock,
        habits: Habits = NO_HABITS,
        is_done_here: Callable[[Claim], bool] = lambda claim: False,
        whereabouts: Whereabouts | None = None,
        folder: str = "/",
        roots: Roots = lambda: (),
        printed: Callable[[str], str] = nothing_printed,
    ) -> None:
        self._agent = agent
        self._clock = clock
        self._habits = habits
        self._rows = UnaskedRows(agent, host, clock, habits, is_done_here, roots, folder)
        self._calls: dict[str, list[OpenCall]] = {}
        """By the agent's id: one, and another one for each further question about it."""
        self._only_asked: set[str] = set()
        """Ids that stood in questions, and nowhere else."""
        self._whereabouts = whereabouts or Whereabouts(folder, habits)
        self._folder = folder
        self._printed = printed
        """By a terminal that was opened for the agent."""
        self._together: list[OpenCall] = []

    def claim(self, call: OpenCall) -> Claim:
        """What the agent shows of a call by now."""
        if call.parts:
            return together([self.claim(one) for one in call.parts])
        if call.looked is None or call.looked[0] is not call.picture:
            call.looked = call.picture, claim_of(call.picture, self._habits)
        return call.looked[1]

    def begins(self, call: OpenCall) -> Start | None:
        """Where its command begins by now; None where the agent works."""
        return self._whereabouts.begins(call.call_id) if self._habits.keeps_its_folder else None

    def refused(self, call: OpenCall) -> None:
        """It does not run."""
        self._whereabouts.refused(call.call_id)

    def _goes(self, call: OpenCall, *, asked: bool = False) -> None:
        """Where the next command begins may be for this one to say."""
        if call.picture.name in self._habits.goes_by:
            self._whereabouts.lost()
        if not self._habits.keeps_its_folder or (call.picture.is_over and call.followed):
            return
        claim = self.claim(call)
        if claim.command is not None:
            call.followed = True
            is_inner = call.picture.is_inner
            self._whereabouts.told(call.call_id, claim.command, claim.cwd, asked=asked, is_inner=is_inner)
            call.began_in = call.began_in or self.begins(call)

    def _led(self, call: OpenCall) -> None:
        """Its command is over, also where the agent has not said so of the call yet."""
        picture, where = call.picture, self._whereabouts
        if picture.outcome is Outcome.SENT_BACK and picture.sent_back_to != self._folder:
            where.lost()
        elif picture.outcome is not None:
            where.ended(call.call_id, picture.outcome)
        elif picture.progress is Progress.FAILED and not _has_failed(picture):
            where.cut_off(call.call_id)
        else:
            where.ended(call.call_id, Outcome.BADLY if _has_failed(picture) else Outcome.UNSURE)

    def told(self, told: ToolTold) -> None:
        """The agent tells of a call."""
        told = _with_id(told)
        if self._is_told_again(told):
            return
        call = self._joined(told)
        if call is None:
            return
        progress = call.picture.progress
        if call.asked == 0 and progress not in (None, Progress.PENDING) and (other := self._asked_as(call)) is not None:
            # It asks under one id and tells under another.
            self._put(told.tool_call_id, other)
            self._join(other, told)
            call = other
        self._goes(call)
        self._only_asked.discard(told.tool_call_id)
        for one in self._calls[told.tool_call_id]:
            if one.picture.outcome is not None or one.picture.is_over:
                self._led(one)
            if one.picture.is_over:
                one.end()
        self._told_of_parts(call)
        if call.asked == 0 and not call.finished:
            if progress not in (None, Progress.PENDING):
                self._unasked(call)
            elif told.raw_input is not None:
                self._read_ahead(call)

    def _read_ahead(self, call: OpenCall) -> None:
        """Most agents tell of a call some milliseconds before they ask about it, and nobody waits in these."""
        claim = self.claim(call)
        if claim.command is not None:
            read_ahead(with_variables(claim.command, claim.env), claim.cwd or self._folder)

    def asking(self, told: ToolTold) -> OpenCall | None:
        """The agent asks about a call. A second question about one that is asked about is another one of its own."""
        told = _with_id(told)
        if (all_told := self._all_told(told)) is not None:
            all_told.asked += 1
            return all_told
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
        self._goes(call, asked=True)
        call.asked += 1
        return call

    def _all_told(self, asked: ToolTold) -> OpenCall | None:
        """All calls that the agent has told of and that wait, as one: a yes lets all of them go on."""
        if not self._habits.asks_for_all:
            return None
        waiting = [one for one in self._all() if not (one.asked or one.told or one.finished or one.over.done())]
        if not waiting:
            return None
        for one in waiting:
            one.asked += 1
        return self._as_one(Picture(asked.tool_call_id, title=asked.title), waiting)

    def _as_one(self, picture: Picture, parts: Iterable[OpenCall]) -> OpenCall:
        call = self._new(picture, picture)
        call.parts = tuple(parts)
        self._together.append(call)
        return call

    def _told_of_parts(self, part: OpenCall) -> None:
        """A call was told of that may be one of several that are asked about together."""
        for call in self._together:
            if part in call.parts:
                call.picture = replace(call.picture)
                if all(one.over.done() for one in call.parts):
                    call.end()

    def again(self, call: OpenCall) -> OpenCall:
        """The same call, for another question."""
        self.refused(call)
        if call.parts:
            return self._as_one(call.picture, call.parts)
        another = self._new(call.picture, call.said)
        self._goes(another, asked=True)
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
        for call in self._together:
            call.end()
        for call in self._all():
            call.end()
            if call.asked and not call.answered:
                self.refused(call)
            self._whereabouts.cut_off(call.call_id)
            begun = call.told or call.picture.progress is Progress.IN_PROGRESS
            if begun and not call.finished and not call.asked:
                self._rows.begin(call, self.claim(call))
                said = _UNKNOWN_END.format(agent=self._agent)
                self._rows.end(call, call.claim or self.claim(call), said, is_error=True)

    async def looked(self) -> None:
        """Returns when nothing more is to be told of any of them."""
        await self._rows.looked()

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

    def _is_told_again(self, told: ToolTold) -> bool:
        """Whether a call that was refused only seems to begin once more. One that then goes on did begin."""
        known = self._calls.get(told.tool_call_id)
        if known is None or not self._habits.tells_refused_again:
            return False
        call = known[0]
        if call.again is not None and told.progress in (Progress.IN_PROGRESS, Progress.COMPLETED):
            begun, call.again = call.again, None
            self._put(told.tool_call_id, self._new(Picture(told.tool_call_id), Picture(told.tool_call_id)))
            self._joined(begun)
            return False
        if not call.answered or call.picture.progress is not Progress.FAILED or told.progress is not Progress.PENDING:
            return False
        told_anew = claim_of(Picture(told.tool_call_id).with_told(told), self._habits)
        if claimed_arguments(told_anew) != claimed_arguments(self.claim(call)):
            return False
        call.again = told
        return True

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
        if call.followed:
            await asyncio.to_thread(self._whereabouts.read, call.call_id)
        await asyncio.shield(call.over)
        progress, text = end_of(call, self._printed)
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
        if (claim.inspectable and not self._habits.asks_for_all) or call.picture.is_over:
            # Not before: some say that a call goes on while its arguments are still being written, or before they ask.
            self._rows.begin(call, claim)
        if call.picture.progress is not None and call.picture.progress.is_over:
            text = result_of(call.picture, self._printed)
            self._rows.end(call, claim, text, is_error=call.picture.progress is Progress.FAILED)


def _has_failed(picture: Picture) -> bool:
    """Whether its command is told to have ended with a code that says so: a call can also fail after its command."""
    said = picture.raw_output
    return picture.progress is Progress.FAILED and isinstance(said, str) and _FAILED.match(said) is not None


def _with_id(told: ToolTold) -> ToolTold:
    """What has no id is joined with nothing: it gets one that nobody else knows."""
    return told if told.tool_call_id else replace(told, tool_call_id=new_id())
