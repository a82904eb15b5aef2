"""Each public agent behind a server of its own, with a model on loopback behind it: started when a test wants it."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from devtools import agents
from tests.support.real_agents.agents import ALL, RealAgent
from tests.support.real_agents.model import PlannedModel, planned_model
from tests.support.scale import wait_until
from tests.support.server import Chat, Server

_HOW = "run: python3 dev.py setup --agents"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.agents)


@pytest.fixture(scope="session", autouse=True)
def installed() -> None:
    """Where they are not there, nothing is proved: that is said, and in a run of all checks it is a failure."""
    if agents.complete():
        return
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"the public agents are not installed as their locks say; {_HOW}")
    pytest.skip(f"the public agents are not installed as their locks say; {_HOW}")


@dataclass
class Guest:
    """An agent, the server that it is behind, and the model that it asks."""

    agent: RealAgent
    server: Server
    model: PlannedModel

    @property
    def workspace(self) -> Path:
        return self.server.workspace

    def chat(self, name: str = "") -> Chat:
        """A new chat with it; `name` is that of another definition of it."""
        return self.server.chat(agent=name or self.agent.name)

    def box(self, name: str) -> str:
        """A folder to be removed: each of the agents asks for that."""
        (self.workspace / name).mkdir()
        return name


BYPASSED, LOOSE = "bypassed", "loose"


@pytest.fixture(scope="module", params=ALL, ids=lambda agent: agent.name)
def guest(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """One of them, by its name and twice more: with its questions bypassed, and set up by its user to ask less."""
    agent: RealAgent = request.param
    folder = tmp_path_factory.mktemp(agent.name)
    with planned_model() as model, Server(folder) as server:
        defined = {
            agent.name: agent.definition(folder / "home", model.address),
            BYPASSED: agent.definition(folder / "home-bypassed", model.address, bypassPermissions=True),
            LOOSE: agent.definition(folder / "home-loose", model.address, loose=True),
        }
        server.meet(user={"agents": defined})
        yield Guest(agent, server, model)
        assert model.faults == []
    wait_until(lambda: not at_home_in(folder), within=20, what="the end of everything that the agent started")


def at_home_in(folder: Path) -> list[int]:
    """The processes that have their home in this folder."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdecimal() and f"HOME={folder}/".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found
