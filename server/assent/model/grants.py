"""What an answer can permit or forbid beyond the call that it was given to."""

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access


@dataclass(frozen=True, slots=True)
class Limits:
    """When a grant for a chat ends by itself: with the first of these. Uses are calls beside the one asked for."""

    minutes: float | None = None
    uses: int | None = None
    until_run_ends: bool = False

    @property
    def in_words(self) -> str:
        """For people: “for 15 minutes”, “for the next 5 calls”, “until this task is done”."""
        words = []
        if self.minutes is not None:
            words.append(f"for {self.minutes:g} {'minute' if self.minutes == 1 else 'minutes'}")
        if self.uses is not None:
            words.append("for the next call" if self.uses == 1 else f"for the next {self.uses} calls")
        if self.until_run_ends:
            words.append("until this task is done")
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Granted:
    """What was granted in a chat and lets a call run, for people: what, since when, and until when if time ends it."""

    words: str
    at: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class KeyGrant:
    """For this chat: every call under this grant key, and under those that were given with it."""

    key: str
    more: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """All of them."""
        return self.key, *self.more


@dataclass(frozen=True, slots=True)
class DirectoryGrant:
    """For this chat: reading in this directory and below. `WRITE` is for changes too, `DELETE` also for deleting.

    Never for secrets.
    """

    directory: str
    access: Access


@dataclass(frozen=True, slots=True)
class ToolGrant:
    """Stored: this tool is always allowed."""

    tool: str


@dataclass(frozen=True, slots=True)
class RuleGrant:
    """Stored: an allow rule; where it does not permit, a deny rule."""

    tool: str
    pattern: str
    permits: bool = True


@dataclass(frozen=True, slots=True)
class RootGrant:
    """Stored: this directory counts as part of the workspace."""

    directory: str


@dataclass(frozen=True, slots=True)
class ChatBypass:
    """For this chat: every call of its agent."""


@dataclass(frozen=True, slots=True)
class AgentBypass:
    """Stored: every call of this agent."""

    agent: str


Grant = KeyGrant | DirectoryGrant | ToolGrant | RuleGrant | RootGrant | ChatBypass | AgentBypass
