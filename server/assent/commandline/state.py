"""What the shell knows at one point of a command: where it is, its variables, its functions."""

import re
from collections.abc import Mapping
from dataclasses import field, replace

from assent.commandline.syntax.tree import Command
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument

UNKNOWN = Argument("", exact=False, many=True)
"""A value of which nothing is known."""
EMPTY = Argument("")
NUMBER = Argument("", exact=False, number=True)
"""A whole number that is not known."""
Value = Argument | tuple[Argument, ...]
"""The value of a variable, or the elements of an array."""

_MOST_FOLDERS = 4
_NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class State:
    """Never changed, always replaced: of two ways that a command can go, each has its own."""

    directories: tuple[str, ...] = ()
    """Where it may be: usually one folder, the likeliest first. None at all: that cannot be known."""
    variables: Mapping[str, Value] = field(default_factory=dict)
    """Those that this very command has set. Of all others, the environment decides."""
    functions: Mapping[str, tuple[Command | None, ...]] = field(default_factory=dict)
    """Bodies by name; several where it depends on the way which one counts. None: there it is no function."""
    own: frozenset[str] = frozenset()
    """Variables that the function which runs has made its own: with its end, their earlier values are back."""
    positional: tuple[Argument, ...] | None = ()
    strange: str = ""
    """Why no program's name is sure to mean what it usually means; empty while it does."""
    exported: tuple[str, ...] = ()
    """What was exported and may change what programs do, as the end of a sentence: “sets X, which …”."""
    splits_strangely: bool = False
    """Words are not split at blanks any more."""
    streams_moved: bool = False
    """Input, output or errors go elsewhere than it seems."""

    @property
    def directory(self) -> str | None:
        return self.directories[0] if self.directories else None

    def moved(self, directory: str | None) -> "State":
        """The same, in this folder; None where it cannot be known."""
        return replace(self, directories=() if directory is None else (directory,))

    def with_variable(self, name: str, value: Value) -> "State":
        """The same with this variable set."""
        return replace(self, variables={**self.variables, name: value})

    def after_function(self, before: "State") -> "State":
        """The same once the function has ended."""
        variables = {**self.variables, **dict.fromkeys(self.own, UNKNOWN)}
        return replace(self, variables=variables, own=before.own, positional=before.positional)

    def without_function(self, name: str) -> "State":
        """The same where this name is no function any more."""
        return replace(self, functions={**self.functions, name: (None,)})

    def with_function(self, name: str, body: Command) -> "State":
        """The same with this function defined."""
        return replace(self, functions={**self.functions, name: (body,)})


def merged(one: State | None, other: State | None) -> State | None:
    """What is known where it can have gone either way. None is a way on which the shell has ended."""
    if one is None or other is None or one is other:
        return one if other is None else other
    if one == other:
        return one
    return State(
        directories=_places(one, other),
        variables=_variables(one.variables, other.variables),
        functions={
            name: tuple(dict.fromkeys((*one.functions.get(name, (None,)), *other.functions.get(name, (None,)))))
            for name in (*one.functions, *other.functions)
        },
        own=one.own | other.own,
        positional=one.positional if one.positional == other.positional else None,
        strange=one.strange or other.strange,
        exported=tuple(dict.fromkeys((*one.exported, *other.exported))),
        splits_strangely=one.splits_strangely or other.splits_strangely,
        streams_moved=one.streams_moved or other.streams_moved,
    )


def _places(one: State, other: State) -> tuple[str, ...]:
    if not one.directories or not other.directories:
        return ()
    both = tuple(dict.fromkeys((*one.directories, *other.directories)))
    return both if len(both) <= _MOST_FOLDERS else ()


def _variables(one: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    # A variable that only one way has set has the environment's value on the other.
    return {name: _either(one.get(name, UNKNOWN), other.get(name, UNKNOWN)) for name in (*one, *other)}


def _either(one: Value, other: Value) -> Value:
    if one == other:
        return one
    return NUMBER if is_number(one) and is_number(other) else UNKNOWN


def is_number(value: Value) -> bool:
    """Whether it is known to be a whole number."""
    return isinstance(value, Argument) and (value.number or (value.exact and _NUMBER.fullmatch(value.text) is not None))


def widened(before: State, after: State | None) -> State:
    """What is known at the beginning of a loop that was gone through once with this result."""
    both = merged(before, after)
    assert both is not None
    if both.directories != before.directories:
        both = replace(both, directories=())
    return both
