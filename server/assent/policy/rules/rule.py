"""One rule as the settings have it, with the place that a person finds it in."""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass

WHOLE_TOOL = "*"
"""The pattern of a rule that holds for every call of its tool, whatever it touches."""


SHELL_TOOL = "bash"
"""The tool whose patterns are about commands, whoever runs them."""


WEB_TOOL = "web_fetch"
"""The tool whose patterns are about addresses, whoever reaches them."""


USER = "user"
"""The scope of a rule that counts in every workspace."""


CHAT = "chat"
"""The scope of a rule that was clicked in a chat and stands in no settings (yet)."""


class Effect(StrEnum):
    """What a rule does with the calls that it matches."""

    DENY = "deny"
    ASK = "ask"
    ALLOW = "allow"

    @property
    def restricts(self) -> bool:
        """One matching path of a call is enough, and a doubt counts as a match."""
        return self is not Effect.ALLOW


_WHOSE = {"user": "your user settings", "workspace": "the workspace's settings", "folder": "the folder's settings"}


@dataclass(frozen=True, slots=True)
class Rule:
    """An entry of the deny, ask or allow rules. `agents` is None where it holds for all of them."""

    effect: Effect
    tool: str
    pattern: str
    scope: str = USER
    file: str | None = None
    line: int | None = None
    agents: tuple[str, ...] | None = None

    @property
    def place(self) -> str:
        """Where the rule stands, for people."""
        whose = _WHOSE.get(self.scope, f"the {self.scope} settings")
        if self.file is None:
            return whose
        return f"{whose} ({self.file}, line {self.line})" if self.line else f"{whose} ({self.file})"

    @property
    def named(self) -> str:
        """The rule as a sentence about it begins."""
        return f"The {self.effect} rule {self.pattern!r} for {self.tool} in {self.place}"

    @property
    def audience(self) -> tuple[str, ...] | None:
        """The agents that it speaks of; None for all. A restriction for nobody is a mistake: it holds for all."""
        return None if self.effect.restricts and not self.agents else self.agents
