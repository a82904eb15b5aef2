"""The handlers around settings: their changes, what the editor is asked to store, what the user agreed to."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from assent.app.scopes import Scopes
from assent.lsp.client import Client
from assent.lsp.faults import RpcFault
from assent.lsp.handlers import Handlers
from assent.lsp.protocol import AssentServer
from assent.lsp.wire_values import word
from assent.model.errors import InvalidRequest
from assent.protocol import consent as wire
from assent.protocol import handshake as hands
from assent.protocol.converter import WireFault, from_wire
from assent.settings.spelling import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App
    from assent.settings.store import ClientWrite, Stored
    from assent.tools.declared_encoding import EditorsWord

logger = logging.getLogger(__name__)

WRITING_SECONDS = 30.0
_SCOPE_NAMES = {"user", "workspace", "folder", "workspaceTrusted", "encodings"}


class SettingsFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, server: AssentServer, app: "Callable[[], App]", client: Client) -> None:
        self._server = server
        self._app = app
        self._client = client

    def handlers(self) -> Handlers:
        return {
            lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: self._changed,
            "settings/consentResponse": self._answered,
            "settings/attest": self._attested,
        }

    async def write(self, wanted: "ClientWrite") -> "Stored":
        """Asks the client to store an entry of a setting, and says what became of it."""
        from assent.settings.store import Stored

        target = word(wanted.target)
        append = True if wanted.append else None
        remove = True if wanted.remove else None
        key = f"{PREFIX}.{wanted.key}"
        params = hands.SettingsWriteParams(key, wanted.path, wanted.value, target, append, remove)
        try:
            result = await self._server.ask("settings/write", params, timeout=WRITING_SECONDS)
        except TimeoutError:
            return Stored(False, target, "The editor did not answer when it was to store it.")
        except RpcFault as fault:
            return Stored(False, target, f"The editor did not store it: {fault}.")
        return Stored(result.written, result.target, result.error)

    async def _changed(self, params: lsp.DidChangeConfigurationParams) -> None:
        app = self._app()
        block = params.settings.get("assent") if isinstance(params.settings, dict) else None
        if isinstance(block, dict) and block and not block.keys() & _SCOPE_NAMES:
            # Settings without their scopes: whose they are decides whether they may loosen, so none of them counts.
            logger.warning("the client told settings without scopes; nothing is permitted by them")
            app.trust.settings_unreadable()
            app.settings_changed()
            return
        try:
            scoped = from_wire(block, hands.ScopedSettings, root="settings.assent") if block is not None else None
        except WireFault as fault:
            logger.warning("a change of settings makes no sense at %s; nothing is permitted by it", fault.path)
            app.trust.settings_unreadable()
        else:
            app.trust.settings_changed(scopes_of(scoped), trusted=scoped.workspace_trusted if scoped else None)
            if scoped is not None and scoped.encodings is not None:
                app.editor.means(encodings_of(scoped))
        app.settings_changed()

    async def _answered(self, params: wire.ConsentResponse) -> wire.ConsentOutcome:
        answered = await self._app().consents.answer(params.consent_id, params.digest, frozenset(params.honour))
        return wire.ConsentOutcome(answered.honoured, answered.ignored, answered.error)

    async def _attested(self, params: wire.AttestParams) -> wire.AttestResult:
        if not self._client.attests:
            raise InvalidRequest("this client did not announce that it attests what its user saves", "")
        from assent.app.attestation import Attested

        entries = [Attested(entry.key, entry.before, entry.after) for entry in params.entries]
        return wire.AttestResult(await self._app().attest(Path(params.file), params.sha256, entries))


def scopes_of(settings: hands.ScopedSettings | None) -> Scopes | None:
    """The values by scope, as the settings layer takes them."""
    if settings is None:
        return None
    return Scopes(settings.user, settings.workspace, settings.folder)


def encodings_of(settings: hands.ScopedSettings | None) -> "list[EditorsWord] | None":
    """How the editor takes files to be encoded, where it says so."""
    from assent.tools.declared_encoding import EditorsWord

    if settings is None or settings.encodings is None:
        return None
    return [
        EditorsWord(one.folder, one.encoding, tuple((name.pattern, name.encoding) for name in one.names))
        for one in settings.encodings
    ]
