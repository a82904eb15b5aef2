"""The shell's own commands that change how it reads and runs commands."""

import re
from dataclasses import replace

from assent.commandline.shell import Done, Shell, unknown

_HARMLESS_SETTINGS = re.compile(r"[-+][euxvfhnCET]*o?")


_HARMLESS_NAMES = frozenset({"pipefail", "errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber", "errtrace"})


def settings(shell: Shell) -> Done:
    """`set`: harmless options, or the positional parameters."""
    words = list(shell.words[1:])
    while words and words[0].text[:1] in {"-", "+"} and words[0].text != "--":
        word = words.pop(0)
        name = words.pop(0) if words and word.text.endswith("o") else None
        known = word.exact and _HARMLESS_SETTINGS.fullmatch(word.text) is not None
        if not known or (name is not None and not (name.exact and name.text in _HARMLESS_NAMES)):
            return unknown("It changes how the shell works.")(shell)
    if not words:
        return shell.done("sets how the shell works", shell.state)
    if words[0].may_be_option:
        return unknown("It may change how the shell works.")(shell)
    given = words[1:] if words[0].text == "--" else words
    return shell.done("sets the positional parameters", replace(shell.state, positional=tuple(given)))


def forget(shell: Shell) -> Done:
    if any((word.text.startswith("-") and word.text != "-r") or not word.exact for word in shell.words[1:]):
        return unknown("A program's name was made to mean another one.")(shell)
    return shell.done("forgets where programs are", shell.state)


_HARMLESS_SHOPTS = frozenset({"-s", "-u", "-q", "-o", "nullglob", "failglob", "inherit_errexit", "pipefail"})


def shopt(shell: Shell) -> Done:
    if not all(word.exact and word.text in _HARMLESS_SHOPTS for word in shell.words[1:]):
        return unknown("It changes how the shell reads commands.")(shell)
    return shell.done("sets how the shell works", shell.state)


def alias(shell: Shell) -> Done:
    """Names that may stand for other commands in the lines that follow."""
    for word in shell.words[1:]:
        name, equals, value = word.text.partition("=")
        if equals:
            shell.findings.runs_text(replace(word, text=value), None)
            shell.findings.not_known(f"It makes {name} stand for another command.")
    return shell.done("names commands anew", shell.state, neutral=not shell.findings.dangers)
