"""From a word as it is written to the arguments that its program gets, as far as they are known beforehand."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from assent.commandline.fields import GLOB, Field, add, finished, join, without_braces
from assent.commandline.state import EMPTY, NUMBER, UNKNOWN, State, Value
from assent.commandline.syntax.tree import (
    Arithmetic,
    NotUnderstood,
    Parameter,
    Piece,
    ProcessSubstitution,
    Substitution,
    Text,
    Word,
)
from assent.model.commands import Argument

_PLAIN = re.compile(r"[\w@%+:,./=-]+", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*")
_SETS = re.compile(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")
_NUMBER_PARAMETERS = frozenset({"?", "#", "$", "!"})
_A_FILE_OF_ITS_OWN = Argument("/dev/fd/63")
_MOST_WORDS = 1_000


class Commands(Protocol):
    """Walks the commands that stand inside a word."""

    def output_of(self, substitution: Substitution) -> Argument:
        """What they print, as far as that is known."""

    def beside(self, process: ProcessSubstitution) -> None:
        """Commands that run beside the word's own."""

    def doubt(self, sentence: str, *, unknown: bool = False) -> None:
        """Something in a word does more than to give text, or could: `unknown`, where nobody knows the text."""

    def counts(self, name: str) -> None:
        """A sum sets this variable."""

    def put_in(self, length: int) -> None:
        """So much text comes into a word that does not stand in it. NotUnderstood where it becomes too much."""


