"""The shell's own commands that go to other folders."""

import posixpath
import re
from dataclasses import replace

from assent.commandline.shell import Done, Shell
from assent.commandline.state import UNKNOWN
from assent.model.commands import Argument
from assent.model.modes import Category


def cd(shell: Shell) -> Done:
    rest, fine = shell.flags("LPe@" if shell.words[0].text == "cd" else "")
    does = "goes to another folder"
    if not fine or len(rest) > 1:
        shell.findings.not_known("Where it goes cannot be known.")
        return shell.done(does, shell.state.moved(None), shell.state)
    if not rest and shell.words[0].text == "cd" and shell.findings.inside.home:
        rest = [Argument(shell.findings.inside.home, written="~")]
    if rest and rest[0].exact and rest[0].text == "-":
        # The folder before this one, as far as this command has been there.
        before = shell.state.variables.get("OLDPWD")
        rest = [before] if isinstance(before, Argument) and before.exact else rest
    if not rest or not rest[0].exact or rest[0].glob or rest[0].text == "-" or re.match(r"[+-]\d", rest[0].text):
        if not rest or rest[0].text == "-" or not rest[0].below:
            shell.findings.not_known("In which folder the rest runs cannot be known.")
        else:
            shell.findings.starts(rest[0], 1)
            shell.findings.category = Category.READ
        return shell.done(does, shell.state.moved(None), shell.state)
    return _went_to(shell, rest[0], does)


def _went_to(shell: Shell, target: Argument, does: str) -> Done:
    at = shell.words.index(target) if target in shell.words else None
    shell.findings.starts(target, at)
    shell.findings.category = Category.READ if not shell.findings.dangers else shell.findings.category
    folders = tuple(dict.fromkeys(_joined(folder, target.text) for folder in shell.state.directories))
    if target.text.startswith("/"):
        folders = (_joined("/", target.text),)
    moved = replace(shell.state, directories=folders)
    if len(shell.state.directories) == 1:
        moved = moved.with_variable("OLDPWD", Argument(shell.state.directories[0]))
    else:
        moved = moved.with_variable("OLDPWD", UNKNOWN)
    if shell.walker.untouched and shell.walker.surroundings.folders.issuperset(folders) and not shell.findings.dangers:
        # It is there, and nothing before this has taken it away.
        part, well, _, output = shell.done(does, moved)
        return part, well, None, output
    return shell.done(does, moved, shell.state)


def _joined(directory: str, name: str) -> str:
    """Where `cd name` leads, by the names alone, as the shell does it."""
    path = posixpath.normpath(posixpath.join(directory, name))
    return path[1:] if path.startswith("//") else path


def popd(shell: Shell) -> Done:
    back = shell.state.moved(None).with_variable("OLDPWD", UNKNOWN)
    return shell.done("goes back to an earlier folder", back, shell.state)
