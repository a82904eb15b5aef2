"""The tree of a shell command: what the grammar says stands there, and nothing of what it would mean.

Every node knows the place in the text that it was read from: `start` and `end`, as in a slice.
"""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass


class NotUnderstood(Exception):
    """The text is no shell command, or holds a construct that is not read. Nothing is guessed."""

    def __init__(self, reason: str, at: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


@dataclass(frozen=True, slots=True)
class Text:
    """Characters that stand for themselves. Only unquoted ones can be a glob, a tilde or a reserved word."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$name`, `${name}` and all its longer forms. `operator` is "" for the plain ones.

    The operator is what stands between the name and the argument: `:-`, `#`, `%%`, `/`, `:`, `^^`, `@P`; `#` in front
    of the name (the length) is the operator `length`, `!` in front of it is `indirect`. An index is `${name[index]}`.
    """

    name: str
    operator: str = ""
    argument: "Word | None" = None
    index: "Word | None" = None
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$( )` or backticks: the output of commands. Backticks are read as the shell would unescape their text."""

    body: "Sequence"
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`$(( ))`, with the pieces that are expanded before the sum is done."""

    pieces: "tuple[Piece, ...]"
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class ProcessSubstitution:
    """`<( )` or `>( )`: a file name behind which commands run."""

    body: "Sequence"
    writes: bool


@dataclass(frozen=True, slots=True)
class Braces:
    """`{a,b}` or `{1..5}`, unquoted, in the order in which they are expanded. Each alternative is a word."""

    alternatives: "tuple[Word, ...]"


Piece = Text | Parameter | Substitution | Arithmetic | ProcessSubstitution | Braces


@dataclass(frozen=True, slots=True)
class Word:
    """Pieces that stand next to each other without a blank. No piece at all is an empty quoted word: `''`."""

    pieces: tuple[Piece, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name=value`, `name+=value`, `name[index]=value` or `name=(a b)`, where such stand before a command."""

    name: str
    value: "Word | tuple[Word, ...]"
    start: int
    end: int
    appends: bool = False
    index: Word | None = None


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2>file`, `<<<word`, `<<END` and all others. Of a here-document, `target` is the body, expanded or not."""

    operator: str
    """`<` `>` `>>` `>|` `<>` `<&` `>&` `&>` `&>>` `<<<` `<<`. The form `<<-` is `<<` here: its tabs are gone."""
    target: Word
    start: int
    end: int
    descriptor: str = ""
    """The digits before the operator, or the name in `{name}>`. Empty where none are given."""


@dataclass(frozen=True, slots=True)
class Simple:
    """A program with its words. Any of the three may be missing, but not all of them."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """`{ …; }`, or `( … )` where it is a subshell."""

    body: "Sequence"
    subshell: bool
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class If:
    """`if`, `elif` and `else`: pairs of condition and body in their order, and what is done otherwise."""

    branches: "tuple[tuple[Sequence, Sequence], ...]"
    otherwise: "Sequence | None"
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class While:
    """`while` and `until`."""

    condition: "Sequence"
    body: "Sequence"
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class For:
    """`for name in words`; `words` is None where it goes over the positional parameters."""

    name: str
    words: tuple[Word, ...] | None
    body: "Sequence"
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ForSum:
    """`for ((a; b; c))`, with the pieces of its three sums."""

    pieces: tuple[Piece, ...]
    body: "Sequence"
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Case:
    """`case subject in`, with the patterns and the body of each arm."""

    subject: Word
    arms: "tuple[tuple[tuple[Word, ...], Sequence], ...]"
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Function:
    """The definition of a function. Its body runs when it is called."""

    name: str
    body: "Command"
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Test:
    """`[[ … ]]`: the words between the brackets, operators among them as plain text."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sum:
    """`(( … ))`."""

    pieces: tuple[Piece, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


Command = Simple | Block | If | While | For | ForSum | Case | Function | Test | Sum


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands whose output is the next one's input. `|&` is told by a redirect `2>&1` on the command before it."""

    commands: tuple[Command, ...]
    start: int
    end: int
    negated: bool = False


class Joint(StrEnum):
    """What stands after a pipeline."""

    THEN = ";"
    """Also a line's end, and the end of the text."""
    AND = "&&"
    OR = "||"
    BACKGROUND = "&"


@dataclass(frozen=True, slots=True)
class Sequence:
    """Pipelines one after another, each with what stands after it."""

    items: tuple[tuple[Pipeline, Joint], ...]
