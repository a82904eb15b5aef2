"""What programs do by themselves, as everybody knows who runs them. Whatever is not listed here must have been read."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Helper:
    """A program that another one starts by itself."""

    by: str
    starts: str
    why: str
    saying: str = ""
    """What stands among its words, where only that is expected."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """A file that a program makes for itself. `within` is where: the scratch folder, or beside what it may change."""

    by: str
    name: re.Pattern[str]
    beside: bool
    why: str


HELPERS = (
    Helper("git", "git", "git starts itself for parts of its work: `git commit` runs `git gc --auto`"),
    Helper("tar", "gzip", "`tar -z` packs and unpacks with gzip"),
    Helper("tar", "bzip2", "`tar -j` packs and unpacks with bzip2"),
    Helper("tar", "xz", "`tar -J` packs and unpacks with xz"),
    Helper("tar", "dash", "tar starts gzip and its like with sh", "zip"),
    Helper(
        "git",
        "dash",
        "git asks for a text with the editor that the tool has set, which only refuses",
        "There is no editor here",
    ),
    Helper("egrep", "grep", "egrep is a script around grep"),
    Helper("fgrep", "grep", "fgrep is a script around grep"),
    Helper("xargs", "echo", "without a command, xargs prints what it was given"),
    Helper("split", "bash", "`split --filter` runs its command with the user's shell"),
    Helper("watch", "dash", "watch starts its command with sh", ""),
)

LEFTOVERS = (
    Leftover("sort", re.compile(r"sort\w{6}"), beside=False, why="pieces of what is sorted, where it is large"),
    Leftover("bash", re.compile(r"sh-thd\.\w{6}"), beside=False, why="the text of a here-document"),
    Leftover("sed", re.compile(r"sed\w{6}"), beside=True, why="`sed -i` writes a new file and then renames it"),
    Leftover("zip", re.compile(r"zi\w{6}"), beside=True, why="zip makes a new archive and then renames it"),
    Leftover("ln", re.compile(r"Cu\w{6}"), beside=True, why="`ln -f` makes a new link and then renames it"),
    Leftover("tac", re.compile(r"tac\w{6}"), beside=False, why="a copy of what comes through a pipe"),
    Leftover(
        "git", re.compile(r"git-blob-\w{6}.*|\w{6}_.*"), beside=False, why="old contents, for a program that compares"
    ),
)

DEVICES = re.compile(
    r"/dev/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd/\d+|pts/\d+)|/proc/(self|\d+)/fd/\d+"
)
"""To write there changes nothing."""
NO_FILE = re.compile(r"(pipe|socket|anon_inode|memfd):?.*|/memfd:.*")
NAMES_OF_USERS = re.compile(r'sun_path="/var/run/nscd/socket"')
"""Where the C library asks for the names of users and groups."""
INDEX = re.compile(r"/\.git/index(\.lock)?")
"""What git remembers of the times of files: `git status` and its kin refresh it."""
PUTS_BACK = "stash"
"""A verb of git that changes files of the work tree; which ones is kept in the repository."""
