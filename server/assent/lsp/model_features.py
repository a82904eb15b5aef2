"""The handlers around models: which there are, whose keys are looked for where; and how a stored key is asked for."""

import logging
from typing import TYPE_CHECKING

from assent.lsp import to_wire
from assent.lsp.faults import RpcFault
from assent.lsp.handlers import Handlers
from assent.model.errors import InvalidRequest, ProviderFault
from assent.protocol import handshake as hands
from assent.protocol import models as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.app.app import App
    from assent.lsp.protocol import AssentServer

logger = logging.getLogger(__name__)

ASKING_SECONDS = 60.0
"""An editor may ask its user to unlock a keychain."""


class ModelFeatures:
    """Parses, calls, converts. No decision is taken here."""

    def __init__(self, server: "AssentServer", app: "Callable[[], App]") -> None:
        self._server = server
        self._app = app

    def handlers(self) -> Handlers:
        return {"keys/list": self._keys, "models/list": self._models, "agents/suggested": self._suggested}

    async def stored_key(self, name: str) -> str | None:
        """Asks the client for a key that it stores."""
        try:
            answer = await self._server.ask("secrets/get", hands.SecretParams(name), timeout=ASKING_SECONDS)
        except (RpcFault, TimeoutError) as fault:
            # Never with the name: it says where its user has accounts.
            logger.warning("the client gave no key (%s)", type(fault).__name__)
            return None
        value: str | None = answer.value
        return value

    async def _keys(self, params: wire.KeysListParams) -> wire.KeysList:
        app = self._app()
        found = []
        for place in app.key_places():
            source = await app.keys.source(place)
            found.append(wire.KeyInfo(place.agent, place.name, place.origin, source.value, place.variable))
        return wire.KeysList(tuple(found))

    async def _suggested(self, params: wire.SuggestedAgentsParams) -> wire.SuggestedAgents:
        return wire.SuggestedAgents(tuple(map(to_wire.suggested_agent, self._app().suggested_agents())))

    async def _models(self, params: wire.ModelsListParams) -> wire.ModelsList:
        from assent.app.model_servers import key_place, reached_at
        from assent.settings.faults import SettingsFault
        from assent.settings.model_definitions import check_provider, model_definition

        wanted = {"provider": params.provider, "model": "any"}
        wanted |= {"baseUrl": params.base_url} if params.base_url else {}
        wanted |= {"apiKeyEnv": params.api_key_env} if params.api_key_env else {}
        try:
            check_provider(wanted)
            model = model_definition(wanted)
        except SettingsFault as fault:
            raise InvalidRequest(str(fault), "params") from fault
        name, address = key_place(params.agent, model).name, reached_at(model)
        try:
            models = await self._app().models.models(params.agent, model)
        except ProviderFault as fault:
            # Many a key may talk to models and not list them: it is not to be replaced, nor thrown away.
            needs_key = True if fault.code in ("key_missing", "key_rejected") and not fault.key_is_known else None
            return wire.ModelsList((), name, address, str(fault), needs_key)
        told = tuple(wire.ModelInfo(one.name, one.context_window, one.tools) for one in models)
        return wire.ModelsList(told, name, address)
