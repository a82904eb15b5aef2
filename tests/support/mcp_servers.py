"""MCP servers for tests: how they are started, and what a client of ours makes of them."""

import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from assent.agent.ports import FormPort
from assent.mcp.client import Client
from assent.mcp.words import Definition, TimeLimits
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes
from tests.support.scale import limit, wait_until

SUPPORT = Path(__file__).parent
OFFICIAL = str(SUPPORT / "mcp_official.py")
CHAOS = str(SUPPORT / "mcp_chaos.py")
PATIENT = TimeLimits(begin=limit(30), list=limit(20), call=limit(30), ping=limit(20))


def command(program: str, *words: str) -> dict[str, Any]:
    """A server as the settings define it."""
    return {"command": sys.executable, "args": [program, *words]}


@contextmanager
def official_at_address() -> Iterator[str]:
    """The one on the official library, reached by HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, OFFICIAL, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: _answers(port), what="a server")
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.kill()
        server.wait()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def chaos_command(folder: Path, **plan: Any) -> dict[str, Any]:
    """One that misbehaves so."""
    file = folder / "chaos.json"
    file.write_text(json.dumps(plan))
    return command(CHAOS, str(file))


def launched(definition: dict[str, Any], folder: Path, name: str = "files") -> Definition:
    """The same, as the client is given it."""
    argv = (definition["command"], *definition.get("args", ()))
    return Definition(name, "digest", Launch(argv, str(folder), definition.get("env", {})))


@asynccontextmanager
async def talking(
    definition: Definition, limits: TimeLimits = PATIENT, forms: FormPort | None = None
) -> AsyncIterator[Client]:
    """A client of this server, and nothing left of it afterwards."""
    processes = Processes()
    client = await Client.begin(definition, processes, KnownSecrets(), limits, forms)
    try:
        yield client
    finally:
        await client.end("the test ends")
        processes.end_all()
