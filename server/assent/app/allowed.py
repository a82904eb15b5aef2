"""Everything that is allowed without asking now, taken back and given back: by the user only, and once."""

import hashlib
import secrets
from collections.abc import Callable, Iterator

from assent.agent.chat import Chat
from assent.agent.grants import Given, Held
from assent.agent.recorder import Recorder
from assent.app.allowance import Allowance, held_in, of_chat, of_settings
from assent.app.chat_rules import Bypasses
from assent.app.desk import Desk
from assent.app.trust import Trust
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller
from assent.model.errors import InvalidRequest
from assent.model.grants import AgentBypass, ChatBypass
from assent.model.ids import RunId, SessionId
from assent.runtime.clock import Clock
from assent.settings.store import Stored
from assent.settings.stored import StoredGrant

_MOST_UNDOABLE = 200
_PATH = "params.grantId"
_UNKNOWN = "nothing is allowed under this id; it may have ended, or was taken back already"
_CHANGED = "it says something else by now than when it was listed; it is {} in {}: look at it again"
_NOT_UNDOABLE = "nothing that was taken back here can be given back under this id; it is given back once"
_REDEFINED = "the agent is defined otherwise by now: what was allowed was not meant for this one"


@dataclass(frozen=True, slots=True)
class Revoked:
    """It was taken back; some can be given back by whoever did it by mistake."""

    grant_id: str
    undoable: bool


@dataclass(frozen=True, slots=True)
class _TakenBack:
    """What `undo` gives back: of a chat, or of the settings of these folders."""

    what: Given | Held | StoredGrant
    session_id: SessionId | None = None
    agent_digest: str = ""
    """Of the definition of the chat's agent, for which alone it was meant."""
    folders: tuple[object, ...] = ()


