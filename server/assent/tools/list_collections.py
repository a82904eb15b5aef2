"""list_collections: which collections of documents there are."""

from collections.abc import Sequence

from assent.agent.ports import Prepared, ToolAnswer
from assent.jsontext import readable_json
from assent.model.collections import Collection
from assent.model.conversation import ToolSpec
from assent.model.json import JsonObject
from assent.model.modes import Category
from assent.model.preview import JsonPreview
from assent.tools.collection_calls import bound, require_same, uses
from assent.tools.collection_words import UNFINISHED, described
from assent.tools.library import Library, MayShow, State
from assent.tools.places import Roots
from assent.tools.schema import Arguments, schema_fault, schema_of


class ListCollectionsArguments(Arguments):
    """What list_collections takes: nothing."""


class ListCollections:
    """Says how many documents each has, and what is left out of it."""

    spec = ToolSpec(
        "list_collections",
        "Lists the collections of documents that can be searched: name, folder, how many documents.",
        schema_of(ListCollectionsArguments),
    )
    category = Category.READ

    def __init__(self, library: Library, roots: Roots, may_show: MayShow) -> None:
        self._library = library
        self._roots = roots
        self._may_show = may_show

    def fault(self, args: JsonObject) -> str | None:
        return schema_fault(ListCollectionsArguments, args)

    async def prepare(self, args: JsonObject) -> Prepared:
        roots, known = self._roots(), self._library.collections()
        return Prepared(
            headline="List the collections of documents",
            directory=roots[0] if roots else "",
            preview=JsonPreview(readable_json(args)),
            paths=uses(known, roots),
            state=bound(known),
            grant_key=self.spec.name,
            perform=lambda: self._list(known),
        )

    async def _list(self, seen: Sequence[Collection]) -> ToolAnswer:
        known = self._library.collections()
        require_same(seen, known)
        if not known:
            return ToolAnswer("There are none: no folder is open, and assent.collections names none.")
        reply = await self._library.survey(self._may_show)
        text = "\n".join(described(one, reply.states.get(one.name, State()), self._roots()) for one in known)
        return ToolAnswer(text if reply.finished else f"{text}\n{UNFINISHED}", truncated=not reply.finished)
