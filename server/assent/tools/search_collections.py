"""search_collections: which collections of documents fit a question, and the best of each."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.collections import Collection
from assent.model.conversation import ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.collection_calls import LONGEST_QUERY, QUERY, bound, require_same, uses
from assent.tools.collection_words import UNFINISHED, described, passages
from assent.tools.library import Library, MayShow, Reply, State
from assent.tools.names import printable
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of

EACH = 3
"""Passages of each collection."""


class SearchCollectionsArguments(Arguments):
    """What search_collections takes."""

    query: str = Field(min_length=1, max_length=LONGEST_QUERY, description=QUERY)


class SearchCollections:
    """Asks all collections at once, as far as rules let their documents be read now."""

    spec = ToolSpec(
        "search_collections",
        "Finds which collections of documents fit words, by name, description and content, with the best passages of"
        " each. query_collection finds more in one of them.",
        schema_of(SearchCollectionsArguments),
    )
    category = Category.READ

    def __init__(self, library: Library, roots: Roots, may_show: MayShow) -> None:
        self._library = library
        self._roots = roots
        self._may_show = may_show

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(SearchCollectionsArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = SearchCollectionsArguments.model_validate(args)
        roots, known = self._roots(), self._library.collections()
        return Prepared(
            headline=f"Search all collections for “{printable(wanted.query)}”",
            directory=roots[0] if roots else "",
            preview=JsonPreview(readable_json(args)),
            paths=uses(known, roots),
            state=bound(known),
            grant_key=self.spec.name,
            perform=lambda: self._search(wanted, known),
        )

    async def _search(self, wanted: SearchCollectionsArguments, seen: Sequence[Collection]) -> ToolAnswer:
        known = self._library.collections()
        require_same(seen, known)
        reply = await self._library.find([one.name for one in known], wanted.query, EACH, self._may_show)
        text = "\n".join(_fitting(known, wanted.query, reply, self._roots())) or "No collection fits these words."
        return ToolAnswer(text if reply.finished else f"{text}\n{UNFINISHED}", truncated=not reply.finished)


def _fitting(known: Sequence[Collection], query: str, reply: Reply, roots: Sequence[str]) -> Iterator[str]:
    """Those that fit, the ones first in which the best passage is."""

    def rank(one: Collection) -> float:
        hits = reply.hits.get(one.name, ())
        return hits[0].score if hits else 0.0

    for one in sorted(known, key=rank):
        hits = reply.hits.get(one.name, ())
        if hits or _is_named(one, query):
            yield described(one, reply.states.get(one.name, State()), roots)
            yield from (f"    {line}" for line in passages(hits, roots).splitlines())


def _is_named(collection: Collection, query: str) -> bool:
    """Whether its name or description holds a word of the question."""
    said = f"{collection.name} {collection.description}".casefold()
    return any(len(word) > 2 and word in said for word in query.casefold().replace('"', " ").split())
