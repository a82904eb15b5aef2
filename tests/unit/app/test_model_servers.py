"""Whose key a request shows: agents that are defined alike share no key, in whatever order they are asked."""

from itertools import permutations

import pytest

from assent.app.keys import Keys
from assent.app.model_servers import ModelServers
from assent.model.conversation import ModelRequest, UserText
from assent.runtime.clock import SystemClock
from assent.runtime.known_secrets import KnownSecrets
from assent.settings.agents import AgentDefinition, define_agent
from tests.support.model_servers.ollama import OllamaWire
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said

WHOSE = [("Work", True), ("Private", True), ("Work", False)]
"""Agents by name, and whether their user defined them: a workspace may give its own the name of a user's."""


def agents(models: ModelServer) -> list[AgentDefinition]:
    definition = {"provider": "ollama", "model": "m", "baseUrl": models.base_url}
    return [define_agent(name, definition, of_user=of_user) for name, of_user in WHOSE]


def with_stored_keys() -> Keys:
    keys = Keys({}, KnownSecrets())

    async def stored(name: str) -> str | None:
        return f"key-of-{name.partition('@')[0]}"

    keys.stored = stored
    return keys


async def shown(servers: ModelServers, agent: AgentDefinition, models: ModelServer) -> str | None:
    """The key in a request for this agent, as its server gets it."""
    async for _ in servers.provider(agent).stream(ModelRequest("", (UserText("hello"),), ())):
        pass
    return models.log.got[-1].headers.get("authorization")


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
async def test_each_agent_shows_its_own_key_and_one_of_a_workspace_none(order: tuple[int, ...]) -> None:
    keys = {("Work", True): "Bearer key-of-Work", ("Private", True): "Bearer key-of-Private", ("Work", False): None}
    with model_server(OllamaWire(), *[Said("hello")] * 6) as models:
        servers, known = ModelServers(with_stored_keys(), SystemClock()), agents(models)
        asked = [known[at] for at in (*order, *order)]
        seen = [await shown(servers, agent, models) for agent in asked]
        await servers.end()
    assert seen == [keys[agent.name, agent.of_user] for agent in asked]


async def test_an_agent_keeps_its_connections_while_its_definition_stays() -> None:
    with model_server(OllamaWire(), *[Said("hello")] * 2) as models:
        servers = ModelServers(with_stored_keys(), SystemClock())
        for _ in range(2):
            await shown(servers, agents(models)[0], models)
        await servers.end()
    assert models.log.connections == 1
