"""All that decides about a call beside the call itself."""

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.model.grants import DirectoryGrant
from assent.model.modes import Category, Mode, held_by, parse_mode
from assent.policy.matrix import Cell, cell
from assent.policy.options import Kept
from assent.policy.rules.book import RuleBook

_NO_RULES = RuleBook()
"""One for all that have none: what is in force twice is then equal, and nothing is built for it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """All that is in force for this call, read when the call is decided and never earlier."""

    mode: Mode
    """The mode that is named to people: the tightest of those in force."""
    beside: frozenset[Mode] = frozenset()
    """Modes that hold together with it: the one that the message was sent with, a chat's that was tightened since."""
    matrix_overrides: Mapping[Mode, Mapping[Category, Cell]] = field(default_factory=dict)
    """What the user's own settings make of cells of the matrix, mode by mode."""
    enabled: bool = True
    alive: bool = True
    """The run goes on, its chat is open, the server is not shutting down."""
    exhausted_limit: str | None = None
    """The run has used up a limit, which ends every call; or this call is one too many."""
    no_more_writes: str | None = None
    """The run has made all its writes, which ends every call that writes."""
    bypass_available: bool = True
    bypass_agent: bool = False
    bypass_session: bool = False
    bypass_kept: Kept = Kept.WORKSPACE
    """Where a bypass for the agent that is clicked now would be stored."""
    rules_kept: Kept = Kept.WORKSPACE
    """The same for rules, tools that are always allowed, and directories of the workspace."""
    session_grants: frozenset[str] = frozenset()
    directory_grants: tuple[DirectoryGrant, ...] = ()
    session_grants_offered: bool = True
    """Whether a card may offer anything for the length of the chat."""
    book: RuleBook = _NO_RULES
    """The deny, ask and allow rules of the settings."""
    chat_book: RuleBook = _NO_RULES
    """Rules that were clicked in this chat and that no setting holds (yet)."""
    always_allowed: frozenset[str] = frozenset()
    """Tools that the user's settings allow whatever they touch."""
    chat_tools: frozenset[str] = frozenset()
    """The same, clicked in this chat and in no setting (yet)."""
    sandbox_auto: bool = False
    """What runs in a sandbox needs no question."""
    confirm_outside_workspace: bool = True
    own_places: tuple[str, ...] = ()
    """Folders that are the product's own: its state, its code, its environment."""
    named_by_commands: tuple[str, ...] = ()
    """Files that a command names which runs without a question: a hook, an MCP server, an agent."""
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    """Values that are known to be secret: no rule that holds one is offered."""
    home: str = ""
    roots: tuple[str, ...] = ()
    agent_name: str = ""

    @property
    def mode_label(self) -> str:
        """The mode as people read it."""
        return (parse_mode(self.mode) or Mode.PLAN).label

    def cell(self, category: Category) -> Cell:
        """What the modes in force make of a category, with the user's overrides."""
        return cell(_held(self.mode, self.beside), category, self.matrix_overrides)


@lru_cache(maxsize=64)
def _held(mode: Mode, beside: frozenset[Mode]) -> frozenset[Mode]:
    return frozenset[Mode]().union(*map(held_by, (mode, *beside)))
