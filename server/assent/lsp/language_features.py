"""The handlers around settings files that are open in an editor: what is wrong, what it means, what fits, what can be
done about it."""

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from assent.lsp.diagnostics import SettingsDiagnostics, shown_diagnostic
from assent.lsp.faults import RpcFault
from assent.lsp.handlers import Handlers
from assent.lsp.named_faults import rpc_fault
from assent.lsp.protocol import AssentServer
from assent.lsp.settings_documents import SettingsDocument, SettingsDocuments
from assent.model.errors import AssentError
from assent.runtime.tasks import TaskGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App

OPTIONS = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=['"']),
    lsp.TEXT_DOCUMENT_CODE_LENS: lsp.CodeLensOptions(resolve_provider=False),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
}
"""What is said of these handlers when a client asks what there is."""
TURN_OFF_BYPASS = "assent.turnOffBypass"
_MOST_FIXES = 20
_REFRESHING_SECONDS = 10.0


class LanguageFeatures:
    """Parses, calls, converts. What of an editor's documents holds no settings is forgotten at once."""

    def __init__(self, server: AssentServer, app: "Callable[[], App]", shown: SettingsDiagnostics) -> None:
        self._server = server
        self._app = app
        self._documents = SettingsDocuments(lambda: app().language, shown)
        self._tasks = TaskGroup("code lenses")
        self._refreshing: asyncio.Task[None] | None = None
        self._refreshes = False
        self._outdated = False
        """The settings are others than those that the editor was last asked to look at."""
        self._editor_describes = False

    def handlers(self) -> Handlers:
        return {
            lsp.TEXT_DOCUMENT_DID_OPEN: self._opened,
            lsp.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            lsp.TEXT_DOCUMENT_COMPLETION: self._complete,
            lsp.TEXT_DOCUMENT_HOVER: self._hover,
            lsp.TEXT_DOCUMENT_CODE_LENS: self._lenses,
            lsp.TEXT_DOCUMENT_CODE_ACTION: self._actions,
        }

    def meet(self, announced: tuple[str, ...], workspace: lsp.WorkspaceClientCapabilities | None) -> None:
        """Takes in what the client can do."""
        self._editor_describes = "describesSettings" in announced
        lenses = workspace.code_lens if workspace is not None else None
        self._refreshes = lenses is not None and lenses.refresh_support is True

    def came(self) -> None:
        """The client has said who it is."""
        self._app().language.watch(self._settings_changed)

    async def went(self) -> None:
        """It is gone."""
        self._app().language.unwatch(self._settings_changed)
        await self._documents.end()
        await self._tasks.cancel()

    async def turn_off_bypass(self, agent: str, scope: str) -> None:
        """What stands above a bypass was clicked."""
        try:
            await self._app().language.turn_off_bypass(agent, scope)
        except AssentError as fault:
            raise rpc_fault(fault) from fault

    def _settings_changed(self) -> None:
        self._documents.settings_changed()
        self._outdated = self._refreshes and self._documents.any
        if self._outdated and (self._refreshing is None or self._refreshing.done()):
            self._refreshing = self._tasks.start(self._refresh(), "refresh")

    async def _refresh(self) -> None:
        # What changes before the editor has answered, it may have looked at too early.
        while self._outdated:
            self._outdated = False
            try:
                await self._server.ask(lsp.WORKSPACE_CODE_LENS_REFRESH, None, timeout=_REFRESHING_SECONDS)
            except (RpcFault, TimeoutError):
                return  # The next look at the file shows it.

    async def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        self._documents.opened(document.uri, document.text)

    async def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        for change in params.content_changes:
            # Whoever tells parts of a text was not asked to: what is known of it would be wrong from then on.
            if not isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
                self._documents.closed(params.text_document.uri)
                return
            self._documents.changed(params.text_document.uri, change.text)

    async def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._documents.closed(params.text_document.uri)

    def _small(self, uri: str) -> SettingsDocument | None:
        document = self._documents.get(uri)
        return document if document is not None and document.draft.too_large is None else None

    async def _complete(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem] | None:
        document = self._small(params.text_document.uri)
        if document is None:
            return None
        known = self._app().language.known(editor_describes=self._editor_describes)
        text, at, nested = document.text, params.position, document.place.in_workspace_file

        def work() -> list[lsp.CompletionItem]:
            from assent.lsp.language_words import shown_offers
            from assent.settings.language.completing import offers
            from assent.settings.language.where import locate, offset_of

            where = locate(text, offset_of(text, at.line, at.character))
            found = offers(where, text[where.end :][:200], known, in_workspace_file=nested) if where else []
            return shown_offers(found, where, text) if where else []

        return await asyncio.to_thread(work)

    async def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        document = self._small(params.text_document.uri)
        if document is None:
            return None
        known = self._app().language.known(editor_describes=self._editor_describes)
        text, at, draft = document.text, params.position, document.draft

        def work() -> lsp.Hover | None:
            from assent.lsp.language_words import shown_hover
            from assent.settings.language.hovering import hover
            from assent.settings.language.where import locate, offset_of

            # A position is before its character, and who points means the character.
            where = locate(text, offset_of(text, at.line, at.character) + 1)
            nested = draft.place.in_workspace_file
            said = hover(where, draft.readable(), known, in_workspace_file=nested) if where is not None else None
            return shown_hover(said, text) if said is not None else None

        return await asyncio.to_thread(work)

    async def _lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        document = self._small(params.text_document.uri)
        looked = await self._documents.looked(document) if document is not None else None
        if document is None or looked is None or looked.layer is None:
            return None
        from assent.lsp.language_words import shown_lenses
        from assent.settings.language.lenses import lenses

        known = self._app().language.known(editor_describes=self._editor_describes)
        return shown_lenses(lenses(looked.layer, known), document.place.scope.value, TURN_OFF_BYPASS)

    async def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        document = self._small(params.text_document.uri)
        looked = await self._documents.looked(document) if document is not None else None
        if document is None or looked is None or looked.layer is None or looked.layer.document is None:
            return None
        from assent.lsp.language_words import shown_fix
        from assent.settings.language.mending import fixes

        found: list[lsp.CodeAction] = []
        for one in looked.diagnostics:
            shown = shown_diagnostic(one)
            if shown is not None and _meets(shown.range, params.range):
                made = fixes(one, looked.layer.document)
                found += (shown_fix(fix, document.uri, looked.layer.document.text, shown) for fix in made)
        return found[:_MOST_FIXES]


def _meets(one: lsp.Range, other: lsp.Range) -> bool:
    """Whether they have a place in common; the end of one may be the start of the other."""
    return _place(one.start) <= _place(other.end) and _place(other.start) <= _place(one.end)


def _place(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character
