"""Which answers a card offers, in words that say how far each reaches, for how long, and where it is kept."""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.model.approval import Option, OptionKind
from assent.model.calls import Access
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    KeyGrant,
    RootGrant,
    RuleGrant,
    ToolGrant,
)
from assent.model.nodes import KEYS_OF_ONE, MCP_TOOL, NODE_TOOL, shown_key, without_identity
from assent.model.verdict import Situation
from assent.policy.rules.commands.pattern import without_identities
from assent.policy.rules.rule import SHELL_TOOL, WHOLE_TOOL
from assent.policy.rules.suggest import Suggestion
from assent.policy.rules.words import AS_IT_IS


class Kept(StrEnum):
    """Where a lasting answer would be stored. `memory`: nowhere; it holds for this chat only, and is gone with it."""

    WORKSPACE = "workspace"
    USER = "user"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Scope:
    """What the words of the options speak of, and what may be offered. Only `offers` knows what would truly help."""

    agent_name: str
    grant_label: str
    """The grant key: what “this chat” would allow, for a person: “write_file”, “git status”."""
    bypass_available: bool
    more_labels: tuple[str, ...] = ()
    """Further keys that are allowed with it, where a command has several parts."""
    grantable: bool = True
    """False where a grant for the chat would not cover this call the next time."""
    bypass_kept: Kept = Kept.WORKSPACE
    """Where a bypass for the agent would be stored."""
    agent_id: str = ""
    session_options: bool = True
    """False where the user wants nothing offered for the length of a chat."""
    rules_kept: Kept = Kept.WORKSPACE
    """Where a rule, an always allowed tool or a directory would be stored."""
    always: tuple[Suggestion, ...] = ()
    """Rules to offer, the narrowest first."""
    always_tool: str = ""
    """The tool that may be allowed always, whatever it touches; empty where that would not cover this call."""
    session_tool: str = ""
    """The tool that may be allowed for this chat, whatever it does; empty where there is nothing wider than the key."""
    directory: DirectoryGrant | None = None
    root: str = ""
    """The directory that may become a part of the workspace."""
    never: Suggestion | None = None
    can_go_on: bool = False
    """The call can be carried out in the background."""
    outside_asks: bool = True
    """Changes outside the workspace are asked for whatever is allowed."""


def options_for(situation: Situation, scope: Scope) -> tuple[Option, ...]:
    """The buttons of a card: of each kind the narrowest first, lasting ones only where they would have an effect.

    Cards that wait have most of them in common. Their words are long: they are remembered, and the same for all.
    """
    return (*_ONCE, *(option for make in _LASTING[situation] for option in make(scope)))


_ONCE = (
    Option("approve", OptionKind.ALLOW_ONCE, "Approve", "This call only. The next one asks again."),
    Option("deny", OptionKind.REJECT_ONCE, "Deny", "This call does not run. The agent is told."),
)


_IN_BACKGROUND = Option(
    "background",
    OptionKind.BACKGROUND,
    "Run in background",
    "This call only. It goes on by itself, without a limit of time, until it ends, you end it, or the chat is closed. "
    "The agent works on meanwhile.",
)


def _background(scope: Scope) -> Iterator[Option]:
    if scope.can_go_on:
        yield _IN_BACKGROUND


_ENDS_WITH_A_TASK = frozenset({OptionKind.ALLOW_SESSION, OptionKind.BYPASS_SESSION})


def naming_task(options: tuple[Option, ...], title: str) -> tuple[Option, ...]:
    """The same on the card of a sub-agent: which task it is, for those that may be chosen until their task is done."""
    words = f"“Until this task is done” means “{title}”, and is for the calls of that sub-agent and of those below it."
    return tuple(
        replace(one, scope_text=f"{one.scope_text} {words}") if one.kind in _ENDS_WITH_A_TASK else one
        for one in options
    )


_REMEMBERED = 256
_STORED = {
    Kept.WORKSPACE: "Stored in the workspace's settings.",
    Kept.USER: "Stored in your user settings.",
    Kept.MEMORY: "Not stored: it holds for this chat only, and is gone when the chat is closed.",
}
_REACHES = {
    Kept.WORKSPACE: "in this workspace, from now on and in every chat",
    Kept.USER: "in every workspace, from now on and in every chat",
    Kept.MEMORY: "in this chat",
}
_CHAT = "in this chat, until it or the window is closed. Not stored."
_STILL = "Protected files still ask."
_BY_ITSELF = " Only this option allows every command; no shorter answer does."
_STILL_FOR_A_TOOL = {
    True: "Protected files, secrets and what lies outside the workspace still ask.",
    False: "Protected files, secrets and reading outside the workspace still ask; changes there do not.",
}


