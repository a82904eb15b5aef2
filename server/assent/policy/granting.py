"""What a grant makes of the rules that are in force, and which grants a call needs to run."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from assent.lazy_dataclasses import dataclass
from assent.model.calls import CallFacts
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    Grant,
    KeyGrant,
    RootGrant,
    RuleGrant,
    ToolGrant,
)
from assent.policy.decide import runs
from assent.policy.rules.book import book_of
from assent.policy.rules.rule import CHAT, Effect, Rule
from assent.policy.rules_in_force import Rules


def with_grant(rules: Rules, grant: Grant) -> Rules:
    """The rules of a chat in which this was granted. What makes a directory a part of the workspace changes facts."""
    match grant:
        case KeyGrant():
            return replace(rules, session_grants=rules.session_grants.union(grant.keys))
        case DirectoryGrant():
            return replace(rules, directory_grants=(*rules.directory_grants, grant))
        case ToolGrant(tool):
            return replace(rules, chat_tools=rules.chat_tools | {tool})
        case RuleGrant():
            book = book_of((*rules.chat_book.rules, rule_of(grant)), rules.roots, rules.home)
            return replace(rules, chat_book=book)
        case ChatBypass():
            return replace(rules, bypass_session=True)
        case AgentBypass():
            return replace(rules, bypass_agent=True)
        case RootGrant():
            return rules


def rule_of(grant: RuleGrant) -> Rule:
    """The rule that a click adds to its chat."""
    return Rule(Effect.ALLOW if grant.permits else Effect.DENY, grant.tool, grant.pattern, CHAT)


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that is granted in a chat, by its id, with the calls that it still lets run; None: however many."""

    grant_id: str
    grant: Grant
    left: int | None = None


def bare(rules: Rules) -> Rules:
    """The rules without anything that is granted for the length of a chat."""
    return replace(rules, session_grants=frozenset(), directory_grants=(), bypass_session=False)


def granting(rules: Rules, counted: Sequence[Counted]) -> Rules:
    """The rules with these grants."""
    return reduce(with_grant, (one.grant for one in counted), rules)


def needed(facts: CallFacts, rules: Rules, counted: Sequence[Counted]) -> tuple[str, ...]:
    """The ids of the grants for whose sake the call runs; `rules` are those without them.

    Of several that would do, the ones that stand first are taken. Whatever the reason is that the decision names: a
    grant for a directory can be needed although a mode or a bypass has the last word.
    """
    if not counted or runs(facts, rules) or not runs(facts, granting(rules, counted)):
        return ()
    kept = list(counted)
    for one in reversed(counted):
        rest = [other for other in kept if other is not one]
        # To take a grant away permits nothing more, so what is left over in the end is all needed.
        if runs(facts, granting(rules, rest)):
            kept = rest
    return tuple(one.grant_id for one in kept)
