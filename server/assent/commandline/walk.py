"""Goes through a command the way the shell would, both ways where it may go either way, and collects its parts."""

from collections.abc import Callable
from dataclasses import replace

from assent.commandline.context import Context, Went
from assent.commandline.dialects import grammar_of, is_read_alike
from assent.commandline.git_repository import alias_set_by
from assent.commandline.inside import Words
from assent.commandline.plain import after_entry, beyond
from assent.commandline.simple import SimpleCommands
from assent.commandline.state import UNKNOWN, State, merged, widened
from assent.commandline.surroundings import ANY_SHELL, Surroundings
from assent.commandline.syntax.parser import parse
from assent.commandline.syntax.tree import (
    Block,
    Case,
    Command,
    For,
    ForSum,
    Function,
    If,
    Joint,
    NotUnderstood,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Sum,
    Test,
    While,
    Word,
)
from assent.commandline.variables import assignment_harm
from assent.model.calls import Access
from assent.model.commands import Argument, Part
from assent.model.modes import Category

MOST_PARTS = 2_000
"""Commands with more parts are not read."""
MOST_PUT_IN = 1024 * 1024
"""Letters that variables, and what commands print, may stand for in all words. Each can double the one before it."""
_UNROLLED = 24


class Walker:
    """Walks one command."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self._count = self._put_in = 0
        self.end = Went(None, None)
        """How the shell stands after what was read."""
        self.untouched = True
        self.made: list[str] = []
        self.git_aliases: dict[str, str] = {}
        self._simple = SimpleCommands(self)

    def read(self, text: str) -> tuple[tuple[Part, ...], str]:
        """The parts of this text, in their order, and what of it is more than the small language. NotUnderstood where
        it cannot be read."""
        context = Context(text, [])
        start = State(directories=tuple(filter(None, (self.surroundings.directory,))))
        shell = self.surroundings.shell
        line = grammar_of(shell)(text)
        self.end = self.sequence(line, start, context)
        differs = shell == ANY_SHELL and not is_read_alike(text)
        more = beyond(after_entry(line, self.surroundings.entry, self.surroundings.directory))
        return _once_each(context.parts), more or ("means one thing in bash and another in sh" * differs)

    def text(
        self, text: str, state: State, context: Context, *, posix: bool = False
    ) -> tuple[tuple[Part, ...], State | None]:
        """The parts of a text that a shell within this one runs, and how that shell stands then."""
        inner = replace(context.deeper(), source=text, parts=[])
        went = self.sequence(parse(text, posix=posix), state, inner)
        return _once_each(inner.parts), went.either

    def add(self, part: Part, context: Context) -> None:
        """Takes up a part."""
        self._count += 1
        if self._count > MOST_PARTS:
            raise NotUnderstood(f"it has more than {MOST_PARTS:,} parts")
        self.untouched = self.untouched and all(_only_reads(one) for one in part.all())
        self.made += [touch.name for one in part.all() for touch in one.touches if touch.access is Access.WRITE]
        for alias in filter(None, map(alias_set_by, part.all())):
            self.git_aliases[alias[0]] = alias[1]
        context.parts.append(part)

    def put_in(self, length: int) -> None:
        """So much text of variables, or of what commands print, comes into a word."""
        self._put_in += length
        if self._put_in > MOST_PUT_IN:
            raise NotUnderstood("its variables stand for too much text")

    def sequence(self, sequence: Sequence, state: State, context: Context) -> Went:
        """All pipelines of a sequence."""
        went, joint, live = Went(state, None), Joint.THEN, state
        start: State | None = state
        for pipeline, after in sequence.items:
            before = went.well if joint is Joint.AND else went.badly if joint is Joint.OR else went.either
            if joint in (Joint.THEN, Joint.BACKGROUND):
                start = before
            # What is never reached is read all the same: a restriction may be about it.
            live = before or live
            new = self._pipeline(pipeline, live, context)
            if before is None:
                new = Went(None, None)
            if joint is Joint.AND:
                went = Went(new.well, merged(went.badly, new.badly), new.output)
            elif joint is Joint.OR:
                went = Went(merged(went.well, new.well), new.badly, new.output)
            else:
                went = new
            if after is Joint.BACKGROUND:
                # All that is joined by && and || before the sign ran in a shell of its own.
                went = Went(start, None)
            joint = after
        return went if len(sequence.items) == 1 else replace(went, output=None)

    def _pipeline(self, pipeline: Pipeline, state: State, context: Context) -> Went:
        if len(pipeline.commands) == 1:
            went = self.command(pipeline.commands[0], state, context)
            return Went(went.badly, went.well, went.output) if pipeline.negated else went
        inner = context
        output = None
        for command in pipeline.commands:
            output = self.command(command, state, inner).output
            inner = replace(context, stdin=output, piped=True)
        return Went(state, state, output)

    def command(self, command: Command, state: State, context: Context) -> Went:
        """One command with all that belongs to it."""
        match command:
            case Simple():
                return self._simple.run(command, state, context)
            case Function() if command.name == "command_not_found_handle":
                # Bash calls it by itself for every program that is not there.
                raise NotUnderstood("it says what is done instead of programs that are not there", command.start)
            case Function():
                after = state.with_function(command.name, command.body)
                return Went(after, None)
            case Block():
                return self._compound(
                    command.redirects, state, context, lambda inner: self._block(command, inner, state)
                )
            case If():
                return self._compound(command.redirects, state, context, lambda inner: self._if(command, inner, state))
            case While():
                return self._compound(
                    command.redirects, state, context, lambda inner: self._while(command, inner, state)
                )
            case For():
                return self._compound(command.redirects, state, context, lambda inner: self._for(command, inner, state))
            case ForSum():
                return self._compound(
                    command.redirects, state, context, lambda inner: self._sums(command, inner, state)
                )
            case Case():
                return self._compound(
                    command.redirects, state, context, lambda inner: self._case(command, inner, state)
                )
            case Test() | Sum():
                return self._simple.check(command, state, context)

    def _compound(
        self, redirects: tuple[Redirect, ...], state: State, context: Context, walk: Callable[[Context], Went]
    ) -> Went:
        inner = context.deeper()
        if not redirects:
            return walk(inner)
        went = walk(self._simple.redirected(redirects, state, inner))
        # Errors may be among what it prints.
        return replace(went, output=None)

    def _block(self, block: Block, context: Context, state: State) -> Went:
        went = self.sequence(block.body, state, context)
        return Went(state, state, went.output) if block.subshell else went

    def _if(self, command: If, context: Context, state: State) -> Went:
        ends: list[State | None] = []
        now: State | None = state
        last = state
        for condition, body in command.branches:
            last = now or last
            went = self.sequence(condition, last, context)
            ends.append(self.sequence(body, went.well or last, context).either)
            now = went.badly
        if command.otherwise is not None:
            ends.append(self.sequence(command.otherwise, now or last, context).either)
        else:
            ends.append(now)
        return _joined(ends)

    def _case(self, command: Case, context: Context, state: State) -> Went:
        words = self.words(state, context)
        words.expander.single(command.subject)
        ends: list[State | None] = [state]
        for patterns, body in command.arms:
            for pattern in patterns:
                words.expander.single(pattern)
            # One arm can fall through to the next.
            ends.append(self.sequence(body, _joined(ends).either or state, context).either)
        self._doubted(words, state, context)
        return _joined(ends)

    def _while(self, command: While, context: Context, state: State) -> Went:
        def once(before: State, inner: Context) -> State | None:
            went = self.sequence(command.condition, before, inner)
            return merged(went.either, self.sequence(command.body, went.well or before, inner).either)

        return self._looped(once, state, context)

    def _sums(self, command: ForSum, context: Context, state: State) -> Went:
        words = self.words(state, context)
        words.expander.check_sum(command.pieces)
        self._doubted(words, state, context)
        return self._looped(lambda before, inner: self.sequence(command.body, before, inner).either, state, context)

    def _for(self, command: For, context: Context, state: State) -> Went:
        if assignment_harm(command.name, UNKNOWN):
            raise NotUnderstood(f"a loop sets {command.name}, which changes what programs do", command.start)
        values = self._values(command.words, state, context)
        if len(values) <= _UNROLLED and not any(value.many and not value.glob for value in values):
            inside = context.entered()
            ends: list[State | None] = [state]
            for value in dict.fromkeys(values):
                now = (_joined(ends[-1:]).either or state).with_variable(command.name, _one_of(value))
                ends.append(inside.left(self.sequence(command.body, now, inside).either))
            return _joined(ends)

        common = _in_common(values)

        def once(before: State, inner: Context) -> State | None:
            return self.sequence(command.body, before.with_variable(command.name, common), inner).either

        return self._looped(once, state, context)

    def _values(self, words: tuple[Word, ...] | None, state: State, context: Context) -> list[Argument]:
        if words is None:
            return list(state.positional) if state.positional is not None else [UNKNOWN]
        expansion = self.words(state, context)
        values = [value for word in words for value in expansion.expander.arguments(word)]
        self._doubted(expansion, state, context)
        return values

    def _looped(self, once: Callable[[State, Context], State | None], state: State, context: Context) -> Went:
        """Goes round until nothing new is learned; only the last round's parts count."""
        before = state
        for _ in range(3):
            probe = replace(context.entered(), parts=[])
            after = widened(before, probe.left(once(before, probe)))
            if after == before:
                context.parts.extend(probe.parts)
                return Went(before, before)
            before = after
        raise NotUnderstood("what a loop leaves behind cannot be followed")

    def words(self, state: State, context: Context) -> Words:
        """An expander for words that stand outside a simple command."""
        return self._simple.words(state, context)

    def _doubted(self, words: Words, state: State, context: Context) -> None:
        self._simple.doubted(words, state, context)


def _only_reads(part: Part) -> bool:
    return part.category is Category.READ and not part.dynamic


def _once_each(parts: list[Part]) -> tuple[Part, ...]:
    # To compare a part means to go through all of it, and most commands have one.
    return tuple(dict.fromkeys(parts) if len(parts) > 1 else parts)


def _joined(ends: list[State | None]) -> Went:
    end: State | None = None
    for one in ends:
        end = merged(end, one)
    return Went(end, end)


def _one_of(value: Argument) -> Argument:
    """A loop's variable goes over the single names that a pattern matches."""
    return replace(value, many=False)


def _in_common(values: list[Argument]) -> Argument:
    if len(values) == 1 and values[0].below:
        return replace(values[0], many=False)
    return Argument("", exact=False, many=True)
