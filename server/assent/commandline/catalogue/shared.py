"""What entries of several subjects have in common."""

import re
from collections.abc import Mapping
from dataclasses import replace

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Operands, Option, Program, Reader
from assent.model.commands import Argument
from assent.model.modes import Category

VERSION = frozenset({"--version"})
VERSION_OR_HELP = frozenset({"--version", "--help"})

ANY = Operands()
"""Any number, none of which reaches beyond the program's output."""
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
        word = findings.words[at]
        if leads_out(word) or (word.exact and "://" not in word.text and "*" not in word.text):
            # A name that stays here can be a link that does not.
            findings.starts(replace(word, text=word.text.partition("::")[0]), at)


_PACKAGE = re.compile(r"(?:@[\w.-]+/)?[\w.-]+(?:\[[\w,. -]*\])?(?:@[\w.^~<>=*|, +-]*)?(?:\s*[=<>!~].*)?", re.DOTALL)
"""A name that a registry has, with what it is to be: `left-pad@^1`, `requests[socks]>=2`."""
_ARCHIVE = re.compile(r".*\.(?:tgz|tar|tar\.\w+|whl|zip|gem|crate)", re.DOTALL | re.IGNORECASE)
_FOLDER = re.compile(r"\.{1,2}(?:/.*)?", re.DOTALL)


def names_packages(given: Given, findings: Findings) -> None:
    """What an operand names is fetched and may be run: by a registry's name, or from a folder of the workspace."""
    starts_operands_outside(given, findings)
    for at in given.operands:
        word = given.words[at]
        known = _PACKAGE.fullmatch(word.text) or _FOLDER.fullmatch(word.text)
        if not word.exact or not known or _ARCHIVE.fullmatch(word.text):
            findings.danger(f"takes a package from an address or a file ({word.written or word.text})", at)


def arguments_from_files(given: Given, findings: Findings) -> None:
    """Some take the words in a file for their own where it is given as `@file`, also what follows after `--`."""
    for at in range(given.start, len(given.words)):
        if given.words[at].text.startswith("@"):
            findings.danger(f"takes its options from {given.words[at].written or given.words[at].text}", at)


def names_code(*names: str, built_in: str = "") -> Reader:
    """The value of these options names what is built in, or a module that is loaded."""
    known = frozenset(built_in.split())

    def read(given: Given, findings: Findings) -> None:
        for one in given.options:
            if one.value is None or not set(names) & set(one.option.names):
                continue
            if one.value.exact and one.value.text in known:
                continue
            findings.danger(f"can load code that is named {one.value.written or one.value.text} ({one.name})", one.at)

    return read


def all_of(*readers: Reader) -> Reader:
    """One reader after the other."""

    def read(given: Given, findings: Findings) -> None:
        for reader in readers:
            reader(given, findings)

    return read


def in_both_cases(spelled: str) -> str:
    """Long options in camel case, each joined with the same in lower case with dashes, which is taken as well."""
    return " ".join(_both_cases(one) for one in spelled.split())


def _both_cases(spelled: str) -> str:
    name = spelled.rstrip("=[]")
    value = spelled[len(name) :]
    names = [way for one in name.split("|") for way in (one, _dashed(one) if one.startswith("--") else one)]
    return "|".join(dict.fromkeys(names)) + value


def _dashed(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


def anywhere(table: Mapping[str, Option]) -> dict[str, Option]:
    """The options of a program that a verb may know as well, with several letters: short ones mean something else."""
    return {name: option for name, option in table.items() if name.startswith("--")}
