"""A user's answer: checked against the view that it comes from, counted once, and carried out in full."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from assent.agent.chat import Chat
from assent.app.desk import Desk
from assent.app.trust import Trust
from assent.approvals.broker import Broker
from assent.model.approval import Answer, Option, OptionKind, Question
from assent.model.errors import SessionNotFound
from assent.model.ids import ApprovalId, SessionId, ViewId
from assent.runtime.tasks import TaskGroup
from assent.settings.store import Stored

logger = logging.getLogger(__name__)

STORING_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that counted, and what became of the setting that it writes, if any."""

    option: Option
    stored: Stored | None = None


class Answers:
    """Takes answers. A grant counts before the call goes on, its storing never holds the call up."""

    def __init__(self, broker: Broker, desk: Desk, trust: Trust, reconsider: Callable[[], None]) -> None:
        self._broker = broker
        self._desk = desk
        self._trust = trust
        self._reconsider = reconsider
        self._tasks = TaskGroup("answers")

    async def take(
        self, approval_id: ApprovalId, answer: Answer, session_id: SessionId | None, view_id: ViewId | None
    ) -> Accepted:
        """Counts the answer, or raises the fault for which it does not."""
        self._check_origin(self._broker.question(approval_id), session_id, view_id)
        question, option = await self._broker.answer(approval_id, answer)
        logger.info("approval %s: %s by the user", approval_id, option.kind)
        chat = self._desk.chat(question.session_id)
        self._grant(chat, question, option.kind)
        if option.kind is OptionKind.BYPASS_AGENT:
            return Accepted(option, await self._store(chat))
        return Accepted(option)

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

    def _grant(self, chat: Chat, question: Question, kind: OptionKind) -> None:
        # The future of the question is set, but the call goes on only when this task gives way: the grant comes first.
        match kind:
            case OptionKind.ALLOW_SESSION:
                chat.grants.tools.add(question.card.grant_key)
            case OptionKind.BYPASS_SESSION:
                chat.grants.bypass = True
            case OptionKind.BYPASS_AGENT:
                self._trust.bypass_now(chat.agent.agent_id)
            case _:
                return
        self._reconsider()
        for other in self._desk.chats():
            if other is chat or kind is OptionKind.BYPASS_AGENT:
                other.tell_grants(bypass_agent=self._trust.bypasses_agent(other.agent))

    async def _store(self, chat: Chat) -> Stored:
        storing = self._tasks.start(self._stored(chat), "store bypass")
        done, _ = await asyncio.wait({storing}, timeout=STORING_SECONDS)
        if done:
            return storing.result()
        late = Stored(written=False, target="workspace", error="Storing it takes unusually long; it holds meanwhile.")
        return _told(chat, late)

    async def _stored(self, chat: Chat) -> Stored:
        """Stores it, and tells the chat what went wrong, also when the answer does not wait for it any more."""
        try:
            return _told(chat, await self._trust.store_bypass(chat.agent.agent_id))
        except Exception as fault:
            logger.exception("a bypass could not be stored")
            words = f"It could not be stored ({type(fault).__name__}; details are in the log). It holds meanwhile."
            return _told(chat, Stored(written=False, target="", error=words))


def _told(chat: Chat, stored: Stored) -> Stored:
    if stored.error is not None:
        chat.warn(f"The bypass for {chat.agent.name}: {stored.error}")
    return stored
