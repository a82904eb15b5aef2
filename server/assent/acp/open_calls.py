"""The calls of one turn of an agent: those that it asked for, and those that it just carried out."""

import asyncio
from dataclasses import dataclass, field

from assent.acp.claim import claim_of
from assent.acp.claimed_look import kind_category, short_headline, tool_name
from assent.acp.habits import NO_HABITS, Habits
from assent.acp.picture import Picture
from assent.acp.words import Diff, Progress, Text, ToolTold
from assent.agent.guest import Host
from assent.agent.ports import ToolAnswer
from assent.jsontext import readable_json
from assent.model.calls import ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.errors import ToolFault
from assent.model.events import Notice, NoticeLevel, Phase, ToolProgress
from assent.model.ids import CallId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id

MOST_CALLS = 5_000
"""Of one turn. An agent that tells of more is not followed any further."""
_UNKNOWN_END = "{agent} ended its turn without saying how this ended."


@dataclass(slots=True)
class OpenCall:
    """One call as the agent counts them."""

    picture: Picture
    call_id: CallId
    began: float
    told: bool = False
    """It stands in the chat."""
    asked: int = 0
    """How many questions about it are open, or were answered with yes and are carried out."""
    finished: bool = False
    over: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """Done when the agent says that it is over, or when its turn is."""

    def end(self) -> None:
        """Whoever waits for its end goes on."""
        if not self.over.done():
            self.over.set_result(None)


class OpenCalls:
    """Told of everything that the agent says of its calls, in its order."""

    def __init__(self, agent: str, host: Host, clock: Clock) -> None:
        self._agent = agent
        self._host = host
        self._clock = clock
        self._calls: dict[str, OpenCall] = {}
        self._warned = False
        self.habits = NO_HABITS
        """Of the agent, once it is known which it is."""

    def told(self, told: ToolTold) -> None:
        """The agent tells of a call."""
        call = self.joined(told)
        if call is None or call.finished:
            return
        progress = call.picture.progress
        if progress is not None and progress.is_over:
            call.end()
        if call.asked == 0 and progress not in (None, Progress.PENDING):
            self._unasked(call)

    def joined(self, told: ToolTold) -> OpenCall | None:
        """The call with what was told of it added. None where there are too many."""
        call = self._calls.get(told.tool_call_id)
        if call is None:
            if len(self._calls) >= MOST_CALLS:
                return None
            call = OpenCall(Picture(told.tool_call_id).with_told(told), CallId(new_id()), self._clock.monotonic())
            self._calls[told.tool_call_id] = call
        else:
            call.picture = call.picture.with_told(told)
        return call

    def asking(self, told: ToolTold) -> OpenCall | None:
        """The agent asks about a call. A second question about one that is asked about is another one of its own."""
        call = self.joined(told)
        if call is None:
            return None
        if call.asked or call.finished:
            call = OpenCall(call.picture, CallId(new_id()), self._clock.monotonic(), over=call.over)
        call.asked += 1
        return call

    def turn_is_over(self) -> None:
        """Nothing more is told of any of them."""
        for call in self._calls.values():
            call.end()
            if call.told and not call.finished and not call.asked:
                self._finish(call, _UNKNOWN_END.format(agent=self._agent), is_error=True)

    async def ended(self, call: OpenCall) -> ToolAnswer:
        """What the agent says of a call that was allowed, once it is over. Raises ToolFault where it failed."""
        await asyncio.shield(call.over)
        progress, text = call.picture.progress, result_of(call.picture)
        if progress is Progress.FAILED:
            raise ToolFault("tool_failed", text or "It failed.")
        if progress is not Progress.COMPLETED:
            said = _UNKNOWN_END.format(agent=self._agent)
            return ToolAnswer(f"{said}\n{text}" if text else said, code="unknown_end")
        return ToolAnswer(text or "Done.", path=_only_path(call.picture))

    def _unasked(self, call: OpenCall) -> None:
        """The agent carries it out, and has not asked so far."""
        claim = claim_of(call.picture, self.habits)
        category = kind_category(claim)
        if not call.told:
            call.told = True
            args = claimed_arguments(call.picture, self.habits)
            says = call.picture.title
            shown = ToolCall(call.call_id, tool_name(claim), args, says=says)
            self._host.announce(shown, category, short_headline(claim, says))
        if call.picture.progress is not None and call.picture.progress.is_over:
            self._finish(call, result_of(call.picture), is_error=call.picture.progress is Progress.FAILED)

    def _finish(self, call: OpenCall, text: str, *, is_error: bool) -> None:
        call.finished = True
        claim = claim_of(call.picture, self.habits)
        # Not before: some agents say that a call goes on, and ask then.
        self._warn(kind_category(claim))
        note = f"{self._agent} did this without asking."
        self._host.tell(ToolProgress(call.call_id, Phase.POST_TOOL_USE, note))
        outcome = ToolOutcome(
            call.call_id,
            tool_name(claim),
            text or "Done.",
            is_error=is_error,
            code="tool_failed" if is_error else None,
            ran=True,
        )
        self._host.finish(outcome, self._clock.monotonic() - call.began)

    def _warn(self, category: Category) -> None:
        if self._warned or category in (Category.READ, Category.INTERNAL):
            return
        self._warned = True
        words = (
            f"{self._agent} does more than read without asking, so Assent cannot decide about it. It may be in a mode "
            "in which it does not ask, or something was allowed in its own settings."
        )
        self._host.tell(Notice(words, NoticeLevel.WARNING))


def claimed_arguments(picture: Picture, habits: Habits) -> JsonObject:
    """What the agent shows of the call, as its arguments."""
    claim = claim_of(picture, habits)
    if claim.command is not None:
        return {"command": claim.command, **({"cwd": claim.cwd} if claim.cwd else {})}
    if claim.raw:
        return claim.raw
    if claim.edits:
        return {"edits": [{"path": one.path, "oldText": one.old, "newText": one.new} for one in claim.edits]}
    return {"paths": list(claim.reads)} if claim.reads else {}


def result_of(picture: Picture) -> str:
    """What the agent shows of the end of a call, as text."""
    parts = [one.text for one in picture.content or () if isinstance(one, Text)]
    parts.extend(f"Changed {one.path}." for one in picture.content or () if isinstance(one, Diff))
    if parts:
        return "\n".join(parts)
    raw = picture.raw_output
    if raw is None:
        return ""
    return raw if isinstance(raw, str) else readable_json(raw)


def _only_path(picture: Picture) -> str | None:
    paths = picture.paths or ()
    return paths[0] if len(paths) == 1 else None