class Allowed:
    """Lists what counts, takes it back where it stands, and remembers in memory what can be given back."""

    def __init__(
        self,
        desk: Desk,
        trust: Trust,
        recorder: Recorder,
        clock: Clock,
        *,
        bypasses: Callable[[Chat], Bypasses],
        changed: Callable[[], None],
    ) -> None:
        self._desk, self._trust, self._recorder, self._clock = desk, trust, recorder, clock
        self._bypasses, self._changed = bypasses, changed
        self._secret = secrets.token_bytes(16)
        self._undoable: dict[str, _TakenBack] = {}
        self._under_way: set[str] = set()

    def everything(self, session_id: SessionId | None = None) -> tuple[Allowance, ...]:
        """Of one chat, or of all, and what is stored."""
        chats = self._desk.chats() if session_id is None else (self._desk.chat(session_id),)
        of_chats = (one for chat in chats for one in self._of_chat(chat))
        return (*of_chats, *(of_settings(self.id_of(one), one) for one in self._trust.storing.stored_grants()))

    async def revoke(self, grant_id: str, digest: str | None = None) -> Revoked:
        """It counts for no further call. What waits goes on waiting, and what runs goes on.

        With a digest, an entry of the settings goes only as long as it says what it said when it was listed.
        """
        chat, taken = self._taken_from_chat(grant_id)
        if chat is not None and taken is not None:
            self._remember(grant_id, _TakenBack(taken, chat.session_id, chat.agent.digest))
            self._recorder.taken_back(_caller(chat), chat.mode, self._of_one(chat, taken).text)
            self._changed()
            return Revoked(grant_id, undoable=True)
        stored = next((one for one in self._trust.storing.stored_grants() if self.id_of(one) == grant_id), None)
        if stored is None or grant_id in self._under_way:
            raise InvalidRequest(_UNKNOWN, _PATH)
        if digest not in (None, stored.digest):
            raise InvalidRequest(_CHANGED.format(f"assent.{stored.setting}", stored.origin.text), "params.digest")
        return await self._revoke_stored(grant_id, stored)

    async def undo(self, grant_id: str) -> Allowance:
        """What was taken back here counts again, as it was, if nothing that it rests on is another by now."""
        taken = self._undoable.pop(grant_id, None)
        if taken is None:
            raise InvalidRequest(_NOT_UNDOABLE, _PATH)
        try:
            restored = await self._restored(grant_id, taken)
        except InvalidRequest:
            # The reason may pass: until then, this is the answer.
            self._undoable[grant_id] = taken
            raise
        self._changed()
        return restored

    async def _restored(self, grant_id: str, taken: _TakenBack) -> Allowance:
        if isinstance(taken.what, StoredGrant):
            return await self._give_back_stored(grant_id, taken, taken.what)
        return self._give_back_in_chat(taken, taken.what)

    # ---- chats

    def _of_chat(self, chat: Chat) -> Iterator[Allowance]:
        self._bypasses(chat)  # What the settings say by now is held no more.
        everything: tuple[Given | Held, ...] = (*chat.grants.live, *chat.grants.held)
        yield from (self._of_one(chat, one) for one in everything)

    def _of_one(self, chat: Chat, one: Given | Held) -> Allowance:
        on = self._bypasses(chat)
        if isinstance(one, Given):
            counts = on.chat if one.grant == ChatBypass() else True
            return of_chat(chat, one, self._clock.monotonic(), effective=counts)
        return held_in(chat, one, effective=on.agent if isinstance(one.grant, AgentBypass) else True)

    def _taken_from_chat(self, grant_id: str) -> tuple[Chat | None, Given | Held | None]:
        for chat in self._desk.chats():
            taken = chat.grants.take_back(grant_id)
            if taken is not None:
                return chat, taken
        return None, None

    def _give_back_in_chat(self, taken: _TakenBack, what: Given | Held) -> Allowance:
        chat = next((chat for chat in self._desk.chats() if chat.session_id == taken.session_id), None)
        if chat is None or chat.closed:
            raise InvalidRequest("the chat is closed, and all that was allowed in it went with it", _PATH)
        now = self._trust.now()
        if chat.agent.digest != taken.agent_digest or not self._trust.is_current(now, chat.agent):
            raise InvalidRequest(_REDEFINED, _PATH)
        if isinstance(what, Held):
            if not self._trust.still_held(now, what, chat.agent):
                raise InvalidRequest("the settings say by now whether this is allowed", _PATH)
            chat.grants.hold_again(what)
        elif not chat.grants.put_back(what):
            raise InvalidRequest("it would have ended by now", _PATH)
        restored = self._of_one(chat, what)
        self._recorder.given(_caller(chat), chat.mode, restored.text)
        return restored

    # ---- settings

    async def _revoke_stored(self, grant_id: str, stored: StoredGrant) -> Revoked:
        self._under_way.add(grant_id)
        try:
            told = await self._trust.storing.take_back(stored)
        finally:
            self._under_way.discard(grant_id)
            self._changed()
        self._require_written(told, stored)
        undoable = stored.effective
        if undoable:
            self._remember(grant_id, _TakenBack(stored, folders=self._trust.folders))
        self._recorder.taken_back(NO_CALLER, self._trust.now().mode_for_new_chats, stored.words)
        return Revoked(grant_id, undoable)

    async def _give_back_stored(self, grant_id: str, taken: _TakenBack, stored: StoredGrant) -> Allowance:
        if taken.folders != self._trust.folders:
            raise InvalidRequest("other folders are open by now than when it was taken back", _PATH)
        agents = self._trust.now().agents
        if any(digest != (agents[name].digest if name in agents else None) for name, digest in stored.agents):
            raise InvalidRequest(_REDEFINED, _PATH)
        told = await self._trust.storing.give_back(stored)
        if not told.written:
            self._remember(grant_id, taken)
        self._require_written(told, stored)
        self._recorder.given(NO_CALLER, self._trust.now().mode_for_new_chats, stored.words)
        there = next((one for one in self._trust.storing.stored_grants() if one.key == stored.key), stored)
        return of_settings(grant_id, there)

    def _require_written(self, told: Stored, stored: StoredGrant) -> None:
        if not told.written:
            why = told.error or "It could not be written."
            raise InvalidRequest(f"{why} It is assent.{stored.setting} in {stored.origin.text}.", _PATH)
        if told.error is not None:
            raise InvalidRequest(told.error, _PATH)

    def id_of(self, stored: StoredGrant) -> str:
        """The same as long as this server lives, and no other entry's."""
        return hashlib.blake2b(stored.key.encode(), key=self._secret, digest_size=16).hexdigest()

    def _remember(self, grant_id: str, taken: _TakenBack) -> None:
        self._undoable[grant_id] = taken
        while len(self._undoable) > _MOST_UNDOABLE:
            del self._undoable[next(iter(self._undoable))]


NO_CALLER = Caller("", "", SessionId(""), RunId(""))
"""Of what is about no chat."""


def _caller(chat: Chat) -> Caller:
    return Caller(chat.agent.agent_id, chat.agent.name, chat.session_id, RunId(""))
