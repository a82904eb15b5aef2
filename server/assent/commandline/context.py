"""What surrounds a command on its way, and what those who walk it need of each other."""

from dataclasses import replace
from typing import Protocol

from assent.commandline.given import Output
from assent.commandline.invocation import Invocation
from assent.commandline.state import State, merged
from assent.commandline.surroundings import Surroundings
from assent.commandline.syntax.tree import Command, NotUnderstood, Sequence
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Part

DEEPEST = 12
"""So many shells, functions and loops within each other are read."""


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a command besides the state of its shell."""

    source: str
    parts: list[Part]
    stdin: Output | None = None
    piped: bool = False
    depth: int = 0
    in_function: bool = False
    escapes: list[State] | None = None
    """How the shell stood wherever a function or a loop was left early; None outside of both."""

    outer: tuple[list[State], ...] = ()
    """The same of the functions and loops around that one."""

    def entered(self) -> "Context":
        """Inside a function or a loop."""
        outer = self.outer if self.escapes is None else (*self.outer, self.escapes)
        return replace(self, escapes=[], outer=outer)

    def left(self, end: State | None) -> State | None:
        """How the shell can stand after a body that ended like this, or was left early."""
        for escape in self.escapes or ():
            end = merged(end, escape)
        return end

    def deeper(self, at: int = 0) -> "Context":
        """The same, one level down."""
        if self.depth >= DEEPEST:
            raise NotUnderstood("too much is nested in it", at)
        return replace(self, depth=self.depth + 1)


@dataclass(frozen=True, slots=True)
class Went:
    """How the shell stands after a command: where it did well, and where it failed. None: there it has ended."""

    well: State | None
    badly: State | None
    output: Output | None = None

    @property
    def either(self) -> State | None:
        return merged(self.well, self.badly)


class Walking(Protocol):
    """Walks whatever stands inside a command."""

    @property
    def surroundings(self) -> Surroundings: ...

    @property
    def untouched(self) -> bool:
        """Nothing that comes before can have changed any file."""

    @property
    def git_aliases(self) -> dict[str, str]:
        """Names of git commands that were set before."""

    @property
    def made(self) -> list[str]:
        """Everything that was written before."""

    def add(self, part: Part, context: Context) -> None:
        """Takes up a part."""

    def put_in(self, length: int) -> None:
        """So much text of variables, or of what commands print, comes into a word."""

    def sequence(self, sequence: Sequence, state: State, context: Context) -> Went:
        """All pipelines of a sequence."""

    def command(self, command: Command, state: State, context: Context) -> Went:
        """One command with all that belongs to it."""

    def text(
        self, text: str, state: State, context: Context, *, posix: bool = False
    ) -> tuple[tuple[Part, ...], State | None]:
        """The parts of a text that a shell within this one runs, and how that shell stands then."""


class Starting(Protocol):
    """Looks at a program that is started."""

    def start(self, call: Invocation, state: State, context: Context) -> tuple[Part, Output | None]:
        """What it does, and what is known of its output."""
