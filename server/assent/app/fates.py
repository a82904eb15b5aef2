"""What becomes of the calls that were cut off when a server ended. Without I/O."""

from collections.abc import Iterator

from assent.agent import mending
from assent.model.approval import ResolvedBy
from assent.model.conversation import AssistantTurn, ToolOutcome, ToolResults, ToolUse
from assent.model.ids import CallId
from assent.model.records import Ending, Entry, Stage
from assent.store.calls import CallState, CutOff
from assent.store.chat_rows import KeptChat
from assent.tools.workflows.runs import told

_OF_NOTHING_KNOWN = frozenset({"outcome_unknown", "result_lost"})
"""The codes of results that say only that there is none."""


class Fates:
    """The calls of one chat. Everything that holds for all of them is gathered once: there can be thousands."""

    def __init__(self, kept: KeptChat) -> None:
        self._kept = kept
        self._uses = frozenset(use.call_id for turn in _turns(kept) for use in turn.calls)
        self._ran = {one.call_id: one for one in _results(kept) if one.ran}
        self._beside = frozenset(one.call_id for one in kept.outcomes)
        self._workflows = {run.call_id: told(run) for run in kept.workflows}
        self.again = tuple(call for call in kept.calls if self._can_be_asked_again(call))
        """The calls that are asked for anew."""
        self.again_ids = frozenset(_id(call) for call in self.again)

    def results(self) -> dict[CallId, ToolOutcome]:
        """The results of the calls that were cut off, where what was kept says less or what is not so any more."""
        return {_id(call): self._result(call) for call in self._kept.calls if not self._has_result(call)}

    def ends(self, at: str) -> Iterator[Entry]:
        """What the history of decisions does not tell yet."""
        for call in self._kept.calls:
            known = self._ran.get(_id(call))
            if call.state is not CallState.FINISHED:
                yield _end_of(call, at) if known is None else _end_with(call, known, at)

    def _can_be_asked_again(self, call: CutOff) -> bool:
        """Only what this server's own loop wanted, whose arguments are known, and whose result has a place to go to."""
        subject = call.subject
        if call.state is not CallState.WAITING or call.withheld or subject.call.args is None or subject.caller.depth:
            return False
        return _id(call) in self._uses and _id(call) not in self._ran

    def _has_result(self, call: CutOff) -> bool:
        """Whether the result itself is there: it ran, whatever the row says; or it had ended, and has only to be put
        in its place."""
        return _id(call) in self._ran or (call.state is CallState.FINISHED and _id(call) in self._beside)

    def _result(self, call: CutOff) -> ToolOutcome:
        subject = call.subject.call
        use = ToolUse(subject.call_id, subject.tool, subject.args)
        match call.state:
            case CallState.RUNNING:
                return mending.unknown(use, self._workflows.get(use.call_id, ""))
            case CallState.FINISHED:
                return mending.result_lost(use, self._workflows.get(use.call_id, ""))
        if subject.call_id in self.again_ids:
            return mending.waits_again(use)
        return mending.held_a_secret(use) if call.withheld else mending.did_not_run(use)


def _id(call: CutOff) -> CallId:
    return call.subject.call.call_id


def _turns(kept: KeptChat) -> Iterator[AssistantTurn]:
    yield from (message for message in kept.messages if isinstance(message, AssistantTurn))
    if kept.turn is not None:
        yield kept.turn


def _results(kept: KeptChat) -> Iterator[ToolOutcome]:
    for message in kept.messages:
        if isinstance(message, ToolResults):
            yield from message.results
    yield from kept.outcomes


def _end_with(call: CutOff, outcome: ToolOutcome, at: str) -> Entry:
    """Its end could not be written down when it came, and its result was kept all the same."""
    if outcome.code in _OF_NOTHING_KNOWN:
        return _end_unknown(call, at)
    failed = Ending.STOPPED if outcome.code == "cancelled" else Ending.FAILED
    return Entry(
        Stage.FINISHED,
        at,
        call.subject,
        call.approval_id,
        ending=failed if outcome.is_error else Ending.DONE,
        text="It had ended before the server did; this was written down after the restart.",
        code=outcome.code,
    )


def _end_of(call: CutOff, at: str) -> Entry:
    if call.state is CallState.RUNNING:
        return _end_unknown(call, at)
    return Entry(
        Stage.DECIDED,
        at,
        call.subject,
        call.approval_id,
        ending=Ending.EXPIRED,
        by=ResolvedBy.RESTART,
        text="The server ended while this waited; it did not run.",
    )


def _end_unknown(call: CutOff, at: str) -> Entry:
    return Entry(
        Stage.FINISHED,
        at,
        call.subject,
        call.approval_id,
        ending=Ending.UNKNOWN,
        by=ResolvedBy.RESTART,
        text="The server ended while this ran; what it did is not known; it is not run again.",
        code="outcome_unknown",
    )
