"""A user's answer: checked against the view that it comes from, counted once, and carried out in full."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from assent.agent.chat import Chat
from assent.agent.grants import Held
from assent.agent.recorder import Recorder
from assent.app.desk import Desk
from assent.app.trust import Trust
from assent.approvals.broker import Broker
from assent.lazy_dataclasses import dataclass
from assent.model.approval import Answer, Card, Option, Question, ResolvedBy, Status
from assent.model.errors import AssentError, NeedsOwnLook, SessionNotFound
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    KeyGrant,
    Limits,
    RootGrant,
    RuleGrant,
    ToolGrant,
)
from assent.model.ids import ApprovalId, SessionId, ViewId
from assent.runtime.tasks import TaskGroup
from assent.settings.store import Stored

logger = logging.getLogger(__name__)

STORING_SECONDS = 3.0
_LASTING = (AgentBypass, ToolGrant, RuleGrant, RootGrant)


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that counted, and what became of the setting that it writes, if any."""

    option: Option
    stored: Stored | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """An answer to many that was none to this one: it still waits, to be looked at for itself."""


class Answers:
    """Takes answers. A grant counts before the call goes on, its storing never holds the call up."""

    def __init__(
        self, broker: Broker, desk: Desk, trust: Trust, recorder: Recorder, changed: Callable[[], None]
    ) -> None:
        self._broker = broker
        self._desk = desk
        self._trust = trust
        self._recorder = recorder
        self._changed = changed
        self._tasks = TaskGroup("answers")

    def nobody_can_be_asked(self) -> None:
        """What waits is decided again, and may now be refused."""
        for question in self._broker.waiting():
            self._broker.end(question.approval_id, Status.REJECTED, ResolvedBy.POLICY, "Nobody can be asked.")

    async def take(
        self, approval_id: ApprovalId, answer: Answer, session_id: SessionId | None, view_id: ViewId | None
    ) -> Accepted:
        """Counts the answer, or raises the fault for which it does not."""
        self._check_origin(self._broker.question(approval_id), session_id, view_id)
        question, option = await self._broker.answer(approval_id, answer)
        logger.info("approval %s: %s by the user", approval_id, option.kind)
        if option.grant is None:
            return Accepted(option)
        chat = self._desk.chat(question.session_id)
        held = self._give(chat, option, question.card, answer.limits)
        if not isinstance(option.grant, _LASTING):
            self._recorder.granted(question, option, answer.limits)
            return Accepted(option)
        stored = await self._store(chat, option, held)
        if stored.written or not isinstance(option.grant, RootGrant):
            self._recorder.granted(question, option, None)
        return Accepted(option, stored)

    async def take_together(
        self, answers: Sequence[tuple[ApprovalId, Answer]], view_id: ViewId | None
    ) -> tuple[Accepted | Left | AssentError, ...]:
        """Counts one answer after the other. A yes to many is none to what deserves a look of its own."""
        results: list[Accepted | Left | AssentError] = []
        for approval_id, answer in answers:
            try:
                question = self._broker.question(approval_id)
                to_many = replace(answer, to_many=True)
                results.append(await self.take(approval_id, to_many, question.session_id, view_id))
            except NeedsOwnLook:
                results.append(Left())
            except AssentError as fault:
                results.append(fault)
        return tuple(results)

    async def end(self) -> None:
        """Ends what is still being stored, because the server ends."""
        await self._tasks.cancel()

    def _check_origin(self, question: Question, session_id: SessionId | None, view_id: ViewId | None) -> None:
        if session_id is not None and session_id != question.session_id:
            raise SessionNotFound("this call belongs to another chat; the answer does not count")
        if view_id is not None and not self._desk.shows(view_id, question.session_id):
            raise SessionNotFound(
                "this view does not show the chat that the call belongs to; the answer does not count"
            )

    def _give(self, chat: Chat, option: Option, card: Card, limits: Limits | None) -> Held | None:
        # The future of the question is set, but the call goes on only when this task gives way: the grant comes first.
        held: Held | None = None
        match option.grant:
            case KeyGrant() | DirectoryGrant() | ChatBypass() as grant:
                chat.grants.give(grant, limits, card=card, option=option.kind)
            case ToolGrant() | RuleGrant() | AgentBypass() as grant:
                held = chat.grants.hold(self._trust.hold(grant), card)
            case RootGrant() | None:
                # The workspace is the same for all chats: it grows when the settings say so.
                return None
        self._changed()
        return held

    async def _store(self, chat: Chat, option: Option, held: Held | None) -> Stored:
        storing = self._tasks.start(self._stored(chat, option, held), "store a click")
        done, _ = await asyncio.wait({storing}, timeout=STORING_SECONDS)
        if done:
            return storing.result()
        late = Stored(written=False, target="workspace", error=f"Storing it takes unusually long. {_meanwhile(option)}")
        return _told(chat, option, late)

    async def _stored(self, chat: Chat, option: Option, held: Held | None) -> Stored:
        """Stores it, and tells the chat what went wrong, also when the answer does not wait for it any more."""
        assert option.grant is not None
        try:
            stored = await self._trust.store(option.grant)
            if stored.written and held is not None and chat.grants.was_withdrawn(held):
                stored = await self._trust.storing.take_back_again(option.grant)
        except Exception as fault:
            logger.exception("a click could not be stored")
            words = f"It could not be stored ({type(fault).__name__}; details are in the log). {_meanwhile(option)}"
            stored = Stored(written=False, target="", error=words)
        # Where the settings say it by now, they decide from now on, also when it is taken out there again.
        self._changed()
        return _told(chat, option, stored)


def _meanwhile(option: Option) -> str:
    return "Only this call ran." if isinstance(option.grant, RootGrant) else "It holds in this chat meanwhile."


def _told(chat: Chat, option: Option, stored: Stored) -> Stored:
    if stored.error is not None:
        chat.warn(f"“{option.name}”: {stored.error}")
    return stored
