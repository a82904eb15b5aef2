"""query_collection: the passages of one collection of documents that fit a question best."""

from pydantic import Field

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.collections import Collection
from assent.model.conversation import ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.collection_calls import LONGEST_QUERY, QUERY, bound, no_collection, require_same, uses
from assent.tools.collection_words import UNFINISHED, passages
from assent.tools.library import Library, MayShow
from assent.tools.names import printable
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of

USUAL = 8
MOST = 50


class QueryCollectionArguments(Arguments):
    """What query_collection takes."""

    collection: str = Field(min_length=1, max_length=200, description="Its name, as list_collections gives it.")
    query: str = Field(min_length=1, max_length=LONGEST_QUERY, description=QUERY)
    n: int = Field(USUAL, ge=1, le=MOST, description="How many passages.")


class QueryCollection:
    """Reads what was indexed of documents, as far as rules let those be read now."""

    spec = ToolSpec(
        "query_collection",
        "Finds passages in a collection of documents by words: path, lines, headings, and a piece of the text.",
        schema_of(QueryCollectionArguments),
    )
    category = Category.READ

    def __init__(self, library: Library, roots: Roots, may_show: MayShow) -> None:
        self._library = library
        self._roots = roots
        self._may_show = may_show

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(QueryCollectionArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        wanted = QueryCollectionArguments.model_validate(args)
        roots, known = self._roots(), self._library.collections()
        meant = [one for one in known if one.name == wanted.collection]
        return Prepared(
            headline=f"Search the collection {printable(wanted.collection)} for “{printable(wanted.query)}”",
            directory=roots[0] if roots else "",
            preview=JsonPreview(readable_json(args)),
            paths=uses(meant, roots),
            state=bound(meant),
            grant_key=self.spec.name,
            perform=lambda: self._find(wanted, meant),
            impossible=None if meant else no_collection(wanted.collection, known),
        )

    async def _find(self, wanted: QueryCollectionArguments, seen: list[Collection]) -> ToolAnswer:
        known = self._library.collections()
        meant = [one for one in known if one.name == wanted.collection]
        if not meant:
            raise no_collection(wanted.collection, known)
        require_same(seen, meant)
        reply = await self._library.find([wanted.collection], wanted.query, wanted.n, self._may_show)
        hits = reply.hits.get(wanted.collection, ())
        text = passages(hits, self._roots()) or "Nothing in this collection that may be read holds any of these words."
        return ToolAnswer(text if reply.finished else f"{text}\n{UNFINISHED}", truncated=not reply.finished)
