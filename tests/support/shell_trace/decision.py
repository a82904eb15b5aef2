"""The real decision on a command: the tool's own look at it, and the ladder, with ordinary rules in mode “default”."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from assent.model.calls import CallFacts, PathUse
from assent.model.commands import Command
from assent.model.errors import ToolFault
from assent.model.modes import Category, Mode
from assent.model.verdict import Outcome
from assent.policy.decide import Rules, decide, effective_category
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import SHELL_TOOL, Effect, Rule
from assent.tools.shell import Shell, find_shell
from tests.support.bash_tool import bash_tool
from tests.support.shell_trace.places import Places
from tests.support.shell_trace.programs import WITH_RULE


@dataclass(frozen=True, slots=True)
class Decided:
    """What the gate would do with a command, and all that it knew of it."""

    outcome: Outcome
    category: Category
    command: Command
    paths: tuple[PathUse, ...]
    why: str

    @property
    def runs(self) -> bool:
        return self.outcome is Outcome.RUN

    def programs(self) -> set[str]:
        """Every program that the reading named."""
        return {part.words[0].text for part in self.command.all() if part.words and part.words[0].exact}


class Gate:
    """Decides on commands in the workspace of a small world."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._roots = (str(places.workspace),)
        rules = [Rule(Effect.ALLOW, SHELL_TOOL, f"{words}:*") for words in WITH_RULE]
        # Redirections write files of the workspace without a question.
        rules.append(Rule(Effect.ALLOW, "write_file", "**"))
        home = str(places.home)
        self._rules = Rules(
            Mode.DEFAULT, book=RuleBook(rules, self._roots, home), home=home, roots=self._roots, agent_name="Agent"
        )
        self._bash = bash_tool(lambda: self._roots)

    def shell(self) -> Shell:
        """The shell and the environment that the tool would use here."""
        given = {**os.environ, "HOME": str(self._places.home), "TMPDIR": str(self._places.scratch), "LANG": "C"}
        found = find_shell(self._roots, given)
        if isinstance(found, ToolFault):
            raise found
        return found

    def decide(self, text: str) -> Decided | None:
        """None where the arguments make no sense as a call."""
        args = {"command": text, "cwd": str(self._places.workspace)}
        if self._bash.fault(args) is not None:
            return None
        with _at_home(str(self._places.home)):
            prepared = asyncio.run(self._bash.prepare(args))
        command = prepared.command
        if command is None:
            raise AssertionError("the tool says nothing of the command")
        facts = CallFacts(
            SHELL_TOOL,
            known=True,
            category=self._bash.category if prepared.category is None else prepared.category,
            paths=prepared.paths,
            grant_key=prepared.grant_key,
            command=command,
        )
        decision = decide(facts, self._rules)
        return Decided(decision.outcome, effective_category(facts), command, prepared.paths, decision.text)


@contextmanager
def _at_home(folder: str) -> Iterator[None]:
    before = os.environ.get("HOME")
    os.environ["HOME"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before