def _session(scope: Scope) -> Iterator[Option]:
    if not scope.session_options:
        return
    if scope.grantable and _can_be_read(scope.grant_label, *scope.more_labels):
        yield _for_keys((scope.grant_label, *scope.more_labels), _STILL_FOR_A_TOOL[scope.outside_asks])
    if scope.session_tool and _can_be_read(scope.session_tool):
        yield _for_tool(scope.session_tool, _STILL_FOR_A_TOOL[scope.outside_asks])


@lru_cache(maxsize=_REMEMBERED)
def _for_tool(tool: str, still: str) -> Option:
    return Option(
        "allow_session_tool",
        OptionKind.ALLOW_SESSION,
        f"Allow {_every(tool)} for this chat",
        f"{_capital(_every(tool))} {_CHAT} {still}{_BY_ITSELF if tool == SHELL_TOOL else ''}",
        KeyGrant(tool),
        by_id_only=tool == SHELL_TOOL,
    )


@lru_cache(maxsize=_REMEMBERED)
def _for_keys(keys: tuple[str, ...], still: str) -> Option:
    key, grant = keys[0], KeyGrant(keys[0], keys[1:])
    if key.startswith(f"{SHELL_TOOL}:"):
        whole = [one.removeprefix(f"{SHELL_TOOL}:") for one in keys]
        shown = [without_identities(one) for one in whole]
        words = [f"“{one} …”" for one in shown]
        as_it_is = AS_IT_IS if shown != whole else ""
        return Option(
            "allow_session",
            OptionKind.ALLOW_SESSION,
            f"Allow {' and '.join(words)} for this chat",
            f"Every command that starts with {' or '.join(words)}, with any further words, alone or beside other "
            f"allowed commands, {_CHAT}{as_it_is} {still}",
            grant,
        )
    if key.startswith(KEYS_OF_ONE):
        node = shown_key(key).partition(":")[2]
        return Option(
            "allow_session",
            OptionKind.ALLOW_SESSION,
            f"Allow {node} for this chat",
            f"Every call of {node}, and of nothing else, as long as it is what it is now, {_CHAT} {_STILL}",
            grant,
        )
    return Option(
        "allow_session",
        OptionKind.ALLOW_SESSION,
        f"Allow {key} for this chat",
        f"Every {key} call {_CHAT} {_STILL}",
        grant,
    )


def _every(tool: str) -> str:
    """All that a tool can be called for, in words: of a shell that is more than its name says."""
    return "every shell command" if tool == SHELL_TOOL else f"every {tool} call"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_TO_DO = {
    Access.READ: ("reading in", "Reading, and nothing else,"),
    Access.WRITE: ("changes in", "Reading and changing files"),
    Access.DELETE: ("changes and deleting in", "Reading, changing and deleting files"),
    Access.RUN: ("everything in", "Reading, changing and deleting files, and starting what lies there,"),
}


def _directory(scope: Scope) -> Iterator[Option]:
    if scope.directory is None or not scope.session_options or not _can_be_read(scope.directory.directory):
        return
    title, does = _TO_DO[scope.directory.access]
    yield Option(
        f"allow_directory:{scope.directory.access}:{scope.directory.directory}",
        OptionKind.ALLOW_SESSION,
        f"Allow {title} {scope.directory.directory} for this chat",
        f"{does} in {scope.directory.directory} and all folders below it, {_CHAT} "
        "Secrets and protected files still ask.",
        scope.directory,
    )


def _root(scope: Scope) -> Iterator[Option]:
    # Every chat shares the workspace: what cannot be stored cannot become a part of it.
    if not scope.root or scope.rules_kept is Kept.MEMORY or not _can_be_read(scope.root):
        return
    yield Option(
        f"add_directory:{scope.root}",
        OptionKind.ADD_DIRECTORY,
        "Add this directory to the workspace",
        f"{scope.root} and all folders below it count as inside, {_REACHES[scope.rules_kept]}: "
        f"what is asked for there follows the mode. {_STORED[scope.rules_kept]} {_STILL}",
        RootGrant(scope.root),
    )


_MOST_RULES = 2


