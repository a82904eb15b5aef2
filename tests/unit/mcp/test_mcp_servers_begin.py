"""Servers begin when they are first needed: once for all who wait, and nobody who goes ends it for the others."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from assent.mcp.as_nodes import McpNodes
from assent.mcp.faults import McpFault, McpGone, McpSilent
from assent.mcp.servers import Servers
from assent.mcp.words import Definition, TimeLimits
from assent.runtime.clock import SystemClock
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from tests.support.mcp_servers import chaos_command, launched
from tests.support.processes import is_running
from tests.support.scale import eventually, limit

PATIENT = TimeLimits(begin=limit(30), list=limit(20), call=limit(30), soon=limit(20), rest=0)
HASTY = TimeLimits(begin=limit(60), list=limit(20), soon=0.2, look=0.2)


class House:
    """Servers by name, as they are defined at the moment."""

    def __init__(self, folder: Path, limits: TimeLimits = PATIENT) -> None:
        self.folder = folder
        self.defined: dict[str, Definition] = {}
        self.processes = Processes()
        self.servers = Servers(lambda: self.defined, self.processes, KnownSecrets(), SystemClock(), limits)

    def define(self, name: str, **plan: Any) -> None:
        folder = self.folder / f"{name}-{len(plan)}"
        folder.mkdir(exist_ok=True)
        made = launched(chaos_command(folder, **plan), folder, name)
        self.defined[name] = Definition(name, str(plan), made.means)

    async def end(self) -> None:
        await self.servers.end()
        self.processes.end_all()


async def test_several_wait_for_one_beginning_and_one_that_goes_ends_nothing(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.define("a", log=str(tmp_path / "log"))
    first = asyncio.create_task(house.servers.client("a"))
    others = [asyncio.create_task(house.servers.client("a")) for _ in range(4)]
    await asyncio.sleep(0)
    first.cancel()
    clients = await asyncio.gather(*others)
    assert len({id(client) for client in clients}) == 1
    assert (tmp_path / "log").read_text().count('"initialize"') == 1
    await house.end()
    pid = clients[0].pid
    assert pid is not None
    await eventually(lambda: not is_running(pid), what="its end")


async def test_one_that_died_begins_again_and_one_that_is_defined_otherwise_is_another(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.define("a", calls={"plain": "leave"})
    first = await house.servers.client("a")
    with pytest.raises(McpFault):
        await first.call("plain", {})
    second = await house.servers.client("a")
    assert second is not first
    house.define("a", calls={}, log=str(tmp_path / "log"))
    third = await house.servers.client("a")
    assert third is not second
    await eventually(lambda: second.over is not None, what="the end of the one before")
    del house.defined["a"]
    house.servers.look()
    await eventually(lambda: third.over is not None, what="the end of what is not defined any more")
    with pytest.raises(McpGone, match="there is no MCP server 'a' now"):
        await house.servers.client("a")
    await house.end()


async def test_one_that_does_not_begin_keeps_nobody_from_the_others(tmp_path: Path) -> None:
    house = House(tmp_path, HASTY)
    house.define("slow", introduction="hang")
    house.define("good")
    nodes = McpNodes(house.servers)
    await house.servers.client("good")
    listing = await nodes.listing(None)
    assert [node.node_id for node in listing.nodes] == ["mcp.good.plain"]
    assert listing.faults == ("The MCP server “slow”: it is still starting; ask again in a while.",)
    with pytest.raises(McpSilent, match="still starting"):
        await house.servers.client("slow", soon=True)
    # A call that is not looked at yet holds up the calls after it.
    assert (
        str(await nodes.node("mcp.slow.plain")) == "The MCP server “slow”: it is still starting; ask again in a while."
    )
    await house.end()
