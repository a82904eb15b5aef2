"""Servers for the tests: one that many share, and fresh ones for those that end or change a whole server."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.guests import House
from tests.support.room import Room
from tests.support.server import Server


@pytest.fixture(scope="module")
def cold() -> str:
    """Why the servers of a file have to be started as an editor starts them. Those of all other files are forked."""
    return ""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, cold: str) -> Iterator[Server]:
    """A server whose client draws cards. Tests that use it change nothing beyond their own chats and folders."""
    with Server(tmp_path_factory.mktemp("shared"), cold=cold) as server:
        server.meet()
        yield server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, cold: str) -> Iterator[House]:
    """A server with agents of others. Tests that use it change nothing beyond their own agents, chats and files."""
    with House(tmp_path_factory.mktemp("house"), cold=cold) as made:
        yield made


@pytest.fixture
def room(shared: Server, request: pytest.FixtureRequest) -> Room:
    """A folder of the shared workspace that is this test's own, and a way to chats."""
    return Room(shared, re.sub(r"\W+", "_", request.node.name))


@pytest.fixture
def start(tmp_path: Path, cold: str) -> Iterator[Callable[..., Server]]:
    """Starts servers that nobody else uses; all of one test share state and workspace."""
    started: list[Server] = []

    def make(*arguments: str, **options: object) -> Server:
        started.append(Server(tmp_path, *arguments, **{"cold": cold, **options}))
        return started[-1]

    yield make
    for server in started:
        server.client.close()


@pytest.fixture
def alone(start: Callable[..., Server]) -> Server:
    """A fresh server whose client draws cards."""
    server = start()
    server.meet()
    return server
