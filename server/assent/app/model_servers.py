"""The models behind addresses: one provider an agent, kept while its definition stays, and its connections with it."""

from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import NamedTuple

from assent.app.keys import KeyPlace, Keys
from assent.model.errors import ProviderFault
from assent.providers.dialect import Dialect, ModelInfo, ModelOptions
from assent.providers.endpoint import Endpoint
from assent.providers.remote import RemoteProvider
from assent.runtime.clock import Clock
from assent.settings.agents import AgentDefinition
from assent.settings.faults import SettingsFault
from assent.settings.model_definitions import ModelDefinition, model_definition

MOST_KEPT = 16


class _Known(NamedTuple):
    module: str
    dialect: str
    base_url: str | None
    by_address: bool = False
    """Servers that speak it differ, and it tells them apart by their address."""


class _Whose(NamedTuple):
    """What one provider is made for. Its requests show a key, and a key belongs to a name and to who defined it."""

    agent: str
    digest: str
    of_user: bool


_DIALECTS = "assent.providers.dialects"
_KNOWN = {
    "ollama": _Known("ollama", "Ollama", "http://127.0.0.1:11434"),
    "anthropic": _Known("anthropic", "Anthropic", "https://api.anthropic.com"),
    "openai-compatible": _Known("openai_chat", "OpenAiChat", None, True),
    "openai-responses": _Known("openai_responses", "OpenAiResponses", "https://api.openai.com/v1", True),
    "gemini": _Known("gemini", "Gemini", "https://generativelanguage.googleapis.com"),
}


class ModelServers:
    """Makes providers and ends them."""

    def __init__(self, keys: Keys, clock: Clock) -> None:
        self._keys = keys
        self._clock = clock
        self._kept: dict[_Whose, RemoteProvider] = {}

    def provider(self, agent: AgentDefinition) -> RemoteProvider:
        """The model of this agent as it is defined. Raises ProviderFault where it cannot be reached by that."""
        whose = _Whose(agent.name, agent.digest, agent.of_user)
        known = self._kept.get(whose)
        if known is None:
            known = self._kept[whose] = self._made(agent.name, _defined(agent), agent.of_user)
            if len(self._kept) > MOST_KEPT:
                # What still answers over it goes on; its connections end when they have been idle.
                self._kept.pop(next(iter(self._kept)))
        return known

    async def get_ready(self, agent: AgentDefinition) -> None:
        """Loads what the first request to this agent's model will need. Why it cannot be reached, that request says."""
        with suppress(ProviderFault):
            await self.provider(agent).get_ready()

    def key_place(self, agent: AgentDefinition) -> KeyPlace:
        """Where the key of this agent is looked for. Raises ProviderFault as `provider` does."""
        return _key_place(agent.name, _defined(agent), agent.of_user)

    async def models(self, agent: str, model: ModelDefinition) -> tuple[ModelInfo, ...]:
        """The models that a server has, for an agent that its user is about to define."""
        provider = self._made(agent, model, True)
        try:
            return await provider.models()
        finally:
            await provider.aclose()

    async def end(self) -> None:
        """Ends all requests and connections."""
        kept, self._kept = self._kept, {}
        for provider in kept.values():
            await provider.aclose()

    def _made(self, agent: str, model: ModelDefinition, of_user: bool) -> RemoteProvider:
        place = _key_place(agent, model, of_user)
        endpoint = Endpoint(reached_at(model), agent, dict(model.headers), partial(self._keys.key, place))
        options = ModelOptions(
            model.model, model.temperature, model.max_tokens, model.context_window, model.thinking, model.pictures
        )
        return RemoteProvider(endpoint, _dialect(model.provider, endpoint.base_url), options, self._clock)


def key_place(agent: str, model: ModelDefinition) -> KeyPlace:
    """Where the key is looked for of an agent that its user is about to define."""
    return _key_place(agent, model, True)


def _key_place(agent: str, model: ModelDefinition, of_user: bool) -> KeyPlace:
    return KeyPlace(agent, Endpoint(reached_at(model), agent).origin, model.key_variable, of_user)


def reached_at(model: ModelDefinition) -> str:
    """The address of its server."""
    address = model.base_url or _KNOWN[model.provider].base_url
    assert address is not None
    return address


def _defined(agent: AgentDefinition) -> ModelDefinition:
    try:
        return model_definition(agent.definition)
    except SettingsFault as fault:
        text = f"The agent {agent.name} cannot answer: {fault}. See assent.agents."
        raise ProviderFault("ill_defined", text) from None


def _dialect(provider: str, address: str) -> Dialect:
    """Loaded when the first agent needs it."""
    known = _KNOWN[provider]
    make = getattr(import_module(f"{_DIALECTS}.{known.module}.dialect"), known.dialect)
    made: Dialect = make(address) if known.by_address else make()
    return made
