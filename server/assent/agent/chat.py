"""A chat: its agent, mode, history, events and what was allowed in it. It holds state; the loop moves it."""

from collections.abc import Callable, Coroutine
from dataclasses import field

from assent.agent.context import Context
from assent.agent.eventlog import EventLog
from assent.agent.grants import ChatGrants
from assent.agent.guest import Guest
from assent.agent.history import History
from assent.agent.kept_results import KeptResults
from assent.agent.ports import Keeper, ModelProvider
from assent.agent.said_before import SaidBefore
from assent.lazy_dataclasses import dataclass
from assent.model.conversation import UserText
from assent.model.events import GrantsChanged, Notice, NoticeLevel, Prompt, RunDone, RunFailed, RunRetried
from assent.model.ids import SessionId
from assent.model.message_parts import Part, own_words
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
    context_window: int | None = None
    """The tokens that its model can take in at once, where that is known."""
    max_tokens: int | None = None
    """The most tokens of one answer, where the settings say so."""
    takes_pictures: bool = False
    """Whether its model may take pictures. An agent of others says that itself."""
    get_ready: Callable[[], Coroutine[None, None, None]] | None = None
    """Loads what its first answer will need, where that takes a while."""
    guest: Callable[[SessionId], Guest] | None = None
    """The session of a chat with it, where it is an agent of others that leads its conversations itself."""


@dataclass(slots=True)
class Chat:
    """One conversation with one agent."""

    session_id: SessionId
    agent: Agent
    mode: Mode
    events: EventLog
    history: History
    keeper: Keeper
    grants: ChatGrants = field(init=False)
    context: Context = field(init=False)
    """What its model can take in; what is learnt of it holds for the whole chat."""
    results: KeptResults = field(default_factory=KeptResults)
    """The whole texts of results of which its model got only a part."""
    said: SaidBefore = field(default_factory=SaidBefore)
    """What its user has said to calls that were asked for, since the server started."""
    message: tuple[Part, ...] | None = None
    """The latest of its user, with all that goes along with it. None: an earlier server had it."""
    closed: bool = False
    _told: GrantsChanged = GrantsChanged((), bypass_agent=False, bypass_session=False)

    def __post_init__(self) -> None:
        self.grants = ChatGrants(self.events.clock)
        self.context = Context(self.agent.context_window, self.agent.max_tokens)

    @property
    def title(self) -> str:
        """The first words of the user, for lists of chats; empty until there are some."""
        own = (message.text for message in self.history if isinstance(message, UserText) and message.by_user)
        first = next(own, "")
        line = " ".join(own_words(first).split())
        return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"

    @property
    def may_be_retried(self) -> bool:
        """Whether its last run failed, in a way that going on from there may get past."""
        ends = (Prompt, RunRetried, RunDone, RunFailed)
        last = next((one.event for one in reversed(self.events.since(0)) if isinstance(one.event, ends)), None)
        return isinstance(last, RunFailed) and last.again

    def warn(self, text: str) -> None:
        """Tells the user something that belongs to no call."""
        self.events.add(Notice(text, NoticeLevel.WARNING))

    def tell_grants(self, *, bypass_agent: bool, bypass_chat: bool) -> None:
        """Says what runs in this chat without asking, where that is not what was said last."""
        told = GrantsChanged(self.grants.words, bypass_agent, bypass_chat)
        if told != self._told:
            self._told = told
            self.events.add(told)
