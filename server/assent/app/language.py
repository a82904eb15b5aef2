"""What settings files that are open in an editor are looked at with, and what a click in one of them does."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from assent.agent.toolbelt import Toolbelt
from assent.model.errors import InvalidRequest
from assent.model.modes import Category
from assent.model.nodes import MCP_TOOL

if TYPE_CHECKING:
    from assent.app.allowed import Allowed
    from assent.app.trust import Trust
    from assent.settings.language.drafts import Draft, Looked
    from assent.settings.language.known import Known, KnownTool
    from assent.settings.language.overlaps import ToolKinds
    from assent.settings.language.places import SettingsPlace


class Language:
    """Everything here reads; only what is clicked writes, by the way that all clicks take."""

    def __init__(
        self,
        trust: "Trust",
        allowed: "Allowed",
        tools: Toolbelt,
        workspace_file: Callable[[], Path | None],
    ) -> None:
        self._trust, self._allowed = trust, allowed
        self._tools = tools
        self._workspace_file = workspace_file
        self._changed: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        """From now on this is told when settings may be others."""
        self._changed.append(changed)

    def unwatch(self, changed: Callable[[], None]) -> None:
        if changed in self._changed:
            self._changed.remove(changed)

    def settings_are(self) -> None:
        """The settings may be others."""
        for changed in tuple(self._changed):
            changed()

    def place_of(self, scheme: str, path: str) -> "SettingsPlace | None":
        """Whose settings this file holds, if it holds some that count here."""
        from assent.settings.language.places import place_of

        return place_of(scheme, path, self._trust.folders, self._workspace_file())

    async def look(self, draft: "Draft") -> "Looked":
        """What is to be said of this text now."""
        from assent.settings.language.drafts import look_at

        around, tools = self._trust.around_drafts(), self._trust.tools
        return await asyncio.to_thread(look_at, draft, around, tools, self.kinds())

    def kinds(self) -> "ToolKinds":
        """Which tools there are, as far as it matters for what their rules can match."""
        from assent.settings.language.overlaps import ToolKinds

        return ToolKinds(self._of(Category.WRITE), self._of(Category.INTERNAL))

    def _of(self, category: Category) -> frozenset[str]:
        return frozenset(tool.name for tool in self._known_tools() if tool.category is category)

    def _known_tools(self) -> "Iterator[KnownTool]":
        from assent.settings.language.known import KnownTool

        for name in self._tools.names:
            tool = self._tools.get(name)
            if tool is not None:
                yield KnownTool(name, tool.category, tool.spec.description)
        yield KnownTool(MCP_TOOL, Category.EXTERNAL, "The tools of MCP servers, as `server:tool`.")

    def known(self, *, editor_describes: bool) -> "Known":
        """What there is to be named."""
        from assent.settings.language.known import Known, KnownAgent

        now = self._trust.now()
        agents = {
            name: KnownAgent(name, (verdict := now.bypass(name)).on, verdict.text) for name in now.agents_if_agreed
        }
        tools = {tool.name: tool for tool in self._known_tools()}
        return Known(tools, agents, tuple(now.mcp_servers), editor_describes)

    async def turn_off_bypass(self, agent: str, scope: str) -> None:
        """Takes the bypass of an agent out of the settings of this scope. Raises InvalidRequest."""
        stored = [
            one
            for one in self._allowed.everything()
            if (one.kind, one.agent_name, one.setting is not None) == ("bypass_agent", agent, True)
            and (one.scope == "user") == (scope == "user")
        ]
        if not stored:
            raise InvalidRequest(
                f"no bypass of “{agent}” is stored there: if the file has unsaved changes, take it out by hand, or save"
                " it first"
            )
        for one in stored:
            await self._allowed.revoke(one.grant_id)
