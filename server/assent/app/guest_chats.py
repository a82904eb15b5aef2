"""What a client does with the agent of others that a chat is held with, beside talking to it."""

from assent.app.desk import Desk
from assent.app.guests import Guests
from assent.app.trust import Trust
from assent.model.errors import InvalidRequest
from assent.model.ids import SessionId


class GuestChats:
    """Chats with agents that have their own models, commands and settings."""

    def __init__(self, desk: Desk, guests: Guests, trust: Trust) -> None:
        self._desk = desk
        self._guests = guests
        self._trust = trust

    def wake(self, session_id: SessionId) -> None:
        """Somebody looks at a chat: what an agent of others offers can be seen before it is talked to."""
        chat, now = self._desk.chat(session_id), self._trust.now()
        if (
            chat.agent.guest is not None
            and not chat.history
            and now.enabled
            and self._trust.is_current(now, chat.agent)
        ):
            chat.agent.guest(session_id).wake(chat.mode)

    async def choose(self, session_id: SessionId, setting_id: str, value: str, *, confirmed: bool) -> None:
        """The user chooses something that the agent of a chat offers. Raises InvalidRequest, or NotConfirmed."""
        chat = self._desk.chat(session_id)
        guest = self._guests.session(session_id)
        if guest is None:
            name = chat.agent.name
            words = f"{name} has not begun to work in this chat: send it a message first, then it can be set otherwise"
            raise InvalidRequest(words, "params.sessionId")
        await guest.choose(setting_id, value, confirmed=confirmed)
