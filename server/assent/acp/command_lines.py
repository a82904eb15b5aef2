"""Several things that make one command line, as one text: what runs is what is judged and shown."""

import re
import shlex
from collections.abc import Sequence
from functools import lru_cache

from assent.model.modes import Category

Variables = Sequence[tuple[str, str]]


def with_variables(line: str, variables: Variables, *, is_one_program: bool = False) -> str:
    """The same with its variables before it. One program takes them itself; a whole line needs a shell."""
    if not variables:
        return line
    given = shlex.join(["env", *(f"{name}={value}" for name, value in variables)])
    return f"{given} {line}" if is_one_program else f"{given} bash -c {shlex.quote(line)}"


_GOES_FIRST = re.compile(r"cd (/[\w./-]*) && (?=\S)", re.ASCII)
_GOES_ON_AFTER_A_FAILURE = re.compile(r"[;\n&]|\|\|")


def goes_where_it_runs(line: str) -> bool:
    """Whether it begins by going to a folder by its full name, and does nothing where it does not get there."""
    begins = _GOES_FIRST.match(line)
    return begins is not None and not _GOES_ON_AFTER_A_FAILURE.search(line[begins.end() :].replace("&&", ""))


_FOLDER = re.compile(r"\[(?:in ([^\[\]\n]+)|current working directory [^\[\]\n]+)\](?: \([^\[\]]*\))?")


def folder_in_words(words: str) -> str | None:
    """The folder in which a command would run, as some agents tell it to people; empty for that in which they work.

    None where it is not told, or where the words could mean another one.
    """
    found = _FOLDER.fullmatch(words)
    if found is None:
        return None
    # To a program, a name that begins so is one like any other.
    return f"./{found[1]}" if (found[1] or "").startswith("~") else found[1] or ""


_OWN_SHELL = re.compile(r"\s*(?:(?:\S+/)?(?:sh|bash|zsh)\s+-c|cmd\.exe|powershell|pwsh)", re.IGNORECASE)


def begins_with_a_shell(line: str) -> bool:
    """Whether it starts a shell with a line. Some agents run what they take for that line."""
    return _OWN_SHELL.match(line) is not None


_PIECE = r"""'([^']*)'|"([^"\\$`]*)"|([\w@%+=:,./-]+)"""
_QUOTED = re.compile(rf"(?:{_PIECE})+", re.ASCII)


def out_of_quotes(line: str) -> str:
    """The line that is the one argument of a shell, where it stands in quotes of both kinds."""
    if not ("'" in line and '"' in line and _QUOTED.fullmatch(line)):
        return line
    return "".join("".join(found.groups(default="")) for found in re.finditer(_PIECE, line, re.ASCII))


def only_looks(line: str | None) -> bool:
    """Whether all that this line starts is for reading, as far as it tells."""
    if line is None:
        return False
    from assent.commandline.read import read_command
    from assent.commandline.surroundings import Surroundings

    read = read_command(line, Surroundings("/somewhere", "/somewhere/else"))
    return read.unreadable is None and all(part.category is Category.READ for part in read.all())


@lru_cache(maxsize=256)
def mean_the_same_alone(lines: tuple[str, ...]) -> bool:
    """Whether these lines do the same one after the other in one shell, and each in a shell of its own."""
    if len(lines) < 2:
        return True
    # Much to load, for the few that have several.
    from assent.commandline.read import read_command
    from assent.commandline.surroundings import Surroundings

    anywhere = Surroundings("/somewhere", "/somewhere/else")
    alone = [read_command(line, anywhere) for line in lines]
    one_shell = read_command("\n".join(lines), anywhere)
    if any(one.unreadable is not None for one in (*alone, one_shell)):
        return False
    return one_shell.parts == tuple(part for one in alone for part in one.parts)
