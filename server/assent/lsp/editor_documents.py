"""The documents of the client's editor, asked for when they are needed: nothing is sent while somebody types."""

import logging
from typing import Any

from lsprotocol import types as lsp

from assent.lsp.faults import RpcFault
from assent.lsp.protocol import AssentServer
from assent.protocol import editor as wire
from assent.tools.open_documents import EditorSilent, OpenDocument

logger = logging.getLogger(__name__)

LOOKING_SECONDS = 3.0
WRITING_SECONDS = 15.0
"""An editor may run a formatter before it saves."""
_LABEL = "Assent"


class EditorDocuments:
    """Of one client that announced `editor/document`."""

    def __init__(self, server: AssentServer, *, writes: bool) -> None:
        self._server = server
        self.writes = writes

    async def find(self, names: tuple[str, ...]) -> OpenDocument | None:
        try:
            found = await self._server.ask("editor/document", wire.EditorDocumentParams(names), timeout=LOOKING_SECONDS)
        except (TimeoutError, RpcFault) as fault:
            logger.warning("the editor does not say whether a file is open (%s)", type(fault).__name__)
            return None
        return _document(names[0], found)

    async def replace(self, document: OpenDocument, text: str) -> bool:
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(document.lines, 0))
        edit = lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(document.uri, document.version), [lsp.TextEdit(whole, text)]
        )
        params = lsp.ApplyWorkspaceEditParams(lsp.WorkspaceEdit(document_changes=[edit]), _LABEL)
        result: lsp.ApplyWorkspaceEditResult | None = await self._ask(lsp.WORKSPACE_APPLY_EDIT, params)
        return result is not None and result.applied

    async def save(self, document: OpenDocument) -> bool:
        result: wire.EditorSaved = await self._ask("editor/save", wire.EditorSaveParams(document.uri))
        return result.saved

    async def _ask(self, method: str, params: object) -> Any:
        try:
            return await self._server.ask(method, params, timeout=WRITING_SECONDS)
        except (TimeoutError, RpcFault) as fault:
            logger.warning("the editor did not answer %s (%s)", method, type(fault).__name__)
            raise EditorSilent from fault


def _document(name: str, told: wire.EditorDocument) -> OpenDocument | None:
    if not told.open or told.uri is None or told.version is None:
        return None
    return OpenDocument(name, told.uri, told.version, told.dirty is True, told.text)
