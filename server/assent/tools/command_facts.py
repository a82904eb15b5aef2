"""All that is known of a command before it runs: what it says, and what the disk says about the names in it."""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce

from assent.commandline.surroundings import ANY_SHELL, GitFacts, Surroundings
from assent.model.commands import Command, Part
from assent.model.modes import Category, graver
from assent.model.paths import Access
from assent.tools.command_places import resolved
from assent.tools.places import OneLook, home_folder
from assent.tools.python_environment import PythonEnvironment
from assent.tools.repositories import git_facts

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that are neither seen nor a tab nor the end of a line."""
_ROUNDS = 4
_MOST_FOLDERS = 50
_SOON_READ = 500
"""Characters of a command that are read in less than a millisecond."""
_NOBODY_KNOWS = GitFacts(("a repository of which nothing is known",))


def look_at(
    text: str,
    directory: str,
    roots: tuple[str, ...],
    shell: str = "bash",
    look: OneLook | None = None,
    python: PythonEnvironment | None = None,
) -> Command:
    """The command as this shell would run it in this folder. Looks at the disk: belongs into a thread.

    Where the same roots are looked at for more than the command, it is a part of that look. `python` is the environment
    whose programs some names stand for.
    """
    # Much to load: nobody waits for it who only starts the server.
    from assent.commandline.read import read_command

    now = look or OneLook(roots)
    surroundings = Surroundings(directory, now.home, shell=shell, entry=python.entry if python is not None else "")
    command = read_command(text, surroundings)
    # What is known of one folder can lead to the next: an alias of a repository to a git command in another one.
    for _ in range(_ROUNDS):
        git, folders = _repositories(command, surroundings, roots), _folders_there(command, surroundings)
        if git == surroundings.git and folders == surroundings.folders:
            break
        surroundings = replace(surroundings, git=git, folders=folders)
        command = read_command(text, surroundings)
    else:
        nobody = dict.fromkeys(_repositories(command, surroundings, roots), _NOBODY_KNOWS)
        command = read_command(text, replace(surroundings, git=nobody))
    return _distrusted(command) if CONTROL.search(text) else resolved(command, now, python)


def _distrusted(command: Command) -> Command:
    """One that a terminal would show as another: whatever can be read of it, nothing of it is relied on."""
    words = (word.text for part in command.all() for word in part.words)
    why = command.unreadable or "This command holds control characters, so it is not relied on what it seems to say."
    return Command(command.text, (), why, (*command.words, *words))


def read_ahead(text: str, directory: str) -> None:
    """Reads a command of an agent that runs it itself, at which a look is likely to come: what is short is not read
    again then. Touches nothing."""
    from assent.commandline.read import read_command

    if len(text) <= _SOON_READ:
        read_command(text, Surroundings(directory, home_folder(), shell=ANY_SHELL))


def get_ready() -> None:
    """Loads what the first command would wait for. Belongs into a thread."""
    look_at("true", home_folder(), ())


def category_of(command: Command) -> Category | None:
    """The gravest of all its parts; None where nothing is known of it."""
    if command.unreadable is not None:
        return None
    return reduce(graver, (_category(part) for part in command.all() if not _only_starts_others(part)), Category.READ)


def _category(part: Part) -> Category:
    """What it does, and what redirections do with its output."""
    changes = any(touch.access in (Access.WRITE, Access.DELETE) for touch in part.touches)
    return graver(part.category, Category.WRITE) if changes else part.category


def _only_starts_others(part: Part) -> bool:
    """Whether it is as grave as what it starts, and no graver."""
    return part.transparent and bool(part.inner) and not (part.dangers or part.unknown or part.dynamic)


def _folders_there(command: Command, surroundings: Surroundings) -> frozenset[str]:
    """Those that are there among the folders that the shell goes to."""
    return surroundings.folders.union(filter(can_be_gone_to, _gone_to(command)))


def can_be_gone_to(name: str) -> bool:
    """Whether a shell that goes to this folder gets there."""
    return os.path.isdir(name) and os.access(name, os.X_OK)  # noqa: PTH112 - any text may come


def _gone_to(command: Command) -> Iterator[str]:
    """Folders that the shell itself goes to."""
    for part in command.all():
        if part.steps[:1] in (("cd",), ("pushd",)):
            yield from (posixpath.normpath(touch.name) for touch in part.touches if touch.access is Access.RUN)


def _repositories(command: Command, surroundings: Surroundings, roots: tuple[str, ...]) -> Mapping[str, GitFacts]:
    """By the folder in which a git command is started, what the repositories that it may work with add to it."""
    places: dict[str, set[str]] = {}
    for part in command.all():
        if part.steps[:1] == ("git",):
            places.setdefault(part.directory or "", set()).update(_folders(part))
    if not places:
        return surroundings.git
    names = sorted(set().union(*places.values()))
    looked = {name: git_facts(name, roots) if at < _MOST_FOLDERS else _NOBODY_KNOWS for at, name in enumerate(names)}
    found = {start: _NOBODY_KNOWS if not start else _together(looked, every) for start, every in places.items()}
    return {**surroundings.git, **found}


def _folders(part: Part) -> Iterator[str]:
    """Where it is started, and where its options send it."""
    if part.directory is not None:
        yield part.directory
    yield from (touch.name for touch in part.touches if touch.access is Access.RUN)


def _together(looked: dict[str, GitFacts], names: set[str]) -> GitFacts:
    """The facts of several repositories as those of one that is as bad as any of them."""
    running: dict[str, None] = {}
    aliases: dict[str, str] = {}
    for facts in (looked[name] for name in sorted(names)):
        running |= dict.fromkeys(facts.running)
        for name, meaning in facts.aliases.items():
            if aliases.setdefault(name, meaning) != meaning:
                running[f"{name}, which means something else in another repository"] = None
    tops = {looked[name].top for name in names}
    return GitFacts(tuple(running), aliases, tops.pop() if len(tops) == 1 else "")
