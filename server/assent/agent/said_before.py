"""What the user has said in a chat to calls that were asked for one by one. It decides nothing. Pure."""

from assent.lazy_dataclasses import dataclass
from assent.model.approval import Option, OptionKind, Repeated, Risk, RiskLevel
from assent.model.grants import RuleGrant
from assent.model.verdict import Situation
from assent.policy.rules.rule import WHOLE_TOOL

OFTEN = 3
"""From so many equal answers on, the next card says so."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question, by all that makes another one the same to a person."""

    agent_id: str
    tool: str
    doing: str
    """A digest of what the call would do: the very same again has the same."""
    options: tuple[Option, ...]
    situation: Situation
    risk: Risk | None
    interrupted: bool = False

    @property
    def rule(self) -> Option | None:
        """The narrowest rule that would let such calls run; none where a yes to many would be no small thing."""
        if self.interrupted or self.situation is not Situation.ORDINARY or _is_risky(self.risk):
            return None
        rules = (one for one in self.options if one.kind is OptionKind.ALLOW_ALWAYS and not one.disabled)
        return next(
            (one for one in rules if isinstance(one.grant, RuleGrant) and one.grant.pattern != WHOLE_TOOL), None
        )


class SaidBefore:
    """Counts what was clicked for one call alone. A no takes back what was said before in favour of such calls."""

    def __init__(self) -> None:
        self._yes: dict[tuple[str, str, str], int] = {}
        self._no: dict[tuple[str, str, str], int] = {}

    def said(self, prompt: Prompt, kind: OptionKind) -> None:
        """The user has answered it with this."""
        like_it, same = _by_rule(prompt), (prompt.agent_id, prompt.tool, prompt.doing)
        if kind is OptionKind.ALLOW_ONCE:
            self._no.pop(same, None)
            if like_it is not None:
                self._yes[like_it] = self._yes.get(like_it, 0) + 1
        elif kind.refuses:
            self._no[same] = self._no.get(same, 0) + 1
            if like_it is not None:
                self._yes.pop(like_it, None)

    def repeated(self, prompt: Prompt) -> Repeated | None:
        """What a card says of it."""
        denied = self._no.get((prompt.agent_id, prompt.tool, prompt.doing), 0)
        if denied >= OFTEN:
            return Repeated(OptionKind.REJECT_ONCE, denied)
        like_it = _by_rule(prompt)
        allowed = 0 if like_it is None else self._yes.get(like_it, 0)
        return Repeated(OptionKind.ALLOW_ONCE, allowed) if allowed >= OFTEN else None


def _by_rule(prompt: Prompt) -> tuple[str, str, str] | None:
    rule = prompt.rule
    if rule is None or not isinstance(rule.grant, RuleGrant):
        return None
    return prompt.agent_id, rule.grant.tool, rule.grant.pattern


def _is_risky(risk: Risk | None) -> bool:
    return risk is not None and risk.level is not RiskLevel.LOW
