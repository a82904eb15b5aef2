"""The handlers around settings files that are open in an editor: what is wrong with them."""

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from assent.lsp.diagnostics import SettingsDiagnostics
from assent.lsp.handlers import Handlers
from assent.lsp.settings_documents import SettingsDocuments

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App


class LanguageFeatures:
    """Parses, calls, converts. What of an editor's documents holds no settings is forgotten at once."""

    def __init__(self, app: "Callable[[], App]", shown: SettingsDiagnostics) -> None:
        self._app = app
        self._documents = SettingsDocuments(lambda: app().language, shown)

    def handlers(self) -> Handlers:
        return {
            lsp.TEXT_DOCUMENT_DID_OPEN: self._opened,
            lsp.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self._closed,
        }

    def came(self) -> None:
        """The client has said who it is."""
        self._app().language.watch(self._documents.settings_changed)

    async def went(self) -> None:
        """It is gone."""
        self._app().language.unwatch(self._documents.settings_changed)
        await self._documents.end()

    async def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        self._documents.opened(document.uri, document.text, document.version)

    async def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        for change in params.content_changes:
            # Whoever tells parts of a text was not asked to: what is known of it would be wrong from then on.
            if not isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
                self._documents.closed(params.text_document.uri)
                return
            self._documents.changed(params.text_document.uri, change.text, params.text_document.version)

    async def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._documents.closed(params.text_document.uri)
