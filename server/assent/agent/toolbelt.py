"""The tools that every run carries. Composed by the server; no message of a client adds or removes one."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from assent.agent.ports import Prepared, Tool
from assent.model.conversation import ToolSpec
from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.model.modes import Category


class OfEachChat:
    """A tool that works for one chat at a time: what it is called for decides which of them it is."""

    def __init__(self, make: Callable[[SessionId], Tool]) -> None:
        self._make = make
        self._of_none = make(SessionId(""))

    @property
    def spec(self) -> ToolSpec:
        return self._of_none.spec

    @property
    def category(self) -> Category:
        return self._of_none.category

    def fault(self, args: JsonObject) -> str | None:
        return self._of_none.fault(args)

    async def prepare(self, args: JsonObject) -> Prepared:
        """As in a chat in which nothing has happened yet."""
        return await self._of_none.prepare(args)

    def in_chat(self, session_id: SessionId) -> Tool:
        """The one of this chat."""
        return self._make(session_id)


class WhileThere:
    """A tool that a chat only has while what it works with is there."""

    def __init__(self, tool: OfEachChat, is_there: Callable[[], bool]) -> None:
        self._tool = tool
        self.is_there = is_there

    @property
    def spec(self) -> ToolSpec:
        return self._tool.spec

    @property
    def category(self) -> Category:
        return self._tool.category

    def fault(self, args: JsonObject) -> str | None:
        return self._tool.fault(args)

    async def prepare(self, args: JsonObject) -> Prepared:
        """As in a chat in which nothing has happened yet."""
        return await self._tool.prepare(args)

    def in_chat(self, session_id: SessionId) -> Tool:
        """The one of this chat."""
        return self._tool.in_chat(session_id)


class Toolbelt:
    """Tools by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}

    def get(self, name: str) -> Tool | None:
        """The tool with exactly this name."""
        return self._tools.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all."""
        return tuple(self._tools)

    def only(self, names: Iterable[str]) -> "Toolbelt":
        """Those of them with these names."""
        wanted = frozenset(names)
        return Toolbelt(tool for name, tool in self._tools.items() if name in wanted)

    def without(self, *names: str) -> "Toolbelt":
        """All but these."""
        return self.only(known for known in self._tools if known not in names)

    def with_tool(self, tool: Tool) -> "Toolbelt":
        """The same with this one in the place of the one that has its name."""
        return Toolbelt({**self._tools, tool.spec.name: tool}.values())

    def in_chat(self, session_id: SessionId) -> "Toolbelt":
        """The same tools as they are in this chat, without those that have nothing to work with now."""
        there = (tool for tool in self._tools.values() if not isinstance(tool, WhileThere) or tool.is_there())
        of_chats = (OfEachChat, WhileThere)
        return Toolbelt(tool.in_chat(session_id) if isinstance(tool, of_chats) else tool for tool in there)

    def nearest(self, name: str) -> tuple[str, ...]:
        """Names that the model may have meant. Never run in its place."""
        by_folded = {known.casefold(): known for known in self._tools}
        close = get_close_matches(name.casefold(), by_folded, n=3, cutoff=0.5)
        return tuple(by_folded[match] for match in close)

    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told."""
        return tuple(tool.spec for tool in self._tools.values())
