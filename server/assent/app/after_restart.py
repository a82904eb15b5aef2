"""What is brought up to date about a chat of an earlier server, beside what was kept of it."""

from assent.agent.chat import Chat
from assent.app.chat_rules import ChatRules
from assent.app.checkpoints import Checkpoints
from assent.app.guests import without_its_agent
from assent.app.subjects import Subjects
from assent.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AfterRestart:
    """Everything else that was about the chat ended with that server."""

    subjects: Subjects
    rules: ChatRules
    checkpoints: Checkpoints

    def was_restored(self, chat: Chat) -> None:
        """The chat is here now."""
        # Its server may have been killed with a browser's profile, or a command's files, left behind.
        self.subjects.commands.tidy()
        # The machine may be another one than when the chat was left, or another configuration of it.
        self.subjects.sandbox.forget()
        on = self.rules.bypasses(chat)
        chat.tell_grants(bypass_agent=on.agent, bypass_chat=on.chat)
        without_its_agent(chat)
        self.checkpoints.go_on(chat.session_id)
