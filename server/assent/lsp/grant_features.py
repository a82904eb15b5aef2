"""The handlers around grants: what is allowed now, taking it back, giving it back."""

from typing import TYPE_CHECKING

from assent.lsp.handlers import Handlers
from assent.model.errors import InvalidRequest
from assent.protocol import grants as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App


class GrantFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]") -> None:
        self._app = app

    def handlers(self) -> Handlers:
        return {"grants/list": self._list, "grants/revoke": self._revoke, "grants/undo": self._undo}

    async def _list(self, params: wire.GrantsListParams) -> wire.GrantsList:
        raise InvalidRequest("not here yet")

    async def _revoke(self, params: wire.GrantRef) -> wire.GrantRevoked:
        raise InvalidRequest("not here yet")

    async def _undo(self, params: wire.GrantRef) -> wire.GrantRestored:
        raise InvalidRequest("not here yet")