class Expander:
    """Expands words in one state of the shell."""

    def __init__(self, state: State, home: str, commands: Commands, source: str) -> None:
        self._state = state
        self._home = home
        self._commands = commands
        self._source = source

    def arguments(self, word: Word) -> list[Argument]:
        """All arguments that this word becomes: usually one, none or several where it says so."""
        written = self._source[word.start : word.end]
        if len(word.pieces) == 1:
            piece = word.pieces[0]
            # Most words stand for themselves.
            if isinstance(piece, Text) and (piece.quoted or _PLAIN.fullmatch(piece.text)):
                return [Argument(piece.text, written=written)]
        found: list[Argument] = []
        for pieces in without_braces(word.pieces):
            found += self._split(pieces, written)
            if len(found) > _MOST_WORDS:
                raise NotUnderstood("one word stands for too many", word.start)
        return found

    def single(self, word: Word) -> Argument:
        """The one value of this word where the shell neither splits it nor looks for files."""
        written = self._source[word.start : word.end]
        parts = self._fields(word.pieces, splits=False)
        if not parts:
            return EMPTY
        if parts[0].matched:
            # It stands for names that a pattern has matched, wherever it goes from here.
            return replace(finished(parts[0], written), many=False) if not parts[0].own else UNKNOWN
        plain = replace(parts[0], glob=False) if parts[0].exact else parts[0]
        return replace(finished(plain, written), many=False)

    def target(self, word: Word) -> Argument:
        """The file that a redirection means: patterns count, and what becomes several words is an error."""
        written = self._source[word.start : word.end]
        found = list(self._split(word.pieces, written))
        if len(found) != 1 or (found[0].many and not found[0].glob):
            return Argument("", exact=False, many=True, written=written)
        return replace(found[0], many=False)

    def text(self, word: Word) -> Argument:
        """The text of a here-document or a here-string: it is expanded, and nothing more."""
        return self.single(word)

    def _split(self, pieces: tuple[Piece, ...], written: str) -> Iterator[Argument]:
        for field in self._fields(pieces, splits=True):
            if field.text or field.solid or not field.exact:
                yield finished(field, written)

    def _fields(self, pieces: tuple[Piece, ...], *, splits: bool) -> list[Field]:
        fields = [Field(solid=not pieces)]
        for number, piece in enumerate(pieces):
            if isinstance(piece, Text):
                self._text(fields[-1], piece, first=number == 0, last=number == len(pieces) - 1)
                continue
            values, quoted = self._values(piece)
            self._commands.put_in(sum(len(value.text) for value in values))
            if quoted or not splits:
                self._quoted(fields, values, apart=splits)
            else:
                for at, value in enumerate(values):
                    if at:
                        fields.append(Field())
                    self._unquoted(fields, value)
        return fields

    def _text(self, field: Field, piece: Text, *, first: bool, last: bool) -> None:
        text = piece.text
        field.solid = True
        if piece.quoted:
            add(field, text, GLOB.sub(r"[\g<0>]", text))
            return
        if not text.isprintable() and text.strip("\t\n"):
            raise NotUnderstood("it holds a character that cannot be seen")
        if first and text.startswith("~"):
            text = self._tilde(field, text, alone=last)
        if GLOB.search(text):
            field.glob = field.own = True
        add(field, text, text)

    def _tilde(self, field: Field, text: str, *, alone: bool) -> str:
        name, slash, rest = text.partition("/")
        whole = bool(slash) or alone
        if name == "~" and whole and self._home and "HOME" not in self._state.variables:
            return self._home + slash + rest
        if name == "~+" and whole and len(self._state.directories) == 1:
            return self._state.directories[0] + slash + rest
        if not whole and name == "~":
            return text
        field.exact = field.below = False
        return ""

    def _values(self, piece: Piece) -> tuple[list[Argument], bool]:
        match piece:
            case Parameter():
                return self._parameter(piece), piece.quoted
            case Substitution():
                return [self._commands.output_of(piece)], piece.quoted
            case Arithmetic():
                self.check_sum(piece.pieces)
                return [NUMBER], True
            case ProcessSubstitution():
                self._commands.beside(piece)
                return [_A_FILE_OF_ITS_OWN], True
            case _:
                raise NotUnderstood("braces stand where they are not read")

    def _quoted(self, fields: list[Field], values: list[Argument], *, apart: bool) -> None:
        if not values:
            return
        for number, value in enumerate(values):
            if number and apart:
                fields.append(Field())
            elif number:
                add(fields[-1], " ", " ")
            join(fields[-1], value, many=value.many and value is not UNKNOWN and apart and len(values) > 1)
            fields[-1].solid = True

    def _unquoted(self, fields: list[Field], value: Argument) -> None:
        if self._state.splits_strangely:
            value = UNKNOWN
        if not value.exact or value.glob:
            join(fields[-1], value, many=not value.plain)
            return
        text = value.text
        words = text.split()
        if not words:
            if text:
                fields.append(Field())
            return
        if text[0].isspace() and (fields[-1].text or fields[-1].solid or not fields[-1].exact):
            fields.append(Field())
        for number, one in enumerate(words):
            if number:
                fields.append(Field())
            if GLOB.search(one):
                fields[-1].glob = True
            if "\\" in one:
                fields[-1].exact = fields[-1].below = False
            add(fields[-1], one, one)
            fields[-1].solid = True
        if text[-1].isspace():
            fields.append(Field())

    def _parameter(self, piece: Parameter) -> list[Argument]:
        if piece.index is not None:
            self._index(piece.index)
        if piece.argument is not None and piece.operator == ":":
            # Where the piece begins and how long it is, are sums.
            self.check_sum(piece.argument.pieces)
        elif piece.argument is not None and piece.operator not in {"", "%", "%%"}:
            self._walk_only(piece.argument)
        if piece.operator in {"=", ":="}:
            self._commands.doubt("A variable is set inside a word.")
            return [UNKNOWN]
        if piece.operator == "indirect" or piece.operator.startswith("@P"):
            self._commands.doubt(f"What ${{{piece.name}}} stands for is expanded once more.")
            return [UNKNOWN]
        if piece.operator == "length" or piece.name in _NUMBER_PARAMETERS:
            return [NUMBER]
        values = self._lookup(piece)
        if piece.operator == "":
            return values
        if piece.operator in {"%", "%%"} and piece.argument is not None:
            self._walk_only(piece.argument)
            return [_without_ending(value, piece.argument) for value in values]
        if piece.operator in {":-", "-"}:
            return self._or_else(piece, values)
        return [UNKNOWN]

    def _or_else(self, piece: Parameter, values: list[Argument]) -> list[Argument]:
        """`${x:-word}`: what is known to be set counts, or what is known to be missing does not."""
        given = self._state.positional
        known = piece.name in self._state.variables or (given is not None and piece.name.isdigit())
        if known and all(value.exact and value.text for value in values):
            return values
        missing = known and values == [EMPTY] and (piece.operator == ":-" or piece.name not in self._state.variables)
        if missing and piece.argument is not None:
            return [self.single(piece.argument)]
        return [UNKNOWN]

    def _lookup(self, piece: Parameter) -> list[Argument]:
        name = piece.name
        if name == "_":
            # The last word of the command before.
            return [UNKNOWN]
        if name in {"@", "*"} or name.isdigit():
            return self._positional(name, quoted=piece.quoted)
        if name in self._state.variables:
            return _elements(self._state.variables[name], piece)
        if name == "HOME" and self._home:
            return [Argument(self._home)]
        if name == "PWD" and len(self._state.directories) == 1:
            return [Argument(self._state.directories[0])]
        return [UNKNOWN]

    def _positional(self, name: str, *, quoted: bool) -> list[Argument]:
        given = self._state.positional
        if given is None or name == "0":
            return [UNKNOWN]
        if name.isdigit():
            return [given[int(name) - 1]] if int(name) <= len(given) else [EMPTY]
        if name == "*" and quoted:
            return [UNKNOWN] if given else [EMPTY]
        return list(given)

    def _index(self, index: Word) -> None:
        written = self._source[index.start : index.end]
        if written not in {"@", "*"}:
            self.check_sum(index.pieces)

    def _walk_only(self, word: Word) -> None:
        """Commands may stand in it, whatever its text will be."""
        for pieces in without_braces(word.pieces):
            for piece in pieces:
                if not isinstance(piece, Text):
                    self._values(piece)

    def check_sum(self, pieces: tuple[Piece, ...]) -> None:
        """A sum evaluates the text of its variables again, and an index in that text can hold commands."""
        for piece in pieces:
            if isinstance(piece, (Substitution, ProcessSubstitution)):
                self._values(piece)
                self._commands.doubt("A sum is done with what a command prints.", unknown=True)
            elif isinstance(piece, Parameter):
                values = self._parameter(piece)
                if piece.name in self._state.variables or not _NAME.fullmatch(piece.name):
                    self._check_numbers(values)
            elif isinstance(piece, Arithmetic):
                self.check_sum(piece.pieces)
            elif isinstance(piece, Text):
                for name in _NAME.findall(piece.text):
                    if name in self._state.variables:
                        self._check_numbers(_all(self._state.variables[name]))
                    if _SETS.search(piece.text):
                        self._commands.counts(name)

    def _check_numbers(self, values: list[Argument]) -> None:
        for value in values:
            if not value.number and not (value.exact and re.fullmatch(r"\s*-?(\d\w*)?\s*", value.text)):
                self._commands.doubt("A sum is done with text that is no number.", unknown=not value.exact)


def _elements(value: Value, piece: Parameter) -> list[Argument]:
    if isinstance(value, Argument):
        return [value] if piece.index is None else [UNKNOWN]
    if piece.index is None:
        return [value[0]] if value else [EMPTY]
    one = piece.index.pieces[0] if len(piece.index.pieces) == 1 else None
    return list(value) if isinstance(one, Text) and one.text == "@" else [UNKNOWN]


def _all(value: Value) -> list[Argument]:
    return [value] if isinstance(value, Argument) else list(value)


def _without_ending(value: Argument, ending: Word) -> Argument:
    """What is left of the value when this is taken from its end."""
    one = ending.pieces[0] if len(ending.pieces) == 1 else None
    plain = one.text if isinstance(one, Text) else ""
    if not plain.startswith(".") or "/" in plain or GLOB.search(plain):
        return UNKNOWN
    if value.exact and not value.glob:
        return replace(value, text=value.text.removesuffix(plain))
    if value.glob and "/" in value.text:
        return Argument(value.text.rpartition("/")[0] + "/", exact=False, below=True)
    return replace(value) if value.below else UNKNOWN
