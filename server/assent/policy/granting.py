"""What a grant makes of the rules that are in force."""

from dataclasses import replace

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
from assent.policy.rules.book import RuleBook
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
            book = RuleBook((*rules.chat_book.rules, rule_of(grant)), rules.roots, rules.home)
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
