"""The real decision on a command: the tool's own look at it, and the ladder, with ordinary rules in mode “default”."""

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from assent.model.calls import CallFacts, PathUse
from assent.model.commands import Command, Part
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
    """Decides on commands in the workspace of a small world.

    `believing`: words of refusal that count for nothing, as if the reading was believed in spite of them.
    """

    def __init__(self, places: Places, believing: re.Pattern[str] | None = None) -> None:
        self._places = places
        self._believing = believing
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
        command, category = prepared.command, prepared.category
        if command is None:
            raise AssertionError("the tool says nothing of the command")
        if self._believing is not None:
            believed = _believed(command, self._believing)
            category = Category.READ if believed != command else category
            command = believed
        facts = CallFacts(
            SHELL_TOOL,
            known=True,
            category=self._bash.category if category is None else category,
            paths=prepared.paths,
            grant_key=prepared.grant_key,
            command=command,
        )
        decision = decide(facts, self._rules)
        return Decided(decision.outcome, effective_category(facts), command, prepared.paths, decision.text)


def _believed(command: Command, words: re.Pattern[str]) -> Command:
    def part_of(part: Part) -> Part:
        dangers = tuple(danger for danger in part.dangers if not words.search(danger.text))
        return replace(
            part,
            dangers=dangers,
            category=part.category if dangers == part.dangers else Category.READ,
            beyond="" if words.search(part.beyond) else part.beyond,
            loose="" if words.search(part.loose) else part.loose,
            inner=tuple(map(part_of, part.inner)),
        )

    return replace(
        command,
        parts=tuple(map(part_of, command.parts)),
        beyond="" if words.search(command.beyond) else command.beyond,
    )


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
