"""The settings files that one client has open: their text at this moment, and what was found in it.

They are looked at one after the other in a thread, each as it is by then: who types fast causes no more looks than
there is time for. Whatever fails here is logged, and costs nothing but a squiggle.
"""

import asyncio
import logging
from dataclasses import field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assent.lazy_dataclasses import dataclass
from assent.lsp.diagnostics import SettingsDiagnostics
from assent.lsp.faults import where_it_happened
from assent.lsp.folders import path_of
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.language import Language
    from assent.settings.language.drafts import Draft, Looked
    from assent.settings.language.places import SettingsPlace

log = logging.getLogger(__name__)


@dataclass(slots=True)
class SettingsDocument:
    """One of them."""

    uri: str
    place: "SettingsPlace"
    text: str
    stale: bool = True
    """Its text, or what it is looked at with, has changed since it was looked at."""
    looked: "Looked | None" = None
    looked_at: str | None = None
    """The text in which that was found."""
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def draft(self) -> "Draft":
        from assent.settings.language.drafts import Draft

        return Draft(self.place, self.text)


class SettingsDocuments:
    """Follows them from opening to closing."""

    def __init__(self, language: "Callable[[], Language]", shown: SettingsDiagnostics) -> None:
        self._language = language
        self._shown = shown
        self._open: dict[str, SettingsDocument] = {}
        self._tasks = TaskGroup("settings files")
        self._look: asyncio.Task[None] | None = None

    def get(self, uri: str) -> SettingsDocument | None:
        """The open file of this name, if it holds settings."""
        return self._open.get(uri)

    @property
    def any(self) -> bool:
        """Whether one is open."""
        return bool(self._open)

    def opened(self, uri: str, text: str) -> None:
        """It is there from now on, if it holds settings."""
        parts = urlsplit(uri)
        place = self._language().place_of(parts.scheme, path_of(parts.path))
        if place is not None:
            self._open[uri] = SettingsDocument(uri, place, text)
            self._look_soon()

    def changed(self, uri: str, text: str) -> None:
        """This is all of its text now."""
        document = self._open.get(uri)
        if document is not None:
            document.text, document.stale = text, True
            self._look_soon()

    def closed(self, uri: str) -> None:
        """What the disk holds is what there is again."""
        if self._open.pop(uri, None) is not None:
            self._shown.closed(uri)

    def settings_changed(self) -> None:
        """What other files say is another now."""
        for document in self._open.values():
            document.stale = True
        if self._open:
            self._look_soon()

    async def looked(self, document: SettingsDocument) -> "Looked | None":
        """What was found in its present text; None where that is another one by the end of the look."""
        if document.stale or document.looked_at != document.text:
            await self._look_at(document)
        # Places in an earlier text are none in this one: an edit made of them would take out something else.
        return document.looked if document.looked_at == document.text else None

    async def end(self) -> None:
        """The client is gone."""
        self._open.clear()
        await self._tasks.cancel()

    def _look_soon(self) -> None:
        if self._look is None or self._look.done():
            self._look = self._tasks.start(self._look_at_all(), "look")

    async def _look_at_all(self) -> None:
        while (document := next((one for one in self._open.values() if one.stale), None)) is not None:
            await self._look_at(document)

    async def _look_at(self, document: SettingsDocument) -> None:
        async with document.looking:
            if not document.stale:
                return
            document.stale, draft = False, document.draft
            try:
                looked = await self._language().look(draft)
            except Exception as fault:  # noqa: BLE001 what is shown beside settings must not cost more than itself
                log.error("settings that are open could not be looked at: %s", where_it_happened(fault))  # noqa: TRY400
                document.looked, document.looked_at = None, draft.text
                return
            if document.text == draft.text:
                document.looked, document.looked_at = looked, draft.text
            if self._open.get(document.uri) is document and document.text == draft.text:
                self._shown.drafted(document.uri, document.place.name, draft.text, looked.diagnostics)
