"""Programs with the options that they really have: the everyday ones, and those with which they do something else."""

import random
import re
import shlex
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.shell_trace.scripts import SCRIPTS, WORDS

_VOCABULARY: dict[str, Any] = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8"))
WITH_RULE: Sequence[str] = _VOCABULARY["with_rule"]
FILES: Sequence[str] = _VOCABULARY["files"]
ODD_FILES: Sequence[str] = _VOCABULARY["odd_files"]
NEW: Sequence[str] = _VOCABULARY["new"]
GLOBS: Sequence[str] = _VOCABULARY["globs"]
GIT_BEFORE: Sequence[str] = _VOCABULARY["git_before"]
SET_BEFORE: Sequence[str] = _VOCABULARY["set_before"]
REDIRECTS: Sequence[str] = _VOCABULARY["redirects"]
SMALL: Sequence[str] = _VOCABULARY["small"]


def _traps(text: str) -> list[str]:
    """Each line is one; several that belong together end with a `%`."""
    found: list[str] = []
    for block in text.removesuffix("\n").split("\n%\n"):
        lines = block.split("\n")
        begin = next((at for at, line in enumerate(lines) if _GOES_ON.search(line)), len(lines))
        found += [*lines[:begin], *(["\n".join(lines[begin:])] if begin < len(lines) else [])]
    return found


_GOES_ON = re.compile(r"<<-?[\"']?E|^(ls|touch) \\+$|^(shopt .*)?alias ls='CMD'$")
TRAPS = _traps(Path(__file__).with_name("traps.txt").read_text(encoding="utf-8"))
"""Lines of their own; CMD stands for a small command."""


@dataclass(frozen=True, slots=True)
class Program:
    """What can follow its name. Letters of `flags` are single flags; `options` and `odd` are written with blanks."""

    name: str
    flags: str = ""
    options: Sequence[str] = ()
    odd: Sequence[str] = ()
    """Ways to make it do something else; FILE and NEW stand for names."""
    first: Sequence[str] = ()
    """One of these comes before the files: a pattern, a script."""
    files: Sequence[int] = (0, 2)
    """At least and at most so many."""
    makes: bool = False
    """The last word is a file that it makes."""


_ALL = tuple(Program(**entry) for entry in _VOCABULARY["program"])
PROGRAMS = tuple(one for one in _ALL if not one.name.startswith("git "))
GIT = tuple(one for one in _ALL if one.name.startswith("git "))
_SEVERAL_FIRST = frozenset({"tr", "seq", "printf", "echo", "test", "expr", "numfmt"})


def words_of(rng: random.Random, program: Program, oddness: float) -> list[str]:
    """The program with options and operands; `oddness` is how often there is something unusual."""
    words = program.name.split()
    if words[0] == "git" and rng.random() < oddness:
        words[1:1] = rng.choice(GIT_BEFORE).split()
    options = [*_flags(rng, program), *_options(rng, program.options), *_some_odd(rng, program, oddness)]
    if program.name in WORDS and rng.random() < 0.5:
        options += WORDS[program.name](rng)
    operands = [part for one in _firsts(rng, program) for part in _first(program, one)]
    operands += [_file(rng, oddness) for _ in range(rng.randint(program.files[0], program.files[1]))]
    if program.makes:
        operands.append(rng.choice(NEW) if rng.random() < 0.8 else _file(rng, oddness))
    mixed = [*options, *operands]
    if rng.random() < oddness / 2:
        rng.shuffle(mixed)
    elif program.name == "find":
        mixed = [*operands, *options]
    if rng.random() < oddness / 2:
        mixed.insert(rng.randrange(len(mixed) + 1), "--")
    return words + mixed


def _firsts(rng: random.Random, program: Program) -> list[str]:
    if program.name in SCRIPTS and rng.random() < 0.6:
        return [SCRIPTS[program.name](rng)]
    return [rng.choice(program.first)] if program.first else []


def _first(program: Program, text: str) -> Sequence[str]:
    return text.split(" ") if program.name in _SEVERAL_FIRST else (text,)


def _flags(rng: random.Random, program: Program) -> list[str]:
    if not program.flags or rng.random() < 0.5:
        return []
    chosen = [rng.choice(program.flags) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    return ["-" + "".join(chosen)] if rng.random() < 0.7 else [f"-{one}" for one in chosen]


def _options(rng: random.Random, table: Sequence[str]) -> list[str]:
    if not table:
        return []
    needed = 1 if table[0].startswith(("cf", "bs")) else 0
    count = max(needed, rng.choice((0, 0, 1, 1, 2)))
    return [word for _ in range(count) for word in _filled(rng, rng.choice(table))]


def _some_odd(rng: random.Random, program: Program, oddness: float) -> list[str]:
    if not program.odd or rng.random() >= oddness:
        return []
    words = _filled(rng, rng.choice(program.odd))
    if words[0].startswith("--") and rng.random() < 0.3:
        words[0] = _abbreviated(rng, words[0])
    return words


def _filled(rng: random.Random, text: str) -> list[str]:
    words = shlex.split(text) if "'" in text else text.split(" ")
    names = [*FILES, *ODD_FILES]
    return [word.replace("NEW", rng.choice(NEW)).replace("FILE", rng.choice(names)) for word in words if word]


def _abbreviated(rng: random.Random, option: str) -> str:
    name, equals, value = option.partition("=")
    return name[: rng.randint(min(4, len(name)), len(name))] + equals + value


def _file(rng: random.Random, oddness: float) -> str:
    return rng.choice(ODD_FILES) if rng.random() < oddness / 2 else rng.choice(FILES)
