"""The rules by which the calls of a chat are decided at this moment: settings, trust, and what was clicked in it."""

from functools import reduce

from assent.agent.chat import Chat
from assent.app.grounds import Grounds
from assent.app.open_chats import OpenChats
from assent.lazy_dataclasses import dataclass
from assent.model.ids import SessionId
from assent.model.modes import Mode, tightest
from assent.policy.decide import Rules
from assent.policy.granting import with_grant
from assent.settings.effective import Effective


@dataclass(frozen=True, slots=True)
class Bypasses:
    """What runs without asking in a chat: every call of its agent, or every call of the chat."""

    agent: bool
    chat: bool


class ChatRules:
    """Made anew for each decision: nothing that was taken back a moment ago counts any more."""

    def __init__(self, grounds: Grounds, chats: OpenChats) -> None:
        self._grounds = grounds
        self._chats = chats

    def now(self, session_id: SessionId) -> Rules | None:
        """Those of this chat in its own mode, while it is open."""
        chat = self._chats.find(session_id)
        return self.of(chat, frozenset({chat.mode})) if chat is not None else None

    def bypasses(self, chat: Chat) -> Bypasses:
        """What of this chat runs without asking now: by the settings, or by a click in it."""
        rules = self.of(chat, frozenset({chat.mode}))
        return Bypasses(
            agent=rules.bypass_agent and rules.bypass_available,
            chat=(rules.bypass_session or chat.grants.bypass) and rules.bypass_available,
        )

    def of(self, chat: Chat, modes: frozenset[Mode]) -> Rules:
        """Those of this chat in these modes, of which the tightest counts."""
        trust = self._grounds.trust
        now = trust.now()
        base = self._of_settings(now, chat, modes)
        if chat.grants.held:
            chat.grants.held = [one for one in chat.grants.held if trust.still_held(now, one, chat.agent)]
        return reduce(with_grant, chat.grants.all, base)

    def _of_settings(self, now: Effective, chat: Chat, modes: frozenset[Mode]) -> Rules:
        grounds, trust = self._grounds, self._grounds.trust
        folders = grounds.workspace.folders_of(chat.session_id)
        held = modes | {now.mode_ceiling} if now.mode_ceiling else modes
        # An agent that is defined otherwise by now is not what a click on a card of this chat would be about.
        current = trust.is_current(now, chat.agent)
        return Rules(
            mode=tightest(held),
            beside=held,
            matrix_overrides=now.matrix_overrides,
            enabled=now.enabled,
            bypass_available=now.bypass_available and current,
            bypass_agent=trust.bypasses(now, chat.agent),
            bypass_kept=trust.storing.bypass_kept(now),
            rules_kept=trust.storing.kept(now),
            session_grants_offered=now.session_grants,
            book=trust.rule_book(now, folders),
            always_allowed=now.rules.always_allowed,
            sandbox_auto=now.sandbox.auto_allow,
            confirm_outside_workspace=now.confirm_outside_workspace,
            own_places=grounds.own_places,
            secrets=grounds.secrets.values,
            home=grounds.home,
            named_by_commands=now.named_files,
            roots=(*folders, *now.additional_directories),
            agent_name=chat.agent.name,
        )
