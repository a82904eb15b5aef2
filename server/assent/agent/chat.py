"""A chat: its agent, mode, history, events and what was allowed in it. It holds state; the loop moves it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from assent.agent.eventlog import EventLog
from assent.agent.history import History
from assent.agent.ports import Keeper, ModelProvider
from assent.model.calls import Access
from assent.model.conversation import UserText
from assent.model.events import GrantsChanged, Notice, NoticeLevel
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    Grant,
    KeyGrant,
    RuleGrant,
    ToolGrant,
)
from assent.model.ids import SessionId
from assent.model.modes import Mode

TITLE_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent that a chat can be opened with."""

    agent_id: str
    name: str
    description: str
    provider: Callable[[], ModelProvider]
    digest: str = ""
    """Of its definition: what was allowed to this agent holds for this definition only."""


@dataclass(frozen=True, slots=True)
class Held:
    """A lasting grant that was clicked in this chat: it counts here until the settings that store it decide."""

    grant: ToolGrant | RuleGrant | AgentBypass
    since: object = None
    """What the settings said of it when it was clicked."""


@dataclass(slots=True)
class ChatGrants:
    """What the user allowed in this chat. In memory only, gone with the chat."""

    given: list[KeyGrant | DirectoryGrant | ChatBypass] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)

    def give(self, grant: KeyGrant | DirectoryGrant | ChatBypass) -> None:
        """Grants it for as long as the chat is open."""
        if grant not in self.given:
            self.given.append(grant)

    @property
    def all(self) -> tuple[Grant, ...]:
        """Everything that counts in this chat, in the order in which it was given."""
        return (*self.given, *(held.grant for held in self.held))

    @property
    def bypass(self) -> bool:
        """Whether every call of this chat runs without asking."""
        return ChatBypass() in self.given

    @property
    def words(self) -> tuple[str, ...]:
        """What is allowed, each in a few words for people; the bypasses are told apart from these."""
        return tuple(sorted(text for grant in self.all if (text := _words(grant))))


def _words(grant: Grant) -> str:
    match grant:
        case KeyGrant():
            return ", ".join(grant.keys)
        case DirectoryGrant(directory, Access.READ):
            return f"reading in {directory}"
        case DirectoryGrant(directory):
            return f"files in {directory}"
        case ToolGrant(tool):
            return f"every {tool} call"
        case RuleGrant(tool, pattern, permits=True):
            return f"{tool}: {pattern}"
        case RuleGrant(tool, pattern):
            return f"never {tool}: {pattern}"
    return ""


@dataclass(slots=True)
class Chat:
    """One conversation with one agent."""

    session_id: SessionId
    agent: Agent
    mode: Mode
    events: EventLog
    history: History
    keeper: Keeper
    grants: ChatGrants = field(default_factory=ChatGrants)
    closed: bool = False
    _told: GrantsChanged = GrantsChanged((), bypass_agent=False, bypass_session=False)

    @property
    def title(self) -> str:
        """The first words of the user, for lists of chats."""
        first = next((message.text for message in self.history if isinstance(message, UserText)), "New chat")
        line = " ".join(first.split())
        return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"

    def warn(self, text: str) -> None:
        """Tells the user something that belongs to no call."""
        self.events.add(Notice(text, NoticeLevel.WARNING))

    def tell_grants(self, *, bypass_agent: bool, bypass_chat: bool) -> None:
        """Says what runs in this chat without asking, where that is not what was said last."""
        told = GrantsChanged(self.grants.words, bypass_agent, bypass_chat)
        if told != self._told:
            self._told = told
            self.events.add(told)
