"""What each kind of server for searching is asked, and what its answers say. Words, no I/O."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from html import unescape
from re import compile as pattern
from typing import Protocol
from urllib.parse import urlencode

from assent.jsontext import write_json
from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.model.search import Hit
from assent.model.services import Maker

MOST_HITS = 20
_MARKS = pattern(r"</?[a-zA-Z][^<>]*>")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request: what comes behind the address of the server, and what is sent there."""

    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


class Searching(Protocol):
    """How one kind of server is spoken to."""

    @property
    def usual_address(self) -> str:
        """Where it is, where the settings do not say; empty where they must."""

    def ask(self, query: str, count: int, key: str) -> Wanted:
        """The request for so many pages."""

    def hits(self, answer: Json) -> tuple[Hit, ...] | None:
        """What an answer names; None for one that is none."""


class SearXng:
    """`GET /search?format=json`, which its owner has to switch on."""

    usual_address = ""

    def ask(self, query: str, count: int, key: str) -> Wanted:
        return Wanted(f"/search?{urlencode({'q': query, 'format': 'json'})}", _bearer(key))

    def hits(self, answer: Json) -> tuple[Hit, ...] | None:
        return _listed(answer, "results", snippet=("content",))


class Brave:
    """`GET /web/search`, with a key of its own kind."""

    usual_address = "https://api.search.brave.com/res/v1"

    def ask(self, query: str, count: int, key: str) -> Wanted:
        return Wanted(
            f"/web/search?{urlencode({'q': query, 'count': count, 'text_decorations': 'false'})}",
            {"x-subscription-token": key} if key else {},
        )

    def hits(self, answer: Json) -> tuple[Hit, ...] | None:
        if not isinstance(answer, Mapping) or not isinstance(answer.get("type"), str):
            return None
        # Where it finds nothing, it says nothing of the web at all.
        web = answer.get("web")
        return () if web is None else _listed(web, "results", snippet=("description",))


class Tavily:
    """`POST /search` with a bearer's key."""

    usual_address = "https://api.tavily.com"

    def ask(self, query: str, count: int, key: str) -> Wanted:
        body = {"query": query, "max_results": count, "search_depth": "basic", "include_answer": False}
        return Wanted("/search", {"content-type": "application/json", **_bearer(key)}, write_json(body))

    def hits(self, answer: Json) -> tuple[Hit, ...] | None:
        return _listed(answer, "results", snippet=("content",))


class Custom:
    """`GET <address>?q=…&count=…`, answered with a list of pages, or with one under `results`."""

    usual_address = ""

    def ask(self, query: str, count: int, key: str) -> Wanted:
        return Wanted(f"?{urlencode({'q': query, 'count': count})}", _bearer(key))

    def hits(self, answer: Json) -> tuple[Hit, ...] | None:
        whole = {"results": answer} if isinstance(answer, list) else answer
        return _listed(whole, "results", snippet=("snippet", "content", "description"))


SEARCHING: Mapping[Maker, Searching] = {
    Maker.SEARXNG: SearXng(),
    Maker.BRAVE: Brave(),
    Maker.TAVILY: Tavily(),
    Maker.CUSTOM: Custom(),
}


def _bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"} if key else {}


def _listed(answer: Json, name: str, *, snippet: tuple[str, ...]) -> tuple[Hit, ...] | None:
    found = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(found, list):
        return None
    return tuple(_hits(found[: MOST_HITS * 2], snippet))


def _hits(found: Iterable[Json], snippet: tuple[str, ...]) -> Iterable[Hit]:
    for one in found:
        if not isinstance(one, Mapping):
            continue
        url = one.get("url")
        # What is no address of a page cannot be fetched, and would only look as if it could.
        if isinstance(url, str) and url.startswith(("http://", "https://")) and url.isprintable() and " " not in url:
            words = next((text for name in snippet if (text := _plain(one.get(name)))), "")
            yield Hit(_plain(one.get("title")), url, words)


def _plain(value: Json) -> str:
    """Text on one line, without the marks of a page in it."""
    text = unescape(_MARKS.sub("", value)) if isinstance(value, str) else ""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
