"""The handlers around waiting calls: the user's answers, what waits, why it waits."""

from typing import TYPE_CHECKING

from assent.approvals.choose import choose
from assent.approvals.ledger import NOBODY_WAITS
from assent.lsp import to_wire
from assent.lsp.client import Client
from assent.lsp.from_wire import answer_of, mode_of
from assent.lsp.handlers import Handlers
from assent.lsp.named_faults import rpc_fault
from assent.lsp.pieces import piece_of
from assent.lsp.refused_answers import RefusedAnswers
from assent.lsp.wire_values import word
from assent.model.approval import Answer, OptionKind
from assent.model.errors import ApprovalNotFound, AssentError, InvalidOption, InvalidRequest
from assent.model.ids import ApprovalId, SessionId, ViewId
from assent.protocol import approval as wire
from assent.protocol import policy
from assent.protocol.handshake import Nothing

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.answers import Accepted, Left
    from assent.app.app import App

MAX_PIECE = 1024 * 1024
_ANSWERS = {"tool/approvalResponse", "tool/approvalBatch"}


class ApprovalFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]", client: Client) -> None:
        self._app = app
        self._client = client
        self._refused = RefusedAnswers()

    def handlers(self) -> Handlers:
        return {
            "tool/approvalResponse": self._answer,
            "tool/pendingApprovals": self._pending,
            "tool/approvalBatch": self._batch,
            "tool/approvalDetails": self._details,
            "tool/approvalChange": self._change,
            "tool/reveal": self._reveal,
            "tool/testApproval": self._test,
            "policy/explain": self._explain,
        }

    def refused(self, method: str, reason: str) -> None:
        """A request that does not even have the right shape: if it was to be an answer, it is noted as one."""
        if method in _ANSWERS:
            self._refused.note(None, reason)

    async def _answer(self, params: wire.ApprovalResponse) -> wire.ApprovalOutcome:
        try:
            return await self._count(params)
        except AssentError as fault:
            self._refused.note(params.approval_id, type(fault).__name__)
            raise

    async def _count(self, params: wire.ApprovalResponse) -> wire.ApprovalOutcome:
        self._check_told(ApprovalId(params.approval_id))
        self._client.answers()
        answer = answer_of(params, self._client.options)
        self._check_seen(ApprovalId(params.approval_id), answer)
        accepted = await self._app().answer(
            ApprovalId(params.approval_id),
            answer,
            SessionId(params.session_id) if params.session_id is not None else None,
            ViewId(params.view_id) if params.view_id is not None else None,
        )
        settings = to_wire.stored_setting(accepted.stored) if accepted.stored is not None else None
        return wire.ApprovalOutcome(params.approval_id, word(accepted.option.kind), settings=settings)

    def _check_told(self, approval_id: ApprovalId) -> None:
        if not self._client.was_told(approval_id):
            raise _not_shown(approval_id)

    def _check_seen(self, approval_id: ApprovalId, answer: Answer) -> None:
        """Nobody agrees to what is masked or cut off: also where a client would let its user do so."""
        unseen = self._client.unseen(approval_id)
        if not unseen:
            return
        card = self._app().broker.question(approval_id).card
        if not choose(approval_id, card, answer).kind.refuses:
            refusals = tuple(one.option_id for one in card.options if one.kind.refuses and not one.disabled)
            raise InvalidOption(approval_id, unseen, refusals)

    def _why_not(self, approval_id: ApprovalId, answer: Answer) -> AssentError | None:
        try:
            self._check_told(approval_id)
            self._check_seen(approval_id, answer)
        except AssentError as fault:
            return fault
        return None

    async def _batch(self, params: wire.ApprovalBatch) -> wire.BatchOutcome:
        kind = OptionKind(params.decision)
        if any(self._client.was_told(ApprovalId(item.approval_id)) for item in params.items):
            self._client.answers()
        answers = [
            (ApprovalId(item.approval_id), Answer(kind=kind, digest=item.args_digest, feedback=params.feedback))
            for item in params.items
        ]
        faults = [self._why_not(*one) for one in answers]
        view_id = ViewId(params.view_id) if params.view_id is not None else None
        counting = [one for one, fault in zip(answers, faults, strict=True) if fault is None]
        results = iter(await self._app().answer_together(counting, view_id))
        return wire.BatchOutcome(
            tuple(
                self._batch_result(item.approval_id, fault or next(results))
                for item, fault in zip(params.items, faults, strict=True)
            )
        )

    def _batch_result(self, approval_id: str, result: "Accepted | Left | AssentError") -> wire.BatchResult:
        # With the app comes all that it is made of, which no start waits for.
        from assent.app.answers import Accepted, Left

        match result:
            case Accepted():
                return wire.BatchResult(approval_id, "accepted")
            case Left():
                return wire.BatchResult(approval_id, "left")
        self._refused.note(approval_id, type(result).__name__)
        told = rpc_fault(result)
        return wire.BatchResult(approval_id, "failed", wire.BatchFault(told.code.value, told.message))

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
        self._client.opened(ApprovalId(params.approval_id), params.offset, end, len(text))
        return wire.ApprovalDetails(text[params.offset : end], params.offset, len(text))

    async def _change(self, params: wire.ApprovalChangeParams) -> wire.ApprovalChange:
        self._check_told(ApprovalId(params.approval_id))
        if params.offset < 0:
            raise InvalidRequest("an offset must not be negative", "params.offset")
        changes = await self._app().broker.changes(ApprovalId(params.approval_id), params.args_digest)
        if not 0 <= params.file < len(changes.files):
            raise InvalidRequest("this call changes no file of that number", "params.file")
        file = changes.files[params.file]
        text, following = piece_of(file.text, params.offset)
        if following is None:
            of, all_told = len(changes.files), changes.tell_all
            self._client.opened_file(ApprovalId(params.approval_id), params.file, of=of, tell_all=all_told)
        return wire.ApprovalChange(
            path=file.path,
            real_path=file.real_path,
            text=text,
            beside_file=file.beside_file,
            files=len(changes.files),
            tell_all=changes.tell_all,
            next_offset=following,
        )

    async def _reveal(self, params: wire.RevealParams) -> Nothing:
        self._check_told(ApprovalId(params.approval_id))
        self._client.reveal(self._app().broker.question(ApprovalId(params.approval_id)))
        return Nothing()

    async def _test(self, params: wire.TestApprovalParams) -> wire.TestApprovalResult:
        resolution = await self._app().rehearse(SessionId(params.session_id))
        decision = word(resolution.decision) if resolution.decision else None
        return wire.TestApprovalResult(word(resolution.status), decision)

    async def _explain(self, params: policy.ExplainParams) -> policy.Explanation:
        found = await self._app().explain(
            params.tool,
            params.args,
            agent_id=params.agent,
            mode=mode_of(params.mode),
            session_id=SessionId(params.session_id) if params.session_id is not None else None,
        )
        return to_wire.explanation(found)


def _not_shown(approval_id: ApprovalId) -> ApprovalNotFound:
    return ApprovalNotFound(approval_id, NOBODY_WAITS)


def waiting_calls(app: "App", client: Client, session_id: SessionId | None) -> tuple[wire.ApprovalRequest, ...]:
    """What waits, as this client draws it."""
    return tuple(client.redelivered(question) for question in app.broker.told(session_id))
