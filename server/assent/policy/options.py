"""Which answers a card offers, in words that say how far each reaches."""

from dataclasses import dataclass
from enum import StrEnum

from assent.model.approval import Option, OptionKind
from assent.model.verdict import Situation


class Kept(StrEnum):
    """Where a bypass for an agent would be stored."""

    WORKSPACE = "workspace"
    USER = "user"
    MEMORY = "memory"


_REACH = {
    Kept.WORKSPACE: "in this workspace runs without asking, from now on and in every chat. "
    "Stored in the workspace's settings.",
    Kept.USER: "in every workspace runs without asking, from now on and in every chat. Stored in your user settings.",
    Kept.MEMORY: "in this window runs without asking, in every chat, until the window is closed. It is not stored.",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """What the words of the options speak of, and what the settings allow to be offered."""

    agent_name: str
    grant_label: str
    """What “this chat” would allow, for a person: “write_file”, “git status”."""
    bypass_available: bool
    grantable: bool = True
    """False where a grant for the chat would not cover this call the next time."""
    bypass_kept: Kept = Kept.WORKSPACE
    """Where a bypass for the agent would be stored, which says how far it reaches."""


def options_for(situation: Situation, scope: Scope) -> tuple[Option, ...]:
    """The buttons of a card: a way to refuse always, lasting ones only where nothing is protected."""
    options = [
        Option("approve", OptionKind.ALLOW_ONCE, "Approve", "This call only. The next one asks again."),
        Option("deny", OptionKind.REJECT_ONCE, "Deny", "This call does not run. The agent is told."),
    ]
    if situation is not Situation.ORDINARY:
        return tuple(options)
    if scope.grantable:
        options.append(
            Option(
                "allow_session",
                OptionKind.ALLOW_SESSION,
                f"Allow {scope.grant_label} for this chat",
                f"Every {scope.grant_label} call in this chat, until the window is closed. Protected files still ask.",
            )
        )
    if scope.bypass_available:
        options += [
            Option(
                "bypass_session",
                OptionKind.BYPASS_SESSION,
                "Bypass permissions for this chat",
                "Every call in this chat runs without asking, until the window is closed. Protected files still ask.",
            ),
            Option(
                "bypass_agent",
                OptionKind.BYPASS_AGENT,
                f"Bypass permissions for {scope.agent_name}",
                f"Every call of {scope.agent_name} {_REACH[scope.bypass_kept]} Protected files still ask.",
            ),
        ]
    return tuple(options)
