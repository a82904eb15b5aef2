"""The collections of this workspace: those of the settings, and the documents of the open folders by themselves."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from assent.agent.ports import Tool
from assent.agent.toolbelt import OfEachChat
from assent.collections.files import FOLDER
from assent.collections.librarian import Holding, Librarian
from assent.model.collections import Collection
from assent.model.ids import SessionId
from assent.model.paths import PathUse
from assent.policy.protected import is_secret
from assent.policy.rules_in_force import Rules
from assent.policy.withheld import is_withheld
from assent.tools.library import MayShow
from assent.tools.list_collections import ListCollections
from assent.tools.places import Roots
from assent.tools.query_collection import QueryCollection
from assent.tools.search_collections import SearchCollections

OF_FOLDERS = "workspace"
"""The collection that is there without settings; one of that name in the settings stands in its place."""
_ABOUT = "The documents of the open folders."


class Collections:
    """What there is to be asked, by whom, and what of it may be shown."""

    def __init__(
        self,
        state_directory: Path,
        folders: Roots,
        of_settings: Callable[[], Sequence[Collection]],
        secrets: Callable[[], frozenset[str]],
        rules: Callable[[SessionId], Rules | None],
    ) -> None:
        self._folders = folders
        self._of_settings = of_settings
        self._rules = rules
        self._librarian = Librarian(state_directory / FOLDER, self._holding, secrets)

    def tools(self) -> list[Tool]:
        """The tools by which agents ask them."""
        library, roots = self._librarian, self._folders
        return [
            OfEachChat(lambda chat: ListCollections(library, roots, self._shown_to(ListCollections, chat))),
            OfEachChat(lambda chat: SearchCollections(library, roots, self._shown_to(SearchCollections, chat))),
            OfEachChat(lambda chat: QueryCollection(library, roots, self._shown_to(QueryCollection, chat))),
        ]

    async def end(self) -> None:
        """Closes the index."""
        await self._librarian.end()

    def _holding(self) -> Holding:
        folders = tuple(dict.fromkeys(map(os.path.realpath, self._folders())))
        known = {one.name: one for one in self._of_settings()}
        if folders:
            known = {OF_FOLDERS: Collection(OF_FOLDERS, folders, description=_ABOUT), **known}
        return Holding(folders, tuple(one for one in known.values() if not any(map(is_secret, one.folders))))

    def _shown_to(
        self, tool: type[ListCollections | SearchCollections | QueryCollection], session_id: SessionId
    ) -> MayShow:
        def now() -> Callable[[PathUse, PathUse], bool]:
            rules = self._rules(session_id)

            def shows(use: PathUse, searched: PathUse) -> bool:
                # Of a chat that is closed, nobody knows what its agent may read.
                return rules is not None and not is_withheld(use, searched, tool.spec.name, rules)

            return shows

        return now
