"""The browsers of all chats: one each, from its first page to its end."""

import asyncio
import os
import sys
from collections.abc import Callable
from functools import partial

from assent.agent.ports import Tool
from assent.agent.toolbelt import OfEachChat
from assent.app.commands import Commands
from assent.model.addresses import Address
from assent.model.ids import SessionId
from assent.policy.pages import restriction_on
from assent.policy.rules.rule import Effect
from assent.policy.rules_in_force import Rules
from assent.runtime.processes import Processes
from assent.shells.workplace import Workplace
from assent.tools.browser import Browser
from assent.tools.places import Roots
from assent.web.browser.installed import Installed, find_browser
from assent.web.browser.serving import Serving
from assent.web.browser.session import BrowserSession
from assent.web.visit import Visitor


class Browsers:
    """Makes them when a call first needs one, and ends each with its chat."""

    def __init__(
        self,
        processes: Processes,
        visitor: Visitor,
        roots: Roots,
        commands: Commands,
        rules: Callable[[SessionId], Rules | None],
    ) -> None:
        self._processes = processes
        self._visitor = visitor
        self._roots = roots
        self._commands = commands
        self._rules = rules
        self._sessions: dict[SessionId, BrowserSession] = {}

    def tool(self) -> Tool:
        """The tool of each chat."""
        return OfEachChat(
            lambda chat: Browser(partial(self._of, chat), self._installed, self._visitor, partial(self._scratch, chat))
        )

    async def close(self, session_id: SessionId) -> None:
        """The chat is closed."""
        session = self._sessions.pop(session_id, None)
        if session is not None:
            await session.close()

    async def end(self) -> None:
        """The server ends."""
        await asyncio.gather(*(self.close(session_id) for session_id in tuple(self._sessions)))

    def _of(self, session_id: SessionId) -> BrowserSession:
        if session_id not in self._sessions:
            self._commands.tidy()
            serving = Serving(self._visitor, partial(self._restriction, session_id))
            self._sessions[session_id] = BrowserSession(self._processes, serving, Workplace(session_id))
        return self._sessions[session_id]

    def _installed(self) -> Installed | None:
        # Elsewhere no program can be given the two pipes.
        return find_browser(os.environ, self._roots()) if sys.platform == "linux" else None

    def _scratch(self, session_id: SessionId) -> str:
        workplace = self._commands.workplace(session_id)
        workplace.make_scratch()
        return workplace.scratch

    def _restriction(self, session_id: SessionId, address: Address, agreed: tuple[Address, ...]) -> Effect | None:
        rules = self._rules(session_id)
        return Effect.DENY if rules is None else restriction_on(rules, address, agreed)
