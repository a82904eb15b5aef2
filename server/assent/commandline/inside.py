"""What stands inside a command: words with commands in them, and what programs start in turn."""

from collections.abc import Iterator
from dataclasses import field, replace

from assent.commandline.context import Context, Starting, Walking
from assent.commandline.expand import Expander
from assent.commandline.given import Output
from assent.commandline.invocation import Assigned, Invocation
from assent.commandline.outputs import as_argument
from assent.commandline.plain import beyond
from assent.commandline.state import NUMBER, State
from assent.commandline.syntax.parser import parse
from assent.commandline.syntax.tree import NotUnderstood, ProcessSubstitution, Substitution
from assent.commandline.variables import assignment_harm
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument, Part


@dataclass(slots=True)
class Words:
    """Expands the words of one command; commands that stand in them become parts, doubts are kept for its own part."""

    walker: Walking
    state: State
    context: Context
    doubts: list[tuple[str, bool]] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    """Variables that sums have set."""

    @property
    def expander(self) -> Expander:
        return Expander(self.state, self.walker.surroundings.home, self, self.context.source)

    def output_of(self, substitution: Substitution) -> Argument:
        inner = replace(self.context.deeper(), stdin=None, piped=False)
        return as_argument(self.walker.sequence(substitution.body, self.state, inner).output)

    def beside(self, process: ProcessSubstitution) -> None:
        inner = replace(self.context.deeper(), stdin=None, piped=process.writes)
        self.walker.sequence(process.body, self.state, inner)

    def doubt(self, sentence: str, *, unknown: bool = False) -> None:
        self.doubts.append((sentence, unknown))

    def counts(self, name: str) -> None:
        self.counted.append(name)

    def put_in(self, length: int) -> None:
        self.walker.put_in(length)

    def after(self, state: State | None) -> State | None:
        """The state after these words were expanded."""
        if state is None:
            return None
        for name in self.counted:
            state = state.with_variable(name, NUMBER)
            if assignment_harm(name, NUMBER):
                state = replace(state, strange=f"{name} was set before, so what its name means is not sure.")
        return state


@dataclass(frozen=True, slots=True)
class InnerCommands:
    """Reads what a program starts: in a shell of its own, which knows nothing of this one's variables."""

    starter: Starting
    walker: Walking
    state: State
    context: Context

    @property
    def home(self) -> str:
        return self.walker.surroundings.home

    def of_words(
        self,
        words: tuple[Argument, ...],
        directory: str | None,
        stdin: Output | None,
        assigned: tuple[tuple[str, Argument], ...] = (),
    ) -> Part:
        context = replace(self.context.deeper(), parts=[], stdin=stdin, piped=stdin is not None)
        state = self.state.moved(directory)
        written = " ".join(_shown(words))
        call = Invocation(words, written, directory, tuple(Assigned(name, value) for name, value in assigned))
        return self.starter.start(call, state, context)[0]

    def more_than_plain(self, text: str, *, posix: bool) -> str:
        try:
            return beyond(parse(text, posix=posix))
        except NotUnderstood:
            return "starts another shell"

    def of_text(
        self, text: str, directory: str | None, *, posix: bool, positional: tuple[Argument, ...] | None = ()
    ) -> tuple[Part, ...] | None:
        folders = () if directory is None else (directory,)
        fresh = State(directories=folders, positional=positional, strange=self.state.strange)
        context = replace(self.context, stdin=None, piped=False)
        try:
            return self.walker.text(text, fresh, context, posix=posix)[0]
        except NotUnderstood:
            return None


def _shown(words: tuple[Argument, ...]) -> Iterator[str]:
    """The words for people. What stands twice for several names that are only found later is shown once."""
    before: Argument | None = None
    for word in words:
        if not (word.below and word == before):
            yield word.written or word.text
        before = word
