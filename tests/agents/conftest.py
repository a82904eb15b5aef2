"""Each public agent behind a server of its own, with a model on loopback behind it: started when a test wants it."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from devtools.agents import SUITE
from tests.support.real_agents.agents import ALL, HERMES, RealAgent
from tests.support.real_agents.further import INSTALLED, MISSING
from tests.support.real_agents.model import PlannedModel, planned_model
from tests.support.scale import wait_until
from tests.support.server import Chat, Server

LED = (*ALL, *INSTALLED)
"""Those of the suite, and of the further ones those that somebody has installed here."""


def pytest_configure(config: pytest.Config) -> None:
    """Whoever names one that is not there is told so: without it there is no test that could fail or be skipped."""
    here = Path(__file__).parent
    only_here = all(Path(argument.partition("::")[0]).resolve().is_relative_to(here) for argument in config.args)
    named = [name for name in MISSING if only_here and _names(config, name)]
    if named:
        raise pytest.UsageError("; ".join(MISSING[name] for name in named))


def _names(config: pytest.Config, name: str) -> bool:
    """Whether the tests of the agent are asked for, by -k or as those of one test."""
    words = re.findall(r"[\w-]+", config.option.keyword)
    by_word = any(word == name and before != "not" for before, word in pairwise(["", *words]))
    return by_word or any(argument.endswith(f"[{name}]") for argument in config.args)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for why in MISSING.values():
        terminalreporter.write_line(f"A further public agent was not led: {why}.")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.agents)


@pytest.fixture(scope="session", autouse=True)
def installed() -> None:
    """Where they are not there, nothing is proved: that is said, and in a run of all checks it is a failure."""
    if SUITE.complete():
        return
    why = f"the public agents are not installed as their locks say; run: {SUITE.command}"
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(why)
    pytest.skip(why)


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


_ONCE_MORE = pytest.mark.long("it asks as claude does, and takes longest")


@pytest.fixture(
    scope="module",
    params=[pytest.param(agent, marks=_ONCE_MORE) if agent is HERMES else agent for agent in LED],
    ids=lambda agent: agent.name,
)
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
