"""What readers of entries share."""

import re
from dataclasses import replace
from typing import Final

from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Reader
from assent.model.commands import Argument
from assent.model.modes import Category

BRACKET: Final = r"\[\^?(?!\])(?:[^]\[\\\n]|\[:[a-z]+:\]|\[(?![:.=])|\\(?![]\[\n]).|\\\[(?![:.=]))+\]"
"""A bracket in a regular expression that all programs see the end of at the same place."""


def writes_by_purpose(findings: Findings) -> None:
    """With these words, changing files is what it is for: no danger by itself, and seen in the category."""
    findings.own = Category.WRITE
    findings.raises(Category.WRITE)


def listed(words: str) -> frozenset[str]:
    """A set of words that are written one after the other."""
    return frozenset(words.split())


def below(folder: Argument, name: str) -> Argument:
    """Something in a folder that a word names."""
    if folder.glob:
        return replace(folder, text=f"{folder.text.rstrip('/')}/{_literally(name)}")
    return Argument(
        f"{folder.text.rstrip('/') or '/'}/{name}" if folder.text else name,
        exact=folder.exact,
        below=folder.below,
        written=f"{(folder.written or folder.text).rstrip('/')}/{name}",
    )


def _literally(name: str) -> str:
    return re.sub(r"[*?\[]", r"[\g<0>]", name)


def beginning_with(word: Argument, folder: Argument | None = None) -> Argument:
    """All that has a name which begins like this word, as a pattern of names."""
    named = word if folder is None else below(folder, word.text)
    if not named.exact or named.glob:
        return named
    return Argument(f"{_literally(named.text)}*", many=True, glob=True, written=named.written or named.text)


def last_name(word: Argument) -> str:
    """The name that a copy of this would have; empty where that cannot be known."""
    name = word.text.rstrip("/").rpartition("/")[2]
    return name if word.exact and not word.glob and name not in ("", ".", "..") else ""


def names_go_through(given: Given, findings: Findings) -> None:
    """It prints whole lines of its input: what is known of the names in there holds for its output."""
    if given.stdin is not None and given.stdin.names_below is not None and not given.strange:
        findings.prints(given.stdin)


def passes_on(*unless: str) -> Reader:
    """For a filter that prints whole lines, but for these options."""

    def reader(given: Given, findings: Findings) -> None:
        if not given.operands and not given.has(*unless):
            names_go_through(given, findings)

    return reader


def first_of(given: Given, *names: str) -> int | None:
    """The word in which one of these options is given."""
    return next((one.at for one in given.options if any(name in one.option.names for name in names)), None)
