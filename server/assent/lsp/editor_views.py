"""What the client's editor shows, asked for one by one; each of it is announced by a capability of its own."""

import logging
from collections.abc import Iterable
from typing import Any

from assent.lsp.faults import RpcFault
from assent.lsp.protocol import AssentServer
from assent.protocol import editor as wire
from assent.tools.editor_views import Finding, Findings, Selection, fault, refused

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 10.0
MOST_FINDINGS = 200
LONGEST_MESSAGE = 2_000
LONGEST_SELECTION = 50_000


class EditorViews:
    """Of one client."""

    def __init__(self, server: AssentServer, announced: Iterable[str]) -> None:
        self._server = server
        self._announced = frozenset(announced)

    def can(self, what: str) -> bool:
        return f"editor/{what}" in self._announced

    async def open_file(self, path: str, line: int | None) -> None:
        shown: wire.EditorShown = await self._ask("editor/openFile", wire.EditorOpenParams(path, line))
        if not shown.shown:
            raise refused("show it", shown.error)

    async def show_diff(self, path: str, content: str) -> None:
        shown: wire.EditorShown = await self._ask("editor/showDiff", wire.EditorShowDiffParams(path, content))
        if not shown.shown:
            raise refused("compare it", shown.error)

    async def diagnostics(self, path: str) -> Findings:
        told: wire.EditorDiagnostics = await self._ask("editor/diagnostics", wire.EditorDiagnosticsParams((path,)))
        found = tuple(map(_finding, told.diagnostics[:MOST_FINDINGS]))
        return Findings(found, max(told.total, len(told.diagnostics)))

    async def selection(self) -> Selection | None:
        told: wire.EditorSelection = await self._ask("editor/selection", wire.EditorSelectionParams())
        if told.path is None:
            return None
        text, first = told.text or "", told.first_line or 1
        whole = told.whole is not False and len(text) <= LONGEST_SELECTION
        return Selection(told.path, text[:LONGEST_SELECTION], first, told.last_line or first, whole)

    async def _ask(self, method: str, params: object) -> Any:
        try:
            return await self._server.ask(method, params, timeout=ANSWER_SECONDS)
        except (TimeoutError, RpcFault) as problem:
            logger.warning("the editor did not answer %s (%s)", method, type(problem).__name__)
            raise fault("silent") from problem


def _finding(told: wire.EditorDiagnostic) -> Finding:
    return Finding(told.line, told.column, told.severity, told.message[:LONGEST_MESSAGE], told.source)
