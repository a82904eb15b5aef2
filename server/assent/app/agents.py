"""From an agent's definition in the settings to an agent that a chat can be opened with."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from assent.agent.chat import Agent
from assent.agent.ports import ModelProvider
from assent.model.errors import ProviderFault
from assent.providers.demo import DemoProvider
from assent.providers.scripted import ScriptedProvider
from assent.runtime.clock import Clock
from assent.settings.agents import AgentDefinition


def agent_from(definition: AgentDefinition, clock: Clock, roots: Callable[[], tuple[str, ...]]) -> Agent | None:
    """The agent, or None where this server has no provider of that kind."""
    name = definition.name
    match definition.definition:
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
    return None


def agent_to_think_of(name: str, digest: str) -> Agent:
    """An agent for a call that nobody makes: it is only known by name and definition, and has no model."""

    def no_model() -> ModelProvider:
        raise ProviderFault("no_model", f"{name} is only thought of and cannot answer")

    return Agent(name, name, "", no_model, digest)
