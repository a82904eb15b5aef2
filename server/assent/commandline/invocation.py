"""A program about to be started, and the part that comes of it."""

import posixpath
from collections.abc import Mapping

from assent.commandline.findings import Findings
from assent.commandline.given import Output
from assent.commandline.schema import Option, Program
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument, Part


@dataclass(frozen=True, slots=True)
class Assigned:
    """`NAME=value` before a program."""

    name: str
    value: Argument


@dataclass(frozen=True, slots=True)
class Invocation:
    """A program about to be started: everything that is known of it before it is looked up."""

    words: tuple[Argument, ...]
    written: str
    directory: str | None
    assigned: tuple[Assigned, ...] = ()
    stdin: Output | None = None
    piped: bool = False
    stranger: str = ""
    """Why its name may not mean what it usually means, as a sentence; empty where it does."""


SYSTEM_FOLDERS = ("/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin")
"""Where the programs are that a bare name means, too."""


def bare_name(text: str) -> str:
    """The name of a program that lies where programs lie; otherwise the text as it is."""
    folder, slash, name = text.rpartition("/")
    return name if slash and posixpath.normpath(folder) in SYSTEM_FOLDERS else text


def part_of(call: Invocation, findings: Findings, program: Program | None = None, *, neutral: bool = False) -> Part:
    """The part that these findings make. `neutral`: it has no effect but on the shell itself."""
    steps_at = tuple(findings.steps_at)
    return Part(
        words=call.words,
        written=call.written,
        category=findings.category,
        does=program.does if program is not None else "",
        steps=tuple(_step(call.words[at].text, at) for at in steps_at),
        steps_at=steps_at,
        flags=_flags(call.words, program),
        touches=tuple(findings.touches),
        dangers=tuple(findings.dangers),
        unknown=tuple(findings.unknown),
        dynamic=findings.dynamic,
        transparent=neutral or (program is not None and program.transparent and bool(findings.inner)),
        inner=tuple(findings.inner),
        inner_at=findings.inner_at,
        beyond=findings.beyond,
        loose=findings.loose,
        roams=frozenset(findings.roams),
        directory=call.directory,
    )


def _step(text: str, at: int) -> str:
    return bare_name(text) if at == 0 else text


def _flags(words: tuple[Argument, ...], program: Program | None) -> frozenset[str]:
    """Every option among the words, in all spellings: those as they stand there, single letters, and names."""
    found: set[str] = set()
    for word in words[1:]:
        text = word.text
        if text == "--":
            break
        if len(text) < 2 or text[0] != "-":
            continue
        name = text.partition("=")[0]
        found.update({text, name} if word.exact else {name})
        if not name.startswith("--"):
            found.update(f"-{letter}" for letter in name[1:] if letter != "-")
    if program is None:
        return frozenset(found)
    table = program.options
    aliases = {alias for name in found for alias in _aliases(table, name)}
    return frozenset(found | aliases)


def _aliases(table: Mapping[str, Option], name: str) -> tuple[str, ...]:
    if name in table:
        return table[name].names
    if not name.startswith("--") or len(name) < 4:
        return ()
    fitting = {option.names for spelled, option in table.items() if spelled.startswith(name)}
    return next(iter(fitting)) if len(fitting) == 1 else ()
