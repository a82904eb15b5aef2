"""Sentences about the network: pages that are fetched, searched for, and used in a browser."""

from assent.model.json import Json
from assent.providers.held import MARK, Held
from assent.providers.phrases.words import Found, Phrases, just, naming
from assent.providers.wish import Wish

_URL = rf"(https?://\S+|{MARK})"
_PART = rf"(e\d+|{MARK})"


def _fetch(match: Found, held: Held) -> Wish | None:
    url = held.name(match[1])
    return Wish("web_fetch", {"url": url}, f"fetch {url}") if _is_url(url) else None


def _open(match: Found, held: Held) -> Wish | None:
    url = held.name(match[1])
    return Wish("browser", {"action": "navigate", "url": url}, f"open {url}") if _is_url(url) else None


def _is_url(text: str) -> bool:
    """What is quoted may be anything."""
    return text.lower().startswith(("http://", "https://"))


def _click(match: Found, held: Held) -> Wish:
    args: dict[str, Json] = {"action": "click", **_part(match[1], held)}
    return Wish("browser", args, f"click on {held.restore(match[1])}")


def _type(match: Found, held: Held) -> Wish:
    args: dict[str, Json] = {"action": "fill", **_part(match[2], held), "text": held.restore(match[1])}
    return Wish("browser", args, f"type into {held.restore(match[2])}")


def _part(text: str, held: Held) -> dict[str, Json]:
    """A part of a page, as the tool names it, or a quoted CSS selector."""
    return {"selector": held.restore(text)} if held.is_whole(text) else {"ref": text.lower()}


PHRASES: Phrases = (
    (rf"(?:fetch|read|show)\s+(?:the\s+)?(?:page\s+)?{_URL}", _fetch),
    (rf"(?:open|visit)\s+(?:the\s+)?(?:page\s+)?{_URL}", _open),
    (r"read\s+the\s+page[.!]?", just("browser", "read the page", action="read")),
    (r"take\s+a\s+picture\s+of\s+the\s+page[.!]?", just("browser", "take a picture of the page", action="screenshot")),
    (rf"click\s+(?:on\s+)?{_PART}[.!]?", _click),
    (rf"type\s+(.+)\s+into\s+{_PART}[.!]?", _type),
    (r"search\s+(?:the\s+)?web\s+for\s+(.+)", naming("web_search", "query", "search the web for {}")),
)
