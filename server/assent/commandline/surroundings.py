"""What is known of the place where a command starts. It is handed in; nothing here looks."""

from collections.abc import Mapping
from dataclasses import field

from assent.lazy_dataclasses import dataclass

ANY_SHELL = "any"
"""For a line that somebody else will run, in a shell of Unix that nobody has named."""


@dataclass(frozen=True, slots=True)
class GitFacts:
    """What the configuration of one repository adds to git's commands. The user's own is not in it."""

    running: tuple[str, ...] = ()
    """Entries that make git start programs, or read further configuration, by their names."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    top: str = ""
    """The folder of its files; empty where that is not sure."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a command starts."""

    directory: str
    """Empty: it can be any."""
    home: str = ""
    git: Mapping[str, GitFacts] = field(default_factory=dict)
    """By the folder in which a git command runs."""
    folders: frozenset[str] = frozenset()
    """Folders that are known to be there, so that going to one does not fail."""
    shell: str = "bash"
    """The name of the program that would run it."""
    entry: str = ""
    """The script by which an environment is entered whose programs come first in any case."""
