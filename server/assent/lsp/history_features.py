"""The handlers around the history of decisions."""

from typing import TYPE_CHECKING

from assent.lsp.handlers import Handlers
from assent.model.errors import InvalidRequest
from assent.protocol import history as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App


class HistoryFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]") -> None:
        self._app = app

    def handlers(self) -> Handlers:
        return {
            "history/query": self._query,
            "history/export": self._export,
            "history/verify": self._verify,
            "history/metrics": self._metrics,
        }

    async def _query(self, params: wire.HistoryQueryParams) -> wire.HistoryPage:
        raise InvalidRequest("not here yet")

    async def _export(self, params: wire.HistoryExportParams) -> wire.HistoryExport:
        raise InvalidRequest("not here yet")

    async def _verify(self, params: wire.HistoryVerifyParams) -> wire.HistoryVerified:
        raise InvalidRequest("not here yet")

    async def _metrics(self, params: wire.MetricsParams) -> wire.Metrics:
        raise InvalidRequest("not here yet")
