"""Calls that reach addresses, and the rules about them."""

from assent.model.addresses import Addresses
from assent.model.calls import CallFacts, PathUse
from assent.model.modes import Category
from assent.policy.rules.addresses import read_address
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import WEB_TOOL, Effect, Rule


def fetch(*urls: str, tool: str = WEB_TOOL, unseen: str = "", paths: tuple[PathUse, ...] = ()) -> CallFacts:
    """A call that reaches these; under another name it still does what `web_fetch` does."""
    also = () if tool == WEB_TOOL else (WEB_TOOL,)
    addresses = Addresses(tuple(map(read_address, urls)), unseen)
    return CallFacts(
        tool, known=True, category=Category.EXTERNAL, paths=paths, grant_key=tool, also=also, addresses=addresses
    )


def web_book(effect: Effect, *patterns: str) -> RuleBook:
    """A book with these patterns for `web_fetch`."""
    return RuleBook(Rule(effect, WEB_TOOL, pattern) for pattern in patterns)


def web_allows(pattern: str, *urls: str) -> bool:
    return web_book(Effect.ALLOW, pattern).first(Effect.ALLOW, fetch(*urls), "Demo") is not None


def web_denies(pattern: str, *urls: str) -> bool:
    """Whether it is denied, and asked for by an ask rule, and by no other name let through."""
    found = {
        web_book(effect, pattern).first(effect, fetch(*urls, tool=tool), "Demo") is not None
        for effect in (Effect.DENY, Effect.ASK)
        for tool in (WEB_TOOL, "acp:other", "bash")
    }
    assert len(found) == 1, "a deny rule and an ask rule speak of the same calls, by whatever name"
    return found.pop()
