"""Simple commands: words, assignments and redirections, and then a program, a function or a part of the shell."""

import re
from dataclasses import replace
from itertools import pairwise

from assent.commandline.context import Context, Walking, Went
from assent.commandline.dialects import dialect_of
from assent.commandline.findings import Findings
from assent.commandline.foreign import GOES, understand_foreign
from assent.commandline.git_repository import makes_repository, passing_over_ignored, told_by_repository
from assent.commandline.given import Output
from assent.commandline.inside import InnerCommands, Words
from assent.commandline.invocation import Assigned, Invocation, part_of
from assent.commandline.outputs import printed
from assent.commandline.redirects import PLAIN_NAME, opened, with_redirects
from assent.commandline.shell import Shell
from assent.commandline.specials import SPECIALS
from assent.commandline.state import UNKNOWN, State, merged
from assent.commandline.syntax.tree import (
    Assignment,
    Redirect,
    Simple,
    Sum,
    Test,
)
from assent.commandline.understand import understand
from assent.commandline.variables import assignment_harm
from assent.model.commands import Argument, Danger, Part
from assent.model.modes import Category

_SUMS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


class SimpleCommands:
    """Walks simple commands, `[[ ]]`, `(( ))`, and the redirections of compound commands."""

    def __init__(self, walker: Walking) -> None:
        self._walker = walker
        dialect = dialect_of(walker.surroundings.shell)
        self._foreign = dialect is not None and not dialect.posix_programs

    def words(self, state: State, context: Context) -> Words:
        """An expander in this state."""
        return Words(self._walker, state, context)

    def doubted(self, words: Words, state: State, context: Context) -> None:
        """A part for doubts about words that belong to no program."""
        if words.doubts:
            findings = self._findings((), state, context)
            _take_doubts(words, findings)
            self._walker.add(part_of(Invocation((), "", state.directory), findings), context)

    def redirected(self, redirects: tuple[Redirect, ...], state: State, context: Context) -> Context:
        """The same surroundings for a compound command with these redirections."""
        words = self.words(state, context)
        findings = self._findings((), state, context)
        stdin, piped = self._redirects(redirects, words, findings, context)
        _take_doubts(words, findings)
        if findings.touches or findings.dangers:
            written = " ".join(context.source[one.start : one.end] for one in redirects)
            self._walker.add(part_of(Invocation((), written, state.directory), findings), context)
        return replace(context, stdin=stdin, piped=piped)

    def check(self, command: Test | Sum, state: State, context: Context) -> Went:
        """`[[ ]]` and `(( ))`: nothing runs but what their words hold."""
        words = self.words(state, context)
        findings = self._findings((), state, context)
        arguments: tuple[Argument, ...]
        if isinstance(command, Sum):
            words.expander.check_sum(command.pieces)
            arguments = (Argument("((", written="(("),)
        else:
            inside = [words.expander.single(word) for word in command.words]
            arguments = (Argument("[[", written="[["), *inside)
            _check_test(arguments, words)
        findings.words, findings.steps_at = arguments, [0]
        self._redirects(command.redirects, words, findings, context)
        _take_doubts(words, findings)
        written = context.source[command.start : command.end]
        part = part_of(Invocation(arguments, written, state.directory), findings, neutral=_is_idle(findings))
        self._walker.add(part, context)
        after = words.after(state)
        return Went(after, after)

    def run(self, command: Simple, state: State, context: Context) -> Went:
        """A simple command."""
        words = self.words(state, context)
        expander = words.expander
        arguments = tuple(one for word in command.words for one in expander.arguments(word))
        assigned = self._values(command.assignments, words)
        written = context.source[command.start : command.end]
        redirects = self._findings(arguments, state, context)
        stdin, piped = self._redirects(command.redirects, words, redirects, context)
        if state.streams_moved:
            stdin, piped = None, True
        if stdin is not context.stdin or piped is not context.piped:
            context = replace(context, stdin=stdin, piped=piped)
        if not arguments:
            return self._assign(assigned, words, redirects, written, state, context)
        before = tuple(Assigned(one.name, value) for one, value in assigned if isinstance(value, Argument))
        if len(before) < len(assigned) or any(one.index is not None or one.appends for one, _ in assigned):
            words.doubt("What a variable is before this program cannot be known.")
        call = Invocation(arguments, written, state.directory, before)
        part, well, badly, output = self._start(call, state, context)
        _take_doubts(words, redirects)
        self._walker.add(with_redirects(part, redirects), context)
        if state.streams_moved or any(one.operator in {">&", "&>", "&>>"} for one in command.redirects):
            # Errors may be among what it prints.
            output = None
        return Went(words.after(well), words.after(badly), output)

    def start(self, call: Invocation, state: State, context: Context) -> tuple[Part, Output | None]:
        """A program that another one starts: the shell's own commands mean nothing to it."""
        if context.stdin is not None or context.piped or state.strange:
            call = replace(call, stdin=context.stdin, piped=context.piped, stranger=state.strange)
        inside = self._inside(state, context)
        part, output = understand_foreign(call, inside) if self._foreign else understand(call, inside)
        if part.steps and part.steps[0] in {"[", "test"} and not part.dangers and not part.touches:
            part = replace(part, transparent=True)
        output = output or printed(call.words, state.directory) or self._top(call.words, state)
        return self._told(part, call, state, context), output

    def _start(
        self, call: Invocation, state: State, context: Context
    ) -> tuple[Part, State | None, State | None, Output | None]:
        first = call.words[0]
        name = first.text if first.exact and not first.many else ""
        if name in state.functions:
            return self._call(call, state, context)
        special = SPECIALS.get(name) if not self._foreign else SPECIALS["cd"] if name.casefold() in GOES else None
        if special is not None:
            findings = self._findings(call.words, state, context)
            shell = Shell(self, self._walker, call, state, context, findings)
            return special(shell)
        part, output = self.start(call, state, context)
        for other in state.directories[1:]:
            beside, _ = self.start(replace(call, directory=other), state.moved(other), context)
            part = _both(part, beside)
        if state.exported:
            part = replace(part, dangers=(*part.dangers, *(Danger(text) for text in state.exported)))
        return part, state, state, output

    def _call(
        self, call: Invocation, state: State, context: Context
    ) -> tuple[Part, State | None, State | None, Output | None]:
        """A function that this command has defined."""
        inner = replace(context.deeper().entered(), parts=[], in_function=True)
        inside = replace(_given(call, state), positional=call.words[1:], own=frozenset())
        after: State | None = None
        for body in state.functions[call.words[0].text]:
            if body is None:
                inner.parts.append(self.start(call, state, context)[0])
                after = merged(after, state)
                continue
            # A function that calls itself is not read again and again: the depth is bounded.
            went = inner.left(self._walker.command(body, inside, inner).either)
            after = merged(after, None if went is None else went.after_function(state))
        for one in call.assigned:
            after = None if after is None else after.with_variable(one.name, UNKNOWN)
        findings = self._findings(call.words, state, context)
        findings.steps_at = [0]
        findings.inner = list(dict.fromkeys(inner.parts))
        return part_of(call, findings, neutral=True), after, after, None

    def _top(self, words: tuple[Argument, ...], state: State) -> Output | None:
        """What `git rev-parse --show-toplevel` prints."""
        known = self._walker.surroundings.git.get(state.directory or "")
        asked = [word.text for word in words if word.exact] == ["git", "rev-parse", "--show-toplevel"]
        return Output(known.top + "\n") if asked and len(words) == 3 and known is not None and known.top else None

    def _told(self, part: Part, call: Invocation, state: State, context: Context) -> Part:
        """What the repository's own configuration adds to a git command."""
        if not part.steps or part.steps[0] != "git":
            return part
        part = passing_over_ignored(part)
        if makes_repository(part, self._walker.made):
            text = "works in a repository that this command itself may have made or changed"
            category = Category.EXECUTE if part.category is not Category.EXTERNAL else Category.EXTERNAL
            part = replace(part, dangers=(*part.dangers, Danger(text)), category=category)
        facts, aliases = self._walker.surroundings.git, self._walker.git_aliases
        return told_by_repository(part, facts, self._inside(state, context), aliases)

    def _assign(
        self,
        assigned: tuple[tuple[Assignment, Argument | tuple[Argument, ...]], ...],
        words: Words,
        findings: Findings,
        written: str,
        state: State,
        context: Context,
    ) -> Went:
        """Assignments for the shell itself, or redirections alone."""
        for one, value in assigned:
            state = assign(one.name, UNKNOWN if one.appends or one.index is not None else value, state, findings)
            if one.index is not None:
                words.expander.check_sum(one.index.pieces)
        _take_doubts(words, findings)
        if findings.touches or findings.dangers:
            self._walker.add(part_of(Invocation((), written, state.directory), findings), context)
        after = words.after(state)
        return Went(after, after)

    def _values(
        self, assignments: tuple[Assignment, ...], words: Words
    ) -> tuple[tuple[Assignment, Argument | tuple[Argument, ...]], ...]:
        """The values in their order: each can stand on those before it."""
        outside, found = words.state, []
        for one in assignments:
            value = self._value(one, words)
            found.append((one, value))
            settled = UNKNOWN if one.appends or one.index is not None else value
            words.state = words.state.with_variable(one.name, settled)
        words.state = outside
        return tuple(found)

    def _value(self, one: Assignment, words: Words) -> Argument | tuple[Argument, ...]:
        if isinstance(one.value, tuple):
            return tuple(value for word in one.value for value in words.expander.arguments(word))
        return words.expander.single(one.value)

    def _inside(self, state: State, context: Context) -> InnerCommands:
        return InnerCommands(self, self._walker, state, context)

    def _findings(self, words: tuple[Argument, ...], state: State, context: Context) -> Findings:
        return Findings(self._inside(state, context), words, state.directory, state.directories[1:])

    def _redirects(
        self, redirects: tuple[Redirect, ...], words: Words, findings: Findings, context: Context
    ) -> tuple[Output | None, bool]:
        stdin, piped = context.stdin, context.piped
        for one in redirects:
            expand = words.expander.text if one.operator in {"<<", "<<<"} else words.expander.target
            target = expand(one.target)
            if one.descriptor and not one.descriptor.isdigit():
                # The shell keeps the number of the file in a variable of this name.
                words.counts(one.descriptor)
            match one.operator:
                case "<<" | "<<<":
                    stdin, piped = Output(target.text + "\n") if target.exact else None, True
                case "<&" | ">&" if re.fullmatch(r"\d+-?|-", target.text) and target.exact:
                    if one.operator == "<&" or one.descriptor == "0":
                        stdin, piped = None, True
                case "<&" | ">&" if not (target.exact and PLAIN_NAME.fullmatch(target.text)):
                    # Bash expands this word twice: what is left after the first time can hold commands.
                    findings.not_known(f"What {one.operator}{target.written} means cannot be known.")
                case "<":
                    stdin, piped = None, True
                    opened(one, target, findings)
                case _:
                    opened(one, target, findings)
        return stdin, piped


