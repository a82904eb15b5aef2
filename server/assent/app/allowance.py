"""One thing that is allowed without asking, or forbidden, in words for a person: where it comes from, when it ends."""

from typing import Literal

from assent.agent.chat import Chat
from assent.agent.grants import Given, Held, words_for
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Access
from assent.model.grants import AgentBypass, ChatBypass, DirectoryGrant, Grant, KeyGrant, RuleGrant, ToolGrant
from assent.model.ids import SessionId
from assent.settings.spelling import PREFIX
from assent.settings.stored import StoredGrant

Kind = Literal[
    "key",
    "directory",
    "bypass_session",
    "tool",
    "rule",
    "deny_rule",
    "ask_rule",
    "bypass_agent",
    "root",
    "mode",
    "matrix",
    "server",
    "server_trust",
]
Scope = Literal["chat", "workspace", "user"]


@dataclass(frozen=True, slots=True)
class End:
    """When it ends by itself."""

    seconds: float | None = None
    uses: int | None = None
    with_run: bool = False


@dataclass(frozen=True, slots=True)
class Allowance:
    """A line in the list of all that is allowed."""

    grant_id: str
    kind: Kind
    scope: Scope
    text: str
    session_id: SessionId | None = None
    agent_name: str | None = None
    given_at: str | None = None
    given_on: str | None = None
    used: int = 0
    last_used_at: str | None = None
    end: End | None = None
    setting: str | None = None
    file: str | None = None
    line: int | None = None
    effective: bool = True
    digest: str | None = None
    """Of what stands in the settings as it was listed."""


def of_chat(chat: Chat, given: Given, now: float, *, effective: bool) -> Allowance:
    """What was allowed for the length of a chat, or less."""
    limited = (given.until, given.uses, given.run_id) != (None, None, None)
    seconds = None if given.until is None else max(given.until - now, 0.0)
    return Allowance(
        given.grant_id,
        _kind(given.grant),
        "chat",
        _text(given.grant),
        chat.session_id,
        chat.agent.name,
        given.at or None,
        given.on or None,
        given.used,
        given.last_used_at,
        End(seconds, given.uses_left, given.run_id is not None) if limited else None,
        effective=effective,
    )


def held_in(chat: Chat, held: Held, *, effective: bool) -> Allowance:
    """What was to be stored, and counts in the chat where it was clicked until it is."""
    return Allowance(
        held.grant_id,
        _kind(held.grant),
        "chat",
        _text(held.grant),
        chat.session_id,
        chat.agent.name,
        held.at or None,
        held.on or None,
        effective=effective,
    )


def of_settings(grant_id: str, grant: StoredGrant) -> Allowance:
    """What stands in the settings."""
    return Allowance(
        grant_id,
        grant.kind.value,
        "user" if grant.origin.scope.value == "user" else "workspace",
        grant.words,
        agent_name=grant.agents[0][0] if len(grant.agents) == 1 else None,
        setting=f"{PREFIX}.{grant.setting}",
        file=grant.origin.file,
        line=grant.origin.line,
        effective=grant.effective,
        digest=grant.digest,
    )


def _kind(grant: Grant) -> Kind:
    match grant:
        case KeyGrant():
            return "key"
        case DirectoryGrant():
            return "directory"
        case ChatBypass():
            return "bypass_session"
        case ToolGrant():
            return "tool"
        case RuleGrant(permits=permits):
            return "rule" if permits else "deny_rule"
        case AgentBypass():
            return "bypass_agent"
    return "root"


_MAY = {
    Access.READ: "Reading",
    Access.WRITE: "Reading and changing files",
    Access.DELETE: "Reading, changing and deleting files",
    Access.RUN: "Reading, changing and deleting files, and starting what lies there,",
}


def _text(grant: Grant) -> str:
    match grant:
        case ChatBypass():
            return "Every call in this chat runs without asking, except on protected files."
        case AgentBypass(agent):
            return f"Every call of the agent {agent} runs without asking, except on protected files."
        case DirectoryGrant(directory, access):
            return f"{_MAY[access]} in {directory} and all folders below it"
    return words_for(grant)
