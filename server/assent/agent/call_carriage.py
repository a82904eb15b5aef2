"""The calls of one conversation, each on its way: announced, through gate and execution, to its one result."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from functools import partial

from assent.agent.budget import Share
from assent.agent.carrier import Carrier
from assent.agent.execution_tree import Made
from assent.agent.grants_for_call import GrantsForCall
from assent.agent.permit import Refusal
from assent.agent.place import Counted, Place
from assent.agent.results import fitted, refused
from assent.agent.run_state import RunState
from assent.agent.run_view import RunView
from assent.agent.secrets_in_results import GIVE_SECRETS, GiveSecrets, masked
from assent.agent.telling import Announcement
from assent.agent.toolbelt import Toolbelt
from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.calls import Caller, CallFacts, ToolCall
from assent.model.conversation import ToolOutcome
from assent.model.ids import ApprovalId, CallId
from assent.model.modes import Category
from assent.model.secrets_reading import SecretsReading
from assent.runtime.ids import new_id

logger = logging.getLogger(__name__)

_CUT_OFF: dict[ResolvedBy | None, str] = {
    ResolvedBy.AGENT: "The agent took its question back",
    ResolvedBy.AGENT_EXIT: "The agent ended",
}


@dataclass(frozen=True, slots=True)
class Way:
    """What is special about the way of one call."""

    tools: Toolbelt
    """The tools that it may be of."""
    in_order: bool = True
    """Where it touches the same as calls before it, it waits for them."""
    refused: Callable[[Refusal], None] = lambda refusal: None
    waits: Callable[[bool], None] = lambda waits: None
    """Told when it begins to wait for a person, and when it does so no more."""
    ended_by: Callable[[], ResolvedBy | None] = lambda: None
    """What ended just this call while it waited, if something did beside the end of the run."""
    is_told: bool = False
    """It was told of already."""
    is_read: bool = True
    """A model of Assent's own reads its result."""


@dataclass(slots=True)
class CallCarriage:
    """Carries calls. Each has exactly one result, which is told whatever happens in between."""

    run: RunState
    caller: Caller
    made: list[Made] = field(default_factory=list)
    """Every call, in the order in which they were told."""
    carrier: Carrier = field(init=False)
    _latest: Announcement | None = None

    def __post_init__(self) -> None:
        self.carrier = Carrier(self.run.chat, self.run.run_id, self.run.around.gate)

    async def carry(
        self, call: ToolCall, fault: str | None, way: Way, keep: Callable[[ToolOutcome], None] = lambda outcome: None
    ) -> ToolOutcome:
        """Gate, execution, one result, as it is read. `keep` is told of it first."""
        clock = self.run.around.clock
        started = clock.monotonic()
        made = Made(call.tool)
        tell = _told if way.is_told else partial(self._announce, call, made)
        announcement = self._latest = Announcement(tell, self._latest)
        outcome = await self._outcome(call, fault, announcement, way)
        # What did not run returned nothing. A stop can end very many calls at once.
        hidden = await self._masked(call, outcome) if way.is_read and outcome.ran else None
        most = self.run.budget.limits.result_bytes
        outcome = self.run.chat.results.fit(replace(outcome, masked=None), most)
        announcement.end(Category.EXTERNAL, call.tool)
        read = outcome if hidden is None else fitted(hidden, most).outcome
        keep(read)
        made.outcome, made.seconds = read, clock.monotonic() - started
        self.carrier.tell_result(outcome, made.seconds)
        return read

    async def _masked(self, call: ToolCall, outcome: ToolOutcome) -> ToolOutcome | None:
        """The result with marks, where the model does not get its secrets; None where it gets it as it is."""
        rule = self.run.around.secrets
        if rule.reading() is SecretsReading.SHOW:
            return None
        hidden = await asyncio.to_thread(masked, outcome, rule.known())
        if hidden is None or (rule.reading() is SecretsReading.ASK and await self._is_given(call, outcome, hidden)):
            return None
        return hidden

    async def _is_given(self, call: ToolCall, outcome: ToolOutcome, hidden: ToolOutcome) -> bool:
        """Asks the user, as a call below the one whose result is held back."""
        giving = GiveSecrets(outcome)
        inner = CallCarriage(self.run, replace(self.caller, parent_call=call.call_id))
        asked = ToolCall(CallId(new_id()), GIVE_SECRETS, giving.args(hidden))
        way = Way(Toolbelt((giving,)), in_order=False, is_read=False)
        given = await self.run.tasks.start(inner.carry(asked, None, way), f"call {GIVE_SECRETS}")
        return not given.is_error

    async def _outcome(self, call: ToolCall, fault: str | None, announcement: Announcement, way: Way) -> ToolOutcome:
        run = self.run
        grants = GrantsForCall(run.chat.grants, call.call_id, self.caller.parent_call, run.rules, run.grants_changed)
        share = run.budget.call(self.caller)
        outcome = None
        with self._place(call, way, share, grants) as place:
            view = self._view(call, announcement, grants, share, place, way)
            try:
                outcome = await self.carrier.carry(call, self.caller, view, fault, place)
            except asyncio.CancelledError:
                why = _CUT_OFF.get(way.ended_by(), "The run was stopped")
                outcome = refused(call, Refusal("cancelled", f"{why}, so this call did not run."))
            except Exception:
                logger.exception("call %s failed before it ran", call.tool)
                outcome = refused(
                    call, Refusal("internal_error", "Assent met an internal fault; this call did not run.")
                )
            finally:
                way.waits(False)
                grants.release()
                share.end(outcome)
        return outcome

    @contextmanager
    def _place(self, call: ToolCall, way: Way, share: Share, grants: GrantsForCall) -> Iterator[Counted]:
        if not way.in_order:
            self.run.sequence.is_made(self.caller, call.call_id)
            yield Counted(share, self.run.watch, grants.charge)
            return
        with self.run.sequence.ticket(self.caller, call.call_id) as ticket:
            yield Place(ticket, share, self.run.watch, grants.charge)

    def _announce(self, call: ToolCall, made: Made, category: Category, headline: str) -> None:
        made.headline = headline
        self.made.append(made)
        self.carrier.announce(call, self.caller, category, headline)

    def _view(
        self, made: ToolCall, announcement: Announcement, grants: GrantsForCall, share: Share, place: Counted, way: Way
    ) -> RunView:
        def asked(call: ToolCall, approval_id: ApprovalId) -> None:
            # What was set aside for it does not let it run as it is by now.
            grants.release()
            place.asked()
            way.waits(True)
            self.carrier.asked(call, approval_id)

        def looked(facts: CallFacts) -> None:
            place.looked(facts)

        def told_no(refusal: Refusal) -> None:
            if refusal.by_user:
                self.run.denials.denied(made)
            way.refused(refusal)

        return RunView(
            rules=lambda: share.rules(grants.rules()),
            ended_by=lambda: way.ended_by() or self.run.who_ended_it(),
            unattended=self.run.around.unattended,
            seen=announcement.seen,
            asked=asked,
            progress=self.carrier.progress,
            set_aside=grants.set_aside,
            counted=grants.counted,
            looked=looked,
            refused=told_no,
            tools=way.tools,
            said=self.run.chat.said,
            is_read=way.is_read,
        )


def _told(category: Category, headline: str) -> None:
    """Nothing more is to be told."""
