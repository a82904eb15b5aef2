"""Commands one after another, and pipelines."""

import re
from dataclasses import replace

from assent.commandline.syntax.simple import SimpleReader
from assent.commandline.syntax.tree import Command, Function, Joint, Pipeline, Redirect, Sequence, Text, Word

_ENDERS = frozenset(("then", "else", "elif", "fi", "esac", "do", "done", "}"))
_ARM_ENDS = frozenset((";;", ";&", ";;&"))
_TIME_OPTION = re.compile(r"-p(?=[ \t])")
MOST_COMMANDS = 2_000
"""Texts with more commands are not read."""


class CommandReader(SimpleReader):
    """Reads sequences and pipelines."""

    __slots__ = ()

    def function_keyword(self) -> Function:
        """Reads `function name …`."""
        raise NotImplementedError

    def everything(self) -> Sequence:
        """Reads commands up to the end of the text."""
        found = self.sequence()
        if self.at < len(self.text):
            word = self.reserved() or self.operator()
            self.fail(f"{word} stands where no command can end" if word else "this is no command")
        if self.pending:
            self.fail("a here-document is not closed")
        return found

    def _ends(self) -> bool:
        """Whether no further command can stand here."""
        character = self.peek()
        if not character or character == ")":
            return True
        return self.operator() in _ARM_ENDS if character == ";" else self.reserved() in _ENDERS

    def sequence(self) -> Sequence:
        """Reads commands up to whatever cannot be one."""
        items: list[tuple[Pipeline, Joint]] = []
        self.newlines()
        ends = self._ends()
        while not ends:
            pipeline = self._pipeline()
            joint, goes_on = self._joint()
            items.append((pipeline, joint))
            ends = not goes_on or (joint not in (Joint.AND, Joint.OR) and self._ends())
        return Sequence(tuple(items))

    def _joint(self) -> tuple[Joint, bool]:
        """What stands behind a pipeline, and whether another one may follow."""
        operator = self.operator()
        if operator in ("&&", "||"):
            self.pass_operator()
            self.newlines()
            if self._ends():
                self.fail(f"a command is missing behind {operator}")
            return Joint(operator), True
        if operator == "\n":
            self.newlines()
            return Joint.THEN, True
        if operator in (";", "&"):
            self.pass_operator()
            self.newlines()
            return (Joint.THEN if operator == ";" else Joint.BACKGROUND), True
        if not operator and self.peek() and not (self._closes and self.reserved() in _ENDERS):
            self.fail("this cannot stand behind a command")
        return Joint.THEN, False

    def _pipeline(self) -> Pipeline:
        start = self.at
        negated, word = self._prefix()
        commands = [self._command(word)]
        while (operator := self.operator()) in ("|", "|&"):
            at = self.at
            self.pass_operator()
            if operator == "|&":
                self.only_bash("|&")
                commands[-1] = self._with_errors(commands[-1], at)
            self.newlines()
            word = self.reserved()
            if word in ("!", "time"):
                self.fail("! or time behind | is not read")
            commands.append(self._command(word))
        return Pipeline(tuple(commands), *self.place(start, self._end), negated)

    def _with_errors(self, command: Command, at: int) -> Command:
        if isinstance(command, Function):
            self.fail("|& behind a function is not read", at)
        place = self.place(at, self.at)
        redirect = Redirect(">&", Word((Text("1"),), *place), *place, "2")
        return replace(command, redirects=(*command.redirects, redirect))

    def _prefix(self) -> tuple[bool, str]:
        """Passes over `!` and `time`, each at most once: whether there was a `!`, and the reserved word behind."""
        seen: set[str] = set()
        while (word := self.reserved()) in ("!", "time"):
            if word in seen:
                self.fail(f"{word} twice is not read")
            if word == "!" and self.peek(2) == "!(":
                self.fail("!( is not read")
            seen.add(word)
            self.at += len(word)
            self.blanks()
            if word == "time":
                self._pass_time_option()
        return "!" in seen, word

    def _pass_time_option(self) -> None:
        self.only_bash("time")
        if _TIME_OPTION.match(self.text, self.at):
            self.at += 2
            self.blanks()
        if self.peek() == "-":
            self.fail("this option of time is not read")

    def _command(self, word: str) -> Command:
        self.count += 1
        if self.count > MOST_COMMANDS:
            self.fail(f"it has more than {MOST_COMMANDS:,} commands")
        if not word:
            return self.compound("(") if self.peek() == "(" else self._simple()
        if word == "function":
            return self.function_keyword()
        if word in ("select", "coproc"):
            self.fail(f"{word} is not read")
        return self.compound(word)