def _rules(scope: Scope) -> Iterator[Option]:
    if _is_withheld(scope):
        return
    shown = [
        one for one in scope.always if one.pattern != WHOLE_TOOL and _can_be_read(one.tool, one.pattern, one.words)
    ]
    for one in shown[:_MOST_RULES]:
        yield _rule(one, scope.rules_kept)


@lru_cache(maxsize=_REMEMBERED)
def _rule(one: Suggestion, kept: Kept) -> Option:
    return Option(
        f"always:{one.tool}:{one.pattern}",
        OptionKind.ALLOW_ALWAYS,
        f"Always allow {one.tool}: {_shown_pattern(one)}",
        f"{one.words} It runs without asking, {_REACHES[kept]}. {_STORED[kept]}",
        RuleGrant(one.tool, one.pattern),
    )


def _shown_pattern(one: Suggestion) -> str:
    if one.tool == SHELL_TOOL:
        return without_identities(one.pattern)
    return without_identity(one.pattern)[0] if one.tool in (NODE_TOOL, MCP_TOOL) else one.pattern


def _tool(scope: Scope) -> Iterator[Option]:
    if not scope.always_tool or _is_withheld(scope) or not _can_be_read(scope.always_tool):
        return
    yield _for_tool_always(scope.always_tool, scope.rules_kept, _STILL_FOR_A_TOOL[scope.outside_asks])


@lru_cache(maxsize=_REMEMBERED)
def _for_tool_always(tool: str, kept: Kept, still: str) -> Option:
    return Option(
        f"always_tool:{tool}",
        OptionKind.ALLOW_ALWAYS,
        f"Always allow {_every(tool)}",
        f"{_capital(_every(tool))} runs without asking, {_REACHES[kept]}. {_STORED[kept]} {still}"
        f"{_BY_ITSELF if tool == SHELL_TOOL else ''}",
        ToolGrant(tool),
        by_id_only=tool == SHELL_TOOL,
    )


def _is_withheld(scope: Scope) -> bool:
    """What is stored nowhere is one more option for the length of a chat."""
    return scope.rules_kept is Kept.MEMORY and not scope.session_options


def _bypass(scope: Scope) -> Iterator[Option]:
    if not scope.bypass_available:
        return
    if scope.session_options:
        yield _FOR_THE_CHAT
    if scope.session_options or scope.bypass_kept is not Kept.MEMORY:
        yield bypass_of_agent(scope.agent_id, scope.agent_name, scope.bypass_kept)


_FOR_THE_CHAT = Option(
    "bypass_session",
    OptionKind.BYPASS_SESSION,
    "Bypass permissions for this chat",
    f"Every call runs without asking {_CHAT} {_STILL}",
    ChatBypass(),
)


@lru_cache(maxsize=_REMEMBERED)
def bypass_of_agent(agent_id: str, name: str, kept: Kept) -> Option:
    """The answer that lets an agent ask no more."""
    return Option(
        "bypass_agent",
        OptionKind.BYPASS_AGENT,
        f"Bypass permissions for {name}",
        f"Every call of {name} runs without asking, {_REACHES[kept]}. {_STORED[kept]} {_STILL}",
        AgentBypass(agent_id or name),
    )


def _never(scope: Scope) -> Iterator[Option]:
    never = scope.never
    if never is None or not _can_be_read(never.tool, never.pattern, never.words):
        return
    yield _denying_rule(never, scope.rules_kept)


@lru_cache(maxsize=_REMEMBERED)
def _denying_rule(never: Suggestion, kept: Kept) -> Option:
    what = _every(never.tool) if never.pattern == WHOLE_TOOL else f"{never.tool}: {never.pattern}"
    return Option(
        f"never:{never.tool}:{never.pattern}",
        OptionKind.REJECT_ALWAYS,
        f"Never allow {what}",
        f"{never.words} It is refused without asking, {_REACHES[kept]}, whatever else is allowed; "
        f"this call, too. {_STORED[kept]}",
        RuleGrant(never.tool, never.pattern, permits=False),
    )


def _can_be_read(*texts: str) -> bool:
    """What cannot be shown, or would reorder what stands beside it, cannot be agreed to."""
    return all(text and text.isprintable() for text in texts)


_LASTING = {
    Situation.ORDINARY: (_background, _session, _rules, _tool, _bypass, _never),
    Situation.RAISED: (_background, _directory, _rules, _never),
    Situation.OUTSIDE: (_background, _directory, _root, _never),
    Situation.ASK_RULE: (_background, _never),
    Situation.BY_HAND: (_never,),
    Situation.PROTECTED: (_never,),
}