def _is_idle(findings: Findings) -> bool:
    """Whether nothing comes of it but that it does well or badly."""
    return not findings.dangers and not findings.touches


def _given(call: Invocation, state: State) -> State:
    """The state in which a function or a part of the shell runs that has variables before it."""
    for one in call.assigned:
        state = state.with_variable(one.name, one.value)
    return state


_HOLDS_COMMANDS = frozenset({"PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "BASH_ENV", "ENV"})
"""The shell runs what stands in their values."""


def assign(name: str, value: Argument | tuple[Argument, ...], state: State, findings: Findings) -> State:
    """The state after this variable was set for the shell itself."""
    if name == "IFS":
        # Words are split in another way from here on; what they are called, it does not change.
        return replace(state, splits_strangely=True).with_variable(name, value)
    why = assignment_harm(name, value if isinstance(value, Argument) else UNKNOWN)
    if why:
        findings.dynamic = findings.dynamic or name in _HOLDS_COMMANDS
        findings.danger(f"sets {name}, {why}")
        findings.steps_at = []
        strange = f"{name} was set before, so what its name means is not sure."
        state = replace(state, strange=strange)
    return state.with_variable(name, value)


def _check_test(words: tuple[Argument, ...], checked: Words) -> None:
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        if word.text in _SUMS and not all(_is_number(side) for side in (before, after)):
            unknown = not all(side.exact or side.number for side in (before, after))
            checked.doubt("A sum is done with text that is no number.", unknown=unknown)
    for word, after in pairwise(words):
        if word.text in {"-v", "-R"} and ("[" in after.text or not after.exact):
            checked.doubt("The index of a variable can hold commands.")


def _is_number(side: Argument) -> bool:
    return side.number or (side.exact and re.fullmatch(r"[-+]?\d*", side.text) is not None)


def _take_doubts(words: Words, findings: Findings) -> None:
    for sentence, unknown in words.doubts:
        if unknown:
            findings.unknown.append(sentence)
            findings.unclear("evaluates text that is only known when it runs")
        else:
            findings.not_known(sentence)
    words.doubts.clear()


def _both(part: Part, beside: Part) -> Part:
    """The same program in another folder, where it may run, too."""
    return replace(
        part,
        touches=tuple(dict.fromkeys((*part.touches, *beside.touches))),
        dangers=tuple(dict.fromkeys((*part.dangers, *beside.dangers))),
        inner=tuple(dict.fromkeys((*part.inner, *beside.inner))),
    )
