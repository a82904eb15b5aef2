"""Sentences about collections of documents."""

from assent.providers.held import Held
from assent.providers.phrases.words import Found, Phrases, just, naming
from assent.providers.wish import Wish


def _query(match: Found, held: Held) -> Wish:
    name, query = held.restore(match[1]), held.name(match[2])
    return Wish("query_collection", {"collection": name, "query": query}, f"search the collection {name}")


_SEARCH = naming("search_collections", "query", "search the documents for {}")

PHRASES: Phrases = (
    (r"list\s+(?:the\s+)?collections[.!]?", just("list_collections", "list the collections of documents")),
    (r"search\s+(?:the\s+|my\s+|all\s+)?(?:documents|collections)\s+for\s+(.+)", _SEARCH),
    (r"search\s+(?:the\s+)?collection\s+(\S+)\s+for\s+(.+)", _query),
)
