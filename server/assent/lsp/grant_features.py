"""The handlers around grants: what is allowed now, taking it back, giving it back."""

from typing import TYPE_CHECKING

from assent.lsp.handlers import Handlers
from assent.model.ids import SessionId
from assent.protocol import grants as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.allowance import Allowance, End
    from assent.app.app import App


class GrantFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, app: "Callable[[], App]") -> None:
        self._app = app

    def handlers(self) -> Handlers:
        return {"grants/list": self._list, "grants/revoke": self._revoke, "grants/undo": self._undo}

    async def _list(self, params: wire.GrantsListParams) -> wire.GrantsList:
        session_id = SessionId(params.session_id) if params.session_id is not None else None
        return wire.GrantsList(tuple(map(grant_info, self._app().allowed.everything(session_id))))

    async def _revoke(self, params: wire.GrantRef) -> wire.GrantRevoked:
        revoked = await self._app().allowed.revoke(params.grant_id, params.digest)
        return wire.GrantRevoked(revoked.grant_id, revoked.undoable)

    async def _undo(self, params: wire.GrantRef) -> wire.GrantRestored:
        return wire.GrantRestored(grant_info(await self._app().allowed.undo(params.grant_id)))


def grant_info(one: "Allowance") -> wire.GrantInfo:
    return wire.GrantInfo(
        grant_id=one.grant_id,
        kind=one.kind,
        scope=one.scope,
        text=one.text,
        session_id=one.session_id,
        agent_name=one.agent_name,
        given_at=one.given_at,
        given_on=one.given_on,
        used=one.used,
        last_used_at=one.last_used_at,
        ends=_end(one.end) if one.end is not None else None,
        setting=one.setting,
        file=one.file,
        line=one.line,
        effective=one.effective,
        digest=one.digest,
    )


def _end(end: "End") -> wire.GrantEnd:
    remaining = None if end.seconds is None else round(end.seconds * 1000)
    return wire.GrantEnd(remaining, end.uses, True if end.with_run else None)
