"""Asks the app that the server runs on, with the settings that a question brings."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assent.agent.gate import Explanation
from assent.app.scopes import Scopes
from assent.cli.explain.question import Question
from assent.model.errors import InvalidRequest
from assent.settings.agents import BYPASS_SETTING

if TYPE_CHECKING:
    from assent.app.app import App


class Answering:
    """One app for many questions: it meets the next folder and settings like a client that has just started it.

    With `any_agent` a question may be about an agent that nothing names: another program may bring it.
    """

    def __init__(self, app: "App", *, any_agent: bool = False) -> None:
        self._app = app
        self._any_agent = any_agent
        self._met: Question | None = None
        self._thinks = False

    async def answer(self, question: Question) -> Explanation:
        """What the server would decide. An AssentError where the question makes no sense."""
        if self._thinks and self._met is not None and question.agent != self._met.agent:
            self._app.trust.think_of_agents_no_more()
            self._thinks, self._met = False, None
        self._meet(question)
        if question.agent is not None and question.agent not in self._app.trust.now().agents:
            self._think_of(question.agent, question)
        return await self._app.explain(
            question.tool, question.args, agent_id=question.agent, mode=question.mode, session_id=None
        )

    def _think_of(self, agent: str, question: Question) -> None:
        if not self._any_agent and agent not in self._named(question):
            known = ", ".join(self._app.trust.now().agents)
            raise InvalidRequest(f"nothing names an agent {agent!r}; there are {known}", "agent")
        self._app.trust.think_of_agent(agent)
        self._thinks, self._met = True, None
        self._meet(question)

    def diagnostics(self) -> tuple[str, ...]:
        """What is wrong with the settings of the last question, a sentence each."""
        return tuple(diagnostic.sentence for diagnostic in self._app.trust.diagnostics())

    def about_bypass(self, agent: str) -> str:
        """What the settings of the last question say of this agent's bypass."""
        return self._app.trust.now().bypass(agent).text

    def _meet(self, question: Question) -> None:
        if self._met is not None and _same_surroundings(question, self._met):
            return
        real = os.path.realpath(question.folder)
        self._app.workspace.folders = (real,)
        # A client without settings of the workspace sends none, and then the workspace's own file counts.
        scopes = Scopes(question.user, question.workspace)
        self._app.trust.meet((Path(real),), scopes, trusted=None, write=None)
        self._met = question

    def _named(self, question: Question) -> set[str]:
        """Those that a rule or a bypass map is about: another program may bring them."""
        rules = self._app.trust.now().rules.rules
        named = {agent for rule in rules for agent in rule.agents or ()}
        for block in (question.user, question.workspace):
            bypasses = (block or {}).get(BYPASS_SETTING)
            named |= set(bypasses) if isinstance(bypasses, Mapping) else set()
        return named


def _same_surroundings(one: Question, other: Question) -> bool:
    # By identity: to Python, 1 and true are equal.
    return one.folder == other.folder and one.user is other.user and one.workspace is other.workspace
