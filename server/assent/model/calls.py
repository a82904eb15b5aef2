"""A tool call and what is known of it before anyone decides."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.addresses import Addresses
from assent.model.commands import Command
from assent.model.ids import CallId, RunId, SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.nodes import NodeUse
from assent.model.paths import Access, PathUse

__all__ = ["Access", "CallFacts", "Caller", "HookAnswer", "Hooks", "OfGuest", "PathUse", "ToolCall"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who wants the call: the agent, its chat and run, and the chain of sub-agents down to it."""

    agent_id: str
    agent_name: str
    session_id: SessionId
    run_id: RunId
    parent_call: CallId | None = None
    path: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        return len(self.path)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as the model made it. `args` is None where its text was no JSON object; `raw` keeps that text."""

    call_id: CallId
    tool: str
    args: JsonObject | None
    raw: str = ""
    says: str | None = None
    """The model's own words about the call: only ever shown as a quotation."""


class HookAnswer(StrEnum):
    """What the user's hooks say to a call, all together. `none`: no hook is for it; `pending`: they were not asked."""

    NONE = "none"
    PENDING = "pending"
    NOTHING = "nothing"
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Hooks:
    """The joint answer of the hooks, with their words where they have any."""

    answer: HookAnswer = HookAnswer.NONE
    text: str = ""
    changed: str = ""
    """A sentence: a hook has changed the arguments, and which one."""
    overlooked: str = ""
    """A sentence: which hooks failed, where that keeps nothing from running."""
    failed: str = ""
    """Which hooks could not be asked, and why, where that is a reason to ask a person."""


@dataclass(frozen=True, slots=True)
class OfGuest:
    """What is special about a call that an agent of others carries out by itself. Empty: nothing."""

    grave: str = ""
    """Why it is as grave as changing a protected file."""
    by_hand: str = ""
    """Why only a person can answer it."""
    unclear: str = ""
    """Why it is not known well enough what it would do: then nothing but a click or a bypass lets it run."""
    agreed: str = ""
    """With which other call, still under way, the user agreed to exactly this."""


@dataclass(frozen=True, slots=True)
class CallFacts:
    """All that the pure decision may look at, gathered beforehand by those who do I/O."""

    tool: str
    known: bool
    category: Category
    paths: tuple[PathUse, ...] = ()
    arguments_fault: str | None = None
    nearest_tools: tuple[str, ...] = ()
    grant_key: str = ""
    hooks: Hooks = Hooks()
    sandbox: str | None = None
    """The sandbox in which it would run, where one is in force that leaves it no network, nothing writable outside the
    workspace, and no secrets."""
    wall: str | None = None
    """What would hold it where it only reads, by its name: then it reaches nothing but what it may read, whatever it
    does."""
    unguarded: bool = False
    """It wants to run without what would keep protected files from it otherwise."""
    can_go_on: bool = False
    """It can go on in the background."""
    command: Command | None = None
    """The shell command that it would run, taken apart; None where it runs none."""
    shell: str | None = None
    """The shell that goes on after it and that it talks to, by its id; None where there is none."""
    also: tuple[str, ...] = ()
    """Other tools that do what this call does as well: what restricts them restricts it."""
    addresses: Addresses = Addresses()
    """What it would reach in the network: rules about hosts are compared with nothing else."""
    guest: OfGuest = OfGuest()
    steps: "tuple[CallFacts, ...]" = ()
    """The calls that it would make itself, one after the other, as far as they are known: it has no effect but theirs,
    and each is decided about by itself when its turn comes."""
    part_of: str = ""
    """The grant key of the call that makes this one, where it was known with that call what this one would do."""
    node: NodeUse | None = None
    """The node that it would run; None where it runs none."""
