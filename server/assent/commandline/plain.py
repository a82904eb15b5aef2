"""The small language: lines that mean what stands there, so that nobody has to work out what a shell makes of them.

A reading of bash that follows variables, functions and what commands print is right nearly always, which is not enough
to run a line by. So it is told of each line whether it goes beyond simple commands of literal words.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator

from assent.commandline.syntax.tree import (
    Arithmetic,
    Assignment,
    Block,
    Braces,
    Command,
    For,
    If,
    Joint,
    Parameter,
    Piece,
    Pipeline,
    ProcessSubstitution,
    Redirect,
    Sequence,
    Simple,
    Substitution,
    Test,
    Text,
    While,
    Word,
)
from assent.commandline.variables import harm
from assent.model.commands import Argument

_WORDS_OF_SHELLS = """
. : [ alias autoload bg bind break builtin caller cd chdir command compgen complete compopt continue coproc declare
dirs disown echo emulate enable eval exec exit export false fc fg float functions getopts hash help history integer
jobs kill let local logout mapfile popd print printf pushd pwd read readarray readonly rehash return select set
setopt shift shopt source suspend test times trap true type typeset ulimit umask unalias unset unsetopt wait whence
"""
_OWN = frozenset(_WORDS_OF_SHELLS.split())
"""What shells do themselves."""
_OWN_THAT_ONLY_TELL = frozenset({":", "echo", "false", "printf", "pwd", "test", "[", "true", "type"})
_AS_GIVEN = frozenset({"?", "HOME", "PWD"})
"""What nothing in such a line can set."""
_SETS = re.compile(r"-[eu]+|-[eu]*o pipefail", re.ASCII)
"""The shell ends sooner than it would."""
_TELLS_LIMIT = re.compile(r"-[A-Za-z]", re.ASCII)
_FIGURES = re.compile(r"[0-9 +*/%()-]+", re.ASCII)
_VALUE = re.compile(r"[\w.,:/+-]*", re.ASCII)
BUILDERS = frozenset({"make", "gmake", "ninja", "just", "task", "rake", "cmake", "meson", "bazel", "scons"})
"""Programs that hand any variable to what a file of the project says."""
_STREAMS = frozenset({"1", "2"})
_SUMS_AND_NAMES = frozenset({"-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
"""Tests that can evaluate what stands beside them. Of plain numbers nobody asks that."""
_NAME_OF_LOOP = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = re.compile(r"[0-9]{1,3}")
_XARGS = re.compile(r"(?:(?:-[0r]+|--null|--no-run-if-empty|-[nLP] ?\d+|-I ?\{\}) )*(?=[A-Za-z/])", re.ASCII)
_PORTIONS = re.compile(r"-[nL]")
_FIND_NAMES = frozenset({"find", "fd", "rg", "grep", "git", "ls"})
"""Programs of whose output nothing is imagined: what comes after them takes it as it comes."""
_PASS_NAMES_ON = frozenset({"grep", "head", "tail", "sort", "uniq"})


def beyond(line: Sequence) -> str:
    """The first thing by which a line is more than the small language, after “it”; empty where it is not more."""
    return next(_of_sequence(line, frozenset()), "")


def after_entry(line: Sequence, entry: str, directory: str) -> Sequence:
    """The line without this script at its beginning, which the shell itself runs: the programs of its folder are found
    first without it, too, so what comes after it means what stands there. The script stays a part like any other."""
    match line.items:
        case ((Pipeline((Simple((), (how, script), ()),), negated=False), Joint.AND | Joint.THEN), *rest) if (
            entry and _literal(how) in {"source", "."} and _named_in(directory, _literal(script)) == entry
        ):
            return Sequence(tuple(rest))
        case _:
            return line


def _named_in(directory: str, name: str) -> str:
    # A step up could leave a folder that a link has led to. A bare name is looked for on the path.
    is_sure = "/" in name and ".." not in name.split("/")
    return posixpath.normpath(posixpath.join(directory, name)) if is_sure else ""


def _of_sequence(sequence: Sequence, loops: frozenset[str]) -> Iterator[str]:
    for pipeline, _ in sequence.items:
        yield from _of_pipeline(pipeline, loops)


def _of_pipeline(pipeline: Pipeline, loops: frozenset[str]) -> Iterator[str]:
    before: list[str] = []
    for command in pipeline.commands:
        name = _program(command)
        if name == "xargs" and not (_is_fed_names(before) and _is_plain_xargs(command)):
            yield "makes words of what a program prints"
        if name in {"cd", "exit"} and len(pipeline.commands) > 1:
            yield f"uses {name} within a pipe"
        before.append(name)
        yield from _of_command(command, loops)


def _lists_names(body: Sequence) -> bool:
    """Whether it is a pipe of which nothing but names of files comes. What they become is looked at on the disk."""
    return len(body.items) == 1 and _is_fed_names([_program(one) for one in body.items[0][0].commands])


def _is_fed_names(before: list[str]) -> bool:
    return bool(before) and before[0] in _FIND_NAMES and _PASS_NAMES_ON.issuperset(before[1:])


def _is_plain_xargs(command: Command) -> bool:
    """Whether its options say one thing, and say it in one way."""
    words = [_literal(word) for word in command.words[1:]] if isinstance(command, Simple) else []
    found = _XARGS.match(" ".join(words) + " ")
    return found is not None and not ("-I" in found[0] and _PORTIONS.search(found[0]))


def _of_command(command: Command, loops: frozenset[str]) -> Iterator[str]:
    match command:
        case Simple():
            yield from _of_simple(command, loops)
            return
        case If():
            for condition, body in command.branches:
                yield from _of_sequence(condition, loops)
                yield from _of_sequence(body, loops)
            if command.otherwise is not None:
                yield from _of_sequence(command.otherwise, loops)
        case While():
            yield from _of_sequence(command.condition, loops)
            yield from _of_sequence(command.body, loops)
        case Block():
            yield from _of_sequence(command.body, loops)
        case For() if command.words is not None and _NAME_OF_LOOP.fullmatch(command.name):
            yield from _of_words(command.words, loops)
            yield from _of_sequence(command.body, loops | {command.name})
        case Test() if _SUMS_AND_NAMES.isdisjoint(map(_literal, command.words)):
            yield from _of_words(command.words, loops)
        case _:
            yield "holds more than plain commands"
            return
    yield from _of_redirects(command.redirects, loops)


def _of_simple(command: Simple, loops: frozenset[str]) -> Iterator[str]:
    name = _program(command)
    for one in command.assignments:
        if not (command.words and name not in BUILDERS and _is_plain(one)):
            yield f"sets the variable {one.name}"
    if not command.words:
        yield "opens files for no program"
    for word in command.words:
        yield from _of_pieces(word.pieces, loops, printed=name == "echo")
    yield from _of_redirects(command.redirects, loops)
    if name in _OWN and not _is_plain_use(name, command):
        yield f"uses {name}, with which the shell itself becomes another one"


def _is_plain_use(name: str, command: Simple) -> bool:
    words = [_literal(word) for word in command.words[1:]]
    match name:
        case "cd":
            # One that could not be opened would leave it where it was.
            return len(words) == 1 and bool(words[0]) and words[0][0] != "-" and not command.redirects
        case "exit":
            return not words or (len(words) == 1 and _NUMBER.fullmatch(words[0]) is not None)
        case "command":
            return len(words) == 2 and words[0] in {"-v", "-V"}
        case "ulimit":
            return len(words) == 1 and _TELLS_LIMIT.fullmatch(words[0]) is not None
        case "export":
            return bool(words) and all(_is_harmless(*word.partition("=")[::2]) for word in words)
        case "set":
            return _SETS.fullmatch(" ".join(words)) is not None
        case "printf":
            return bool(words) and words[0][:1] != "-"
        case "test" | "[":
            return _SUMS_AND_NAMES.isdisjoint(words)
        case _:
            return name in _OWN_THAT_ONLY_TELL


def _is_plain(one: Assignment) -> bool:
    if one.appends or one.index is not None or not isinstance(one.value, Word):
        return False
    return _is_literal(one.value) and _is_harmless(one.name, _literal(one.value))


def _is_harmless(name: str, value: str) -> bool:
    """Whether no program becomes another one by this variable."""
    return _VALUE.fullmatch(value) is not None and not harm(name, Argument(value))


def _of_redirects(redirects: Iterable[Redirect], loops: frozenset[str]) -> Iterator[str]:
    for one in redirects:
        yield from _of_words((one.target,), loops)
        if one.descriptor and not one.descriptor.isdigit():
            yield "keeps an open file in a variable"
        target = _literal(one.target)
        if one.operator in {"<&", ">&"} and not (one.operator == ">&" and target in _STREAMS):
            yield f"uses the open file {target}"
        if one.operator == "<>":
            yield "opens a file for both reading and writing"


def _of_words(words: Iterable[Word], loops: frozenset[str]) -> Iterator[str]:
    for word in words:
        yield from _of_pieces(word.pieces, loops)


def _of_pieces(pieces: Iterable[Piece], loops: frozenset[str], *, printed: bool = False) -> Iterator[str]:
    """`printed`: whatever is put in, it is only shown."""
    for piece in pieces:
        match piece:
            case Text():
                pass
            case Substitution() if (printed and piece.quoted) or _lists_names(piece.body):
                yield from _of_sequence(piece.body, loops)
            case Braces():
                yield from _of_words(piece.alternatives, loops)
            case Parameter():
                if not (_is_known(piece, loops) or (printed and piece.index is None and not piece.operator)):
                    yield f"uses the variable {piece.name}"
            case Substitution() if _is_text(piece):
                pass
            case ProcessSubstitution(body, writes=False):
                # The word is the name of a file to read, whatever stands in it.
                yield from _of_sequence(body, loops)
            case Substitution() | ProcessSubstitution():
                yield "puts what a program prints into a word"
            case Arithmetic():
                if not all(isinstance(one, Text) and _FIGURES.fullmatch(one.text) for one in piece.pieces):
                    yield "does sums"


def _is_known(piece: Parameter, loops: frozenset[str]) -> bool:
    """The variable of a loop over literal words, how the last command ended, and where the shell began."""
    if piece.operator:
        return False
    if piece.index is not None:
        return piece.name == "PIPESTATUS" and _NUMBER.fullmatch(_literal(piece.index)) is not None
    return piece.name in _AS_GIVEN or piece.name in loops


def _is_text(piece: Substitution) -> bool:
    """`"$(cat <<'END' …)"`, which stands for the lines of a message."""
    items = piece.body.items
    if not piece.quoted or len(items) != 1 or len(items[0][0].commands) != 1:
        return False
    command = items[0][0].commands[0]
    if not isinstance(command, Simple) or command.assignments or _program(command) != "cat":
        return False
    only = command.redirects[0] if len(command.words) == len(command.redirects) == 1 else None
    return only is not None and only.operator == "<<" and _is_literal(only.target)


def _program(command: Command) -> str:
    return _literal(command.words[0]).rpartition("/")[2] if isinstance(command, Simple) and command.words else ""


def _literal(word: Word) -> str:
    """The text of a word; empty where it is more than text."""
    if not _is_literal(word):
        return ""
    return "".join(piece.text for piece in word.pieces if isinstance(piece, Text))


def _is_literal(word: Word) -> bool:
    return all(isinstance(piece, Text) for piece in word.pieces)
