"""What is to be looked for, and what was found, as they pass between the server and the program that looks."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from assent.lazy_dataclasses import dataclass
from assent.tools.declared import NOTHING_DECLARED, Declared
from assent.tools.resolve import Anchor, Target

MOST_BYTES = 10 * 1024 * 1024
"""Of a file: longer ones are not looked into."""
SLOW = "repeats inside of repeats do that, such as (a+)+"
"""What makes a pattern take too long."""


@dataclass(frozen=True, slots=True)
class Order:
    """Where to look, and for what."""

    folder: Target
    """The folder that is looked through, or that holds the one file."""
    file: str | None = None
    """The name of the one file; None: all below the folder."""
    root: str = ""
    """The folder from which .gitignore files count; it is the folder itself, or holds it."""
    globs: tuple[str, ...] = ()
    """Patterns of which a file's path below the folder has to fit one; none: all files."""
    ignored: bool = False
    """Also what .gitignore files leave out."""
    pattern: str | None = None
    """A regular expression for lines; None: only names are looked at."""
    common: bool = False
    """It is in the words that are common to all programs."""
    ignore_case: bool = False
    most_lines: int = 1
    """Of each file so many lines are told. 0: they are only counted."""
    most_files: int = 200_000
    """So many names are looked at."""
    spared: tuple[str, ...] = ()
    """Files and folders by their paths below the folder: neither is looked into, nor what lies below."""
    only: tuple[str, ...] = ()
    """Files by their paths below the folder: these are looked into, and nothing else. None: all of them."""
    declared: Declared = NOTHING_DECLARED
    """The encodings that the settings name."""
    packages: str = ""
    """The folder of the library that tells other encodings, which is no part of what the program starts with."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A file in which something was found, by its path below the folder."""

    path: str
    lines: tuple[int, ...] = ()
    count: int = 0
    changed: float = 0.0
    """When it was last changed."""
    slow: bool = False
    """Nothing is known of it: the pattern took too long there, so it was passed over."""
    unread: bool = False
    """Nothing is known of it: it seems to be a text, in an encoding that cannot be told."""


@dataclass(slots=True)
class End:
    """How the looking ended."""

    whole: bool = True
    """Everything was looked at."""
    why: str = ""
    """Why it was not, or what is wrong with the pattern."""
    fault: str = ""
    """What is wrong with what was asked for."""


def to_text(order: Order) -> str:
    """One argument for the program."""
    return json.dumps(asdict(order))


def from_text(text: str) -> Order:
    """The same, on the other side."""
    told: dict[str, Any] = json.loads(text)
    folder: dict[str, Any] = told.pop("folder")
    anchor = Anchor(**folder.pop("anchor"))
    declared: dict[str, Any] = told.pop("declared")
    names = tuple(map(tuple, declared["names"]))
    order = Order(Target(anchor=anchor, **folder), declared=Declared(declared["encoding"], names), **told)
    return replace(order, globs=tuple(order.globs), spared=tuple(order.spared), only=tuple(order.only))


def told(one: Hit | End) -> str:
    """A line that the program prints."""
    return json.dumps({"hit" if isinstance(one, Hit) else "end": asdict(one)}) + "\n"


def heard(lines: Iterator[bytes]) -> Iterator[Hit | End]:
    """What the program has printed. What is no such line is left out: nothing depends on a single one."""
    for line in lines:
        try:
            words: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        if "hit" in words:
            hit = Hit(**words["hit"])
            yield replace(hit, lines=tuple(hit.lines))
        elif "end" in words:
            yield End(**words["end"])
