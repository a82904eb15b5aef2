"""What is known of a program: which of its words are harmless, which name files, which start something else.

An entry is data with a reason. What an entry does not name is not known, and no rule on the first words of a command
covers it; only where an entry is `open` are options that it does not name taken for harmless.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from assent.lazy_dataclasses import dataclass
from assent.model.commands import Tells
from assent.model.modes import Category


class Use(StrEnum):
    """What an argument is for."""

    TEXT = "text"
    """Nothing that reaches beyond the program's own output."""
    READ = "read"
    WRITE = "write"
    """It is made or changed."""
    DELETE = "delete"
    DIRECTORY = "directory"
    """The folder in which the program works: relative names after it start there."""
    SCRIPT = "script"
    """A file whose content is run."""
    LOADS = "loads"
    """The same, where the program's name stands for something else: no rule on the name covers it."""
    OUTPUT = "output"
    """It is made or changed, which is not what the program is for: no rule on the name covers it."""
    COMMAND = "command"
    """The text of a shell command, which is read like any other."""
    CONTACT = "contact"
    """A host or an address that is contacted."""
    RUNS = "runs"
    """Makes the program start something that nobody has looked at."""
    LIST = "list"
    """A file, or the input, that says which files the program works on."""
    DANGER = "danger"
    """Makes the program do something else than its name says; the reason tells what."""


class Takes(StrEnum):
    """Whether an option has a value."""

    NOTHING = "nothing"
    VALUE = "value"
    """The next word, or the rest of this one."""
    MAYBE = "maybe"
    """Only what is attached: `--color=always`, `-U3`."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option in all its spellings. Without a value, READ, WRITE and DELETE speak of the program's operands."""

    names: tuple[str, ...]
    takes: Takes = Takes.NOTHING
    use: Use = Use.TEXT
    why: str = ""
    """For a danger: what it does, as the end of a sentence that begins with the option: “starts a pager”."""
    ends: bool = False
    """What follows it is handed on as it is: `python -m module --option`."""


@dataclass(frozen=True, slots=True)
class Operands:
    """What the words are that are no options."""

    first: tuple[Use, ...] = ()
    rest: Use | None = Use.TEXT
    """None: there are no more; a further one is not understood."""
    last: Use | None = None
    """The last one, where there are at least two."""
    first_unless: frozenset[str] = frozenset()
    """Where one of these options is given, the first ones are missing."""
    here: bool = False
    """Without any, it reads the folder that it runs in."""
    whole: bool = False
    """All that lies below a folder goes with it."""


Reader = Callable[[Any, Any], None]
"""For a program with a language of its own: of what was `Given`, it adds what it finds to the `Findings`.

Both stand above this module, which knows nothing but data.
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, or one of its verbs."""

    names: tuple[str, ...]
    does: str
    """For people, after “it”: “lists files”."""
    reason: str
    """Why this entry says what it says: what was looked at, and what the program could do otherwise."""
    category: Category = Category.READ
    """What it does where neither its options nor its operands say more. EXECUTE: it runs code of the workspace."""
    options: Mapping[str, Option] = field(default_factory=dict)
    operands: Operands = Operands()
    verbs: "tuple[Program, ...]" = ()
    """Where there are verbs, the first operand is one, and the options after it are the verb's."""
    named_operands: int = 0
    """How many of the operands belong to the name of what is done: the script in `npm run build`."""
    open: bool = False
    """Options that are not named here are harmless flags. Their values, if they have any, are taken for operands."""
    one_dash: bool = False
    """Long options have one dash, and short ones cannot be joined: `find -name`."""
    stops: bool = False
    """Options end with the first operand."""
    numbers: bool = False
    """`-5` is harmless."""
    wraps: bool = False
    """The first words that are neither options nor among the `first` operands are a command of their own."""
    assigns: bool = False
    """Before that command, `NAME=value` can stand."""
    transparent: bool = False
    """It does nothing else than start that command, with the rights and in the place where it would start anyway."""
    sorts_words: bool = False
    """Its reader takes up all its words by itself, those as well that could be options."""
    only_reads: bool = False
    """Whatever its options are, it reads and prints and does nothing else, also where it has a reader."""
    follows: frozenset[str] = frozenset()
    """With one of these options, it goes where links below its folders lead."""
    runs_code: bool = False
    """An interpreter, a runner of scripts or a wrapper: its bare name is never proposed as a rule."""
    tells: Tells = Tells.SOMETHING
    """What it prints of the files in the folders that it reads with all that lies below."""
    reader: Reader | None = None
    may_change: bool = False
    """It reads by its category, and with some words it changes something that has no name of a file."""
    before: Reader | None = None
    """Of a program with verbs: told of the options that stand before the verb."""
    versions: frozenset[str] = frozenset()
    """With one of these as its only word, it says what it is and does nothing else."""


def options(
    harmless: str = "",
    *,
    reads: str = "",
    writes: str = "",
    deletes: str = "",
    directory: str = "",
    scripts: str = "",
    loads: str = "",
    outputs: str = "",
    commands: str = "",
    contacts: str = "",
    runs: str = "",
    lists: str = "",
    dangers: Mapping[str, str] | None = None,
) -> dict[str, Option]:
    """A table of options from lists of their spellings.

    Spellings of one option are joined with a bar, and what follows tells of its value: `-o|--output=` takes one,
    `--color[=]` takes one only attached. In `dangers`, the sentence tells what the option does.
    """
    table: dict[str, Option] = {}
    kinds = (
        (Use.TEXT, harmless),
        (Use.READ, reads),
        (Use.WRITE, writes),
        (Use.DELETE, deletes),
        (Use.DIRECTORY, directory),
        (Use.SCRIPT, scripts),
        (Use.LOADS, loads),
        (Use.OUTPUT, outputs),
        (Use.COMMAND, commands),
        (Use.CONTACT, contacts),
        (Use.RUNS, runs),
        (Use.LIST, lists),
    )
    for use, listed in kinds:
        for spelled in listed.split():
            _enter(table, spelled, use, "")
    for spelled, why in (dangers or {}).items():
        _enter(table, spelled, Use.DANGER, why)
    return table


def _enter(table: dict[str, Option], spelled: str, use: Use, why: str) -> None:
    takes = Takes.NOTHING
    if spelled.endswith("[=]"):
        spelled, takes = spelled[:-3], Takes.MAYBE
    elif spelled.endswith("="):
        spelled, takes = spelled[:-1], Takes.VALUE
    names = tuple(spelled.split("|"))
    option = Option(names, takes, use, why)
    for name in names:
        if name in table:
            raise ValueError(f"the option {name} is listed twice")
        table[name] = option
