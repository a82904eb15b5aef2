"""The handlers around the history of decisions."""

from typing import TYPE_CHECKING, Any

import attrs

from assent.lsp.handlers import Handlers
from assent.lsp.history_words import how_decided
from assent.protocol import history as wire
from assent.protocol.converter import WireFault, from_wire
from assent.protocol.fields import wire_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App
    from assent.store.metrics import Spread
    from assent.store.query import Kept


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
        # The database is not loaded before somebody wants to know.
        from assent.store.query import Filters

        page = await self._app().history.query(Filters(**attrs.asdict(params)))
        return wire.HistoryPage(tuple(map(history_entry, page.entries)), page.more)

    async def _export(self, params: wire.HistoryExportParams) -> wire.HistoryExport:
        piece = await self._app().history.export(params.after, params.length)
        return wire.HistoryExport(piece.text, piece.last, piece.done)

    async def _verify(self, params: wire.HistoryVerifyParams) -> wire.HistoryVerified:
        found = await self._app().history.verify()
        return wire.HistoryVerified(found.intact, found.entries, found.first_broken, found.problem)

    async def _metrics(self, params: wire.MetricsParams) -> wire.Metrics:
        found = await self._app().history.metrics(params.since, params.until)
        return wire.Metrics(
            decisions=_counts(found.decisions),
            endings=_counts(found.endings),
            answers=_counts(found.answers),
            timeouts=found.timeouts,
            settled_by_policy=found.settled_by_policy,
            waited=_spread(found.waited) if found.waited is not None else None,
            tools=tuple(wire.ToolSpread(tool, _spread(took)) for tool, took in found.tools),
        )


def history_entry(kept: "Kept") -> wire.HistoryEntry:
    """An entry as a client knows it. One that somebody changed into nonsense is shown as such, in its place."""
    try:
        return _entry(kept, kept.fields)
    except WireFault:
        return _entry(kept, {"text": "This entry cannot be shown: it is not as it was written."})


def _entry(kept: "Kept", fields: dict[str, Any]) -> wire.HistoryEntry:
    said = {_WIRE_NAMES[name]: value for name, value in fields.items() if name in _WIRE_NAMES}
    told = {**_NOTHING_SAID, **said, "n": kept.n, "hash": kept.hash, "how": how_decided(fields)}
    return from_wire(told, wire.HistoryEntry)


_WIRE_NAMES = {attribute.name: wire_name(attribute) for attribute in attrs.fields(wire.HistoryEntry)}
_NOTHING_SAID: dict[str, Any] = {
    **{wire_name(one): "" for one in attrs.fields(wire.HistoryEntry) if one.type is str},
    "stage": "finished",
    "category": "internal",
    "mode": "default",
}


def _counts(pairs: tuple[tuple[str, int], ...]) -> tuple[wire.Count, ...]:
    return tuple(wire.Count(name, count) for name, count in pairs)


def _spread(spread: "Spread") -> wire.Spread:
    return wire.Spread(spread.count, spread.median, spread.p95, spread.longest)
