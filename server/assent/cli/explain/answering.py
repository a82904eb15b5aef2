"""Asks the app that the server runs on, with the settings that a question brings."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assent.agent.gate import Explanation
from assent.app.trust import Scopes
from assent.cli.explain.question import Question
from assent.model.errors import InvalidRequest
from assent.settings.agents import BYPASS_SETTING

if TYPE_CHECKING:
    from assent.app.app import App


class Answering:
    """One app for many questions: it meets the next folder and settings like a client that has just started it."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._met: Question | None = None

    async def answer(self, question: Question) -> Explanation:
        """What the server would decide. An AssentError where the question makes no sense."""
        self._meet(question)
        if question.agent is not None and question.agent not in self._agents(question):
            known = ", ".join(self._app.trust.now().agents)
            raise InvalidRequest(f"nothing names an agent {question.agent!r}; there are {known}", "agent")
        return await self._app.explain(
            question.tool,
            question.args,
            agent_id=question.agent,
            mode=question.mode,
            session_id=None,
            any_agent=True,
        )

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

    def _agents(self, question: Question) -> set[str]:
        """Those that are defined, and those that a rule or a bypass map is about: another program may bring them."""
        now = self._app.trust.now()
        named = {agent for rule in now.rules.rules for agent in rule.agents or ()}
        for block in (question.user, question.workspace):
            bypasses = (block or {}).get(BYPASS_SETTING)
            named |= set(bypasses) if isinstance(bypasses, Mapping) else set()
        return named | set(now.agents)


def _same_surroundings(one: Question, other: Question) -> bool:
    # By identity: to Python, 1 and true are equal.
    return one.folder == other.folder and one.user is other.user and one.workspace is other.workspace
