"""From an agent's definition in the settings to an agent that a chat can be opened with."""

import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from assent.agent.chat import Agent
from assent.agent.ports import ModelProvider
from assent.app.guests import Guests
from assent.app.model_servers import ModelServers
from assent.model.errors import ProviderFault
from assent.providers.demo import DemoProvider
from assent.providers.scripted import ScriptedProvider
from assent.runtime.clock import Clock
from assent.settings.agents import AgentDefinition
from assent.settings.faults import SettingsFault
from assent.settings.model_definitions import model_definition


def agents_from(
    definitions: Iterable[AgentDefinition],
    clock: Clock,
    roots: Callable[[], tuple[str, ...]],
    models: ModelServers,
    guests: Guests,
) -> Mapping[str, Agent]:
    """The agents of these definitions, by their ids."""
    agents = (agent_from(definition, clock, roots, models, guests) for definition in definitions)
    return {agent.agent_id: agent for agent in agents}


def agent_from(
    definition: AgentDefinition,
    clock: Clock,
    roots: Callable[[], tuple[str, ...]],
    models: ModelServers,
    guests: Guests,
) -> Agent:
    """The agent. What nobody could answer for is no definition of one (`settings/definitions`)."""
    name = definition.name
    match definition.definition:
        case {"command": str()}:
            return _guest(definition, guests)
        case {"provider": "demo"}:
            return Agent(
                name,
                name,
                "A few rules, no model: shows how Assent asks.",
                partial(DemoProvider, clock),
                definition.digest,
            )
        case {"provider": "scripted", "script": str(script)}:
            path = Path(script).expanduser()
            if not path.is_absolute():
                path = Path(next(iter(roots()), str(Path.home()))) / path
            return Agent(
                name, name, f"Plays the script {path}.", partial(ScriptedProvider, path, clock), definition.digest
            )
        case _:
            return _remote(definition, models)


def _guest(definition: AgentDefinition, guests: Guests) -> Agent:
    name, given = definition.name, definition.definition
    args = given.get("args")
    words = [str(given["command"]), *map(str, args if isinstance(args, list | tuple) else ())]

    def no_model() -> ModelProvider:
        raise ProviderFault("no_model", f"{name} is an agent with a model of its own")

    description = f"A program of its own: {shlex.join(words)}"
    return Agent(name, name, description, no_model, definition.digest, guest=guests.of(definition))


def _remote(definition: AgentDefinition, models: ModelServers) -> Agent:
    name, provider = definition.name, partial(models.provider, definition)
    try:
        model = model_definition(definition.definition)
    except SettingsFault as fault:
        # It stays in the list: its first answer says what is wrong with it.
        return Agent(name, name, f"Cannot answer: {fault}.", provider, definition.digest)
    where = f" at {model.base_url}" if model.base_url else ""
    description = f"{model.model}, by {model.provider}{where}."
    ready = partial(models.get_ready, definition)
    window, most = model.context_window, model.max_tokens
    sees = model.pictures is not False
    return Agent(
        name, name, description, provider, definition.digest, window, most, takes_pictures=sees, get_ready=ready
    )


def agent_to_think_of(name: str, digest: str) -> Agent:
    """An agent for a call that nobody makes: it is only known by name and definition, and has no model."""

    def no_model() -> ModelProvider:
        raise ProviderFault("no_model", f"{name} is only thought of and cannot answer")

    return Agent(name, name, "", no_model, digest)
