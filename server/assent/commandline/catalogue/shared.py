"""What entries of several subjects have in common."""

from collections.abc import Mapping

from assent.commandline.catalogue.schema import Operands, Option, Program, Reader
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.model.commands import Argument
from assent.model.modes import Category

VERSION = frozenset({"--version"})
VERSION_OR_HELP = frozenset({"--version", "--help"})

ANY = Operands()
"""Any number, none of which reaches beyond the program's output."""
NO_MORE = Operands(rest=None)
"""No operands at all."""


def several(
    listed: Mapping[str, str],
    reason: str,
    category: Category,
    options: Mapping[str, Option] | None = None,
    *,
    open: bool = True,
    operands: Operands = ANY,
    one_dash: bool = False,
    reader: Reader | None = None,
) -> tuple[Program, ...]:
    """Verbs that differ in nothing but their names and what they do: “install i” -> “installs packages”."""
    return tuple(
        Program(
            tuple(names.split()),
            does,
            reason,
            category,
            options or {},
            operands,
            open=open,
            one_dash=one_dash,
            reader=reader,
        )
        for names, does in listed.items()
    )


def leads_out(word: Argument) -> bool:
    """Whether this may name something outside the folder where the program runs."""
    text = word.text
    if not word.exact and not word.below:
        return True
    return text.startswith(("/", "~")) or ".." in text.split("/")


def starts_operands_outside(given: Given, findings: Findings) -> None:
    """Code that an operand names is the workspace's own, which the category says, unless it leads out of there."""
    for at in given.operands:
        if leads_out(findings.words[at]):
            findings.starts(findings.words[at], at)
