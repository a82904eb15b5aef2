"""The handlers around waiting calls: the user's answers, what waits, why it waits."""

from typing import TYPE_CHECKING

from assent.app.answers import Accepted, Left
from assent.lsp import to_wire
from assent.lsp.client import Client
from assent.lsp.from_wire import answer_of, mode_of
from assent.lsp.handlers import Handlers
from assent.lsp.named_faults import rpc_fault
from assent.model.approval import Answer, OptionKind
from assent.model.errors import AssentError, InvalidRequest
from assent.model.ids import ApprovalId, SessionId, ViewId
from assent.protocol import approval as wire
from assent.protocol import policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App

MAX_PIECE = 1024 * 1024


class ApprovalFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]", client: Client) -> None:
        self._app = app
        self._client = client

    def handlers(self) -> Handlers:
        return {
            "tool/approvalResponse": self._answer,
            "tool/pendingApprovals": self._pending,
            "tool/approvalBatch": self._batch,
            "tool/approvalDetails": self._details,
            "tool/testApproval": self._test,
            "policy/explain": self._explain,
        }

    async def _answer(self, params: wire.ApprovalResponse) -> wire.ApprovalOutcome:
        self._client.answers()
        accepted = await self._app().answer(
            ApprovalId(params.approval_id),
            answer_of(params, self._client.options),
            SessionId(params.session_id) if params.session_id is not None else None,
            ViewId(params.view_id) if params.view_id is not None else None,
        )
        stored = accepted.stored
        settings = wire.StoredSetting(stored.written, stored.target, stored.error) if stored else None
        return wire.ApprovalOutcome(params.approval_id, to_wire.word(accepted.option.kind), settings=settings)

    async def _batch(self, params: wire.ApprovalBatch) -> wire.BatchOutcome:
        self._client.answers()
        kind = OptionKind(params.decision)
        answers = [
            (ApprovalId(item.approval_id), Answer(kind=kind, digest=item.args_digest, feedback=params.feedback))
            for item in params.items
        ]
        results = await self._app().answer_together(answers, ViewId(params.view_id) if params.view_id else None)
        return wire.BatchOutcome(
            tuple(_batch_result(item.approval_id, result) for item, result in zip(params.items, results, strict=True))
        )

    async def _pending(self, params: wire.PendingApprovalsParams) -> wire.PendingApprovals:
        session_id = SessionId(params.session_id) if params.session_id is not None else None
        if session_id is not None:
            self._app().desk.chat(session_id)
        return wire.PendingApprovals(waiting_calls(self._app(), self._client, session_id))

    async def _details(self, params: wire.ApprovalDetailsParams) -> wire.ApprovalDetails:
        if params.offset < 0 or params.length < 0:
            raise InvalidRequest("offset and length must not be negative", "params.offset")
        text = to_wire.details_text(self._app().broker.question(ApprovalId(params.approval_id)))
        end = params.offset + min(params.length, MAX_PIECE)
        return wire.ApprovalDetails(text[params.offset : end], params.offset, len(text))

    async def _test(self, params: wire.TestApprovalParams) -> wire.TestApprovalResult:
        resolution = await self._app().rehearse(SessionId(params.session_id))
        decision = to_wire.word(resolution.decision) if resolution.decision else None
        return wire.TestApprovalResult(to_wire.word(resolution.status), decision)

    async def _explain(self, params: policy.ExplainParams) -> policy.Explanation:
        found = await self._app().explain(
            params.tool,
            params.args,
            agent_id=params.agent,
            mode=mode_of(params.mode),
            session_id=SessionId(params.session_id) if params.session_id is not None else None,
        )
        return to_wire.explanation(found)


def _batch_result(approval_id: str, result: Accepted | Left | AssentError) -> wire.BatchResult:
    match result:
        case Accepted():
            return wire.BatchResult(approval_id, "accepted")
        case Left():
            return wire.BatchResult(approval_id, "left")
    fault = rpc_fault(result)
    return wire.BatchResult(approval_id, "failed", wire.BatchFault(fault.code.value, fault.message))


def waiting_calls(app: "App", client: Client, session_id: SessionId | None) -> tuple[wire.ApprovalRequest, ...]:
    """What waits, as this client draws it."""
    return tuple(client.redelivered(question) for question in app.broker.waiting(session_id))
