"""One MCP server that runs or is reached: what it offers, and having its tools do something."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from assent import __version__
from assent.agent.ports import FormPort, Manner
from assent.mcp.faults import McpFault, McpGone, McpSilent, McpUnclear
from assent.mcp.http import ServerAddress
from assent.mcp.process import ServerProcess
from assent.mcp.questions import CURRENT, ServerQuestions
from assent.mcp.reading import answer_of, info_of, tool_of
from assent.mcp.talk import Talk
from assent.mcp.words import Answered, Definition, ServerInfo, ServerTool, TimeLimits, Tools
from assent.model.json import Json, JsonObject
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.launching import Launch
from assent.runtime.processes import Processes
from assent.runtime.tasks import TaskGroup

PROTOCOL = "2025-11-25"
SPOKEN = frozenset({"2024-11-05", "2025-03-26", "2025-06-18", PROTOCOL})
MOST_ENTRIES = 1_000
"""Of one list, however many pages it has."""
_MOST_PAGES = 100


class Means(Protocol):
    """How messages reach a server."""

    def send(self, message: JsonObject) -> None: ...

    def kill(self, why: str) -> None: ...

    async def end(self, why: str) -> None: ...


class Client:
    """Made by `begin`. Once it is over it stays so: another one has to be made."""

    def __init__(self, definition: Definition, limits: TimeLimits, forms: FormPort | None = None) -> None:
        self.definition = definition
        self._questions = ServerQuestions(definition, forms)
        self.info = ServerInfo("", "")
        self.over: str | None = None
        """Why nothing comes of it any more."""
        self._limits = limits
        self._talk = Talk(self._send, self._told, self._asked, self._flooded)
        self._means: Means | None = None
        self._tools: Tools | None = None
        self._tasks = TaskGroup(f"mcp {definition.name}")

    @classmethod
    async def begin(
        cls,
        definition: Definition,
        processes: Processes,
        known: KnownSecrets,
        limits: TimeLimits,
        forms: FormPort | None = None,
    ) -> "Client":
        """Starts or reaches the server and meets it. Raises McpFault; then nothing is left of it."""
        client = cls(definition, limits, forms)
        try:
            await client._start(processes, known)
            await client._meet()
        except BaseException as fault:
            why = str(fault) if isinstance(fault, McpFault) else "it was not needed any more"
            if client._means is not None:
                client._means.kill(why)
            await asyncio.shield(client.end(why))
            raise
        return client

    @property
    def pid(self) -> int | None:
        """The number of its process, where it has one."""
        return self._means.pid if isinstance(self._means, ServerProcess) else None

    async def tools(self) -> Tools:
        """Its tools as they are now: asked for again each time, where it would not tell of a change."""
        if self._tools is None or "tools" not in self.info.tells:
            self._tools = await self._looked_for() if "tools" in self.info.offers else Tools()
        return self._tools

    def serving(self, manner: Manner, name: str) -> AbstractContextManager[None]:
        """While something of it, called so, is used for this call: what it asks for that meanwhile ends with it."""
        return self._questions.during(manner, name)

    async def call(self, tool: str, inputs: JsonObject) -> Answered:
        """Has a tool do something. Raises McpFault. Being cancelled tells the server to stop."""
        return answer_of(await self.request("tools/call", {"name": tool, "arguments": inputs}, self._limits.call))

    async def entries(self, what: str) -> list[dict[str, Any]]:
        """What it lists: tools, resources, prompts. Raises McpFault."""
        found: list[dict[str, Any]] = []
        cursor: Json = None
        for _ in range(_MOST_PAGES):
            params: JsonObject = {} if cursor is None else {"cursor": cursor}
            page = await self._talk.request(f"{what}/list", params, self._limits.list, whose=CURRENT.get())
            entries = page.get(what)
            if not isinstance(entries, list):
                raise McpUnclear(f"its list of {what} is none")
            found += [entry if isinstance(entry, dict) else {} for entry in entries]
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or len(found) >= MOST_ENTRIES:
                break
        return found[:MOST_ENTRIES]

    async def request(self, method: str, params: JsonObject, seconds: float | None = None) -> dict[str, Any]:
        """Its answer. A server that does not even give a sign of life after this was given up is ended."""
        try:
            return await self._talk.request(method, params, seconds or self._limits.call, whose=CURRENT.get())
        except (McpSilent, asyncio.CancelledError):
            if self.over is None:
                self._tasks.start(self._see_whether_it_lives(), "sign of life")
            raise

    async def end(self, why: str) -> None:
        """Ends it, with all that it started."""
        self._is_over(why)
        if self._means is not None:
            await self._means.end(why)
        await self._tasks.cancel()

    async def _start(self, processes: Processes, known: KnownSecrets) -> None:
        name, means = self.definition.name, self.definition.means
        if isinstance(means, Launch):
            self._means = await ServerProcess.start(name, processes, means, self._talk.receive, self._is_over, known)
        else:
            self._means = ServerAddress(name, means, self._talk.receive, self._talk.fail, self._is_over)

    async def _meet(self) -> None:
        params: JsonObject = {
            "protocolVersion": PROTOCOL,
            "capabilities": self._questions.offered(),
            "clientInfo": {"name": "assent", "title": "Assent", "version": __version__},
        }
        result = await self._talk.request("initialize", params, self._limits.begin, withdraws=False)
        version = result.get("protocolVersion")
        if version not in SPOKEN:
            raise McpUnclear(f"it speaks another version of the protocol ({str(version)[:40]!r})")
        self.info = info_of(result)
        self._talk.notify("notifications/initialized")
        if isinstance(self._means, ServerAddress):
            self._means.introduced(str(version))

    async def _looked_for(self) -> Tools:
        return sorted_out([tool_of(entry) for entry in await self.entries("tools")])

    async def _see_whether_it_lives(self) -> None:
        try:
            await self._talk.request("ping", {}, self._limits.ping, withdraws=False)
        except McpSilent:
            why = "it gave no sign of life after a call was given up, and was ended"
            if self._means is not None and self.over is None:
                self._means.kill(why)
        except McpFault:
            # An answer all the same.
            return

    def _send(self, message: JsonObject) -> None:
        if self._means is None:
            raise McpGone("it was not started")
        self._means.send(message)

    def _told(self, method: str, params: Json) -> None:
        if method == "notifications/tools/list_changed":
            self._tools = None
        elif method == "notifications/cancelled" and isinstance(params, dict):
            self._questions.withdraw(params.get("requestId"))

    def _asked(self, number: str | int, method: str, params: Json, whose: object) -> bool:
        return self._questions.asked(number, method, params, self._talk, whose)

    def _flooded(self) -> None:
        if self._means is not None:
            self._means.kill("it sent more messages than anybody could read, and was ended")

    def _is_over(self, why: str) -> None:
        self.over = self.over or why
        self._talk.close(self.over)
        self._questions.end()


def sorted_out(found: list[ServerTool | str]) -> Tools:
    """Each tool once. Of a name that stands for several, nobody can say which would run: none of them counts."""
    by_name: dict[str, ServerTool] = {}
    left_out = [one for one in found if isinstance(one, str)]
    ambiguous: set[str] = set()
    for tool in (one for one in found if isinstance(one, ServerTool)):
        if by_name.setdefault(tool.name, tool).digest != tool.digest:
            ambiguous.add(tool.name)
    left_out += [f"{name}: it is described in several ways" for name in sorted(ambiguous)]
    return Tools(tuple(tool for name, tool in by_name.items() if name not in ambiguous), tuple(left_out))


def mappings(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those that say anything."""
    return (entry for entry in entries if entry)
