"""A card that leads to nothing, so that a user can see that asking and answering work."""

import hashlib

from assent.agent.chat import Chat
from assent.approvals.broker import Broker
from assent.approvals.case import Amended
from assent.jsontext import canonical_json, readable_json
from assent.model.approval import Card, Option, OptionKind, Question, Resolution, ResolvedBy, Risk, RiskLevel
from assent.model.calls import Caller, ToolCall
from assent.model.errors import InvalidRequest
from assent.model.events import PermissionAsked, Phase, ToolCalled, ToolFinished, ToolProgress
from assent.model.ids import ApprovalId, CallId, RunId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import Changes, JsonPreview
from assent.model.verdict import Reason
from assent.runtime.ids import new_id

TOOL = "test_request"


async def rehearse(chat: Chat, broker: Broker, directory: str) -> Resolution:
    """Asks, waits, and only tells what was clicked: no tool, no grant, nothing runs."""
    call = ToolCall(CallId(new_id()), TOOL, {"message": "This is a test. Whatever you click, nothing runs."})
    card = _card(call, chat, directory)
    chat.events.add(ToolCalled(call.call_id, TOOL, call.args, Category.INTERNAL, card.headline))

    try:
        _, resolution = await broker.ask(card, _Rehearsal(chat, card))
    except BaseException:
        _finish(chat, call, "The test request was withdrawn. Nothing ran.")
        raise
    _finish(chat, call, f"The test request was {resolution.status}. Nothing ran.")
    return resolution


class _Rehearsal:
    """The case of a call that nobody makes: nothing of it can change, and its answer leads to nothing."""

    def __init__(self, chat: Chat, card: Card) -> None:
        self._chat = chat
        self._card = card

    async def opened(self, approval_id: ApprovalId) -> None:
        """The history is about what may run; this may not."""

    def told(self, approval_id: ApprovalId) -> None:
        """The test card waits."""
        call = self._card.call
        self._chat.events.add(ToolProgress(call.call_id, Phase.AWAITING_APPROVAL, self._card.reason_text))
        self._chat.events.add(PermissionAsked(approval_id, call.call_id, TOOL, call.args))

    async def look(self) -> Card:
        """Always the same."""
        return self._card

    async def amend(self, args: JsonObject) -> Amended:
        """Its arguments mean nothing, so there is nothing to change."""
        raise InvalidRequest("a test request cannot be changed", "params.editedArgs")

    async def changes(self, approval_id: ApprovalId, card: Card) -> Changes:
        """It would write nothing."""
        raise InvalidRequest("a test request writes no file", "params.approvalId")

    def adopt(self, card: Card) -> None:
        """Never called: nothing can be changed."""

    async def record(self, question: Question, card: Card, option: Option, resolution: Resolution) -> None:
        """The history is about what may run; this may not."""

    def came_to_nothing(self, card: Card) -> None:
        """Nothing is begun here."""

    async def record_end(self, question: Question, resolution: Resolution) -> None:
        """Neither is an ending without an answer."""

    def note_end(self, question: Question, resolution: Resolution) -> bool:
        """Nor that it was withdrawn."""
        return False

    async def settled(self) -> None:
        """So there is nothing to wait for."""

    def ended_by(self) -> ResolvedBy:
        """A stop withdraws it."""
        return ResolvedBy.STOP


def _card(call: ToolCall, chat: Chat, directory: str) -> Card:
    return Card(
        headline="Test request: nothing will run",
        call=call,
        caller=Caller(chat.agent.agent_id, chat.agent.name, chat.session_id, RunId("")),
        category=Category.INTERNAL,
        mode=chat.mode,
        reason=Reason.NEEDS_APPROVAL,
        reason_text="You asked for a test of the approval card.",
        digest=hashlib.sha256(canonical_json([TOOL, call.call_id])).hexdigest(),
        options=(
            Option("approve", OptionKind.ALLOW_ONCE, "Approve", "Nothing runs; your click is only logged."),
            Option("deny", OptionKind.REJECT_ONCE, "Deny", "Nothing runs; your click is only logged."),
        ),
        preview=JsonPreview(readable_json(call.args)),
        directory=directory,
        grant_key="",
        risk=Risk(RiskLevel.LOW, ("Only a test.",)),
    )


def _finish(chat: Chat, call: ToolCall, text: str) -> None:
    chat.events.add(ToolFinished(call.call_id, TOOL, success=True, output=text, is_error=False, duration_ms=0))
