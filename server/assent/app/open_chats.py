"""Chats by their ids, for whoever is there before the desk is: what becomes of them is asked and told here."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext

from assent.agent.chat import Chat
from assent.agent.eventlog import NO_RUN
from assent.app.desk import Desk
from assent.app.guests import last_state
from assent.model.conversation import UserText
from assent.model.events import Event
from assent.model.ids import RunId, SessionId


class OpenChats:
    """What is said of a chat may come after it was closed: then nobody hears it."""

    def __init__(self, desk: Callable[[], Desk]) -> None:
        self._desk = desk

    def find(self, session_id: SessionId) -> Chat | None:
        """The chat, while it is open."""
        desk = self._desk()
        return desk.chat(session_id) if desk.has(session_id) else None

    def tell(self, session_id: SessionId, event: Event, run_id: RunId = NO_RUN) -> None:
        """Something happened in a chat."""
        chat = self.find(session_id)
        if chat is not None:
            chat.events.add(event, run_id)

    def tell_model(self, session_id: SessionId, text: str) -> None:
        """The model of a chat is to know this from its next turn on."""
        chat = self.find(session_id)
        if chat is not None:
            chat.history.append(UserText(text, by_user=False))

    def why_busy(self, session_id: SessionId) -> str | None:
        """Why nothing that runs of this chat changed can be rolled back now."""
        return self._desk().why_busy(session_id)

    def rest(self, session_id: SessionId) -> AbstractAsyncContextManager[None]:
        """Meanwhile no run of this chat begins."""
        desk = self._desk()
        return desk.rest(session_id) if desk.has(session_id) else nullcontext()

    def writing_as(self, session_id: SessionId) -> str:
        """As part of what a chat writes now: a run, or the calls that were asked for anew after a restart."""
        return self._desk().run_of(session_id) or f"{session_id} again"

    def known_as(self, session_id: SessionId) -> str | None:
        """The id by which an agent of others knew this chat last. One in which nothing was said is not looked for."""
        chat = self.find(session_id)
        state = last_state(chat) if chat is not None and chat.history else None
        return state.session if state is not None else None
