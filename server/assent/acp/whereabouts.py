"""Where the commands of an agent begin that goes on, with each, from where the one before it has ended."""

import posixpath
from functools import lru_cache
from pathlib import Path

from assent.model.commands import Part
from assent.model.ids import CallId

_SHELL_ITSELF = frozenset(
    (name,)
    for name in (
        "pushd",
        "popd",
        "eval",
        "source",
        ".",
        "alias",
        "unalias",
        "shopt",
        "set",
        "trap",
        "enable",
        "hash",
        "exec",
        "exit",
    )
)
"""What these do to the shell that they run in stands in no word of theirs."""
MOST_UNREAD = 50
MOST_LETTERS = 256 * 1024
"""Of one call: an agent that tells it anew with other words, more often or longer, may be anywhere."""


class Whereabouts:
    """Of one session. Known is only the folder in which it began, until a command may have led away from it."""

    def __init__(self) -> None:
        self._away: set[CallId] = set()
        self._unread: dict[CallId, set[tuple[str, str]]] = {}
        """Commands, each with its folder, of which it is not known yet whether they lead away."""

    def told(self, call_id: CallId, command: str, folder: str) -> None:
        """This call runs, or would run, a command. Whoever is asked about it does not wait for this to be read."""
        unread = self._unread.setdefault(call_id, set())
        unread.add((command, folder))
        if len(unread) > MOST_UNREAD or sum(len(one) for one, _ in unread) > MOST_LETTERS:
            # They are not kept to be read all at once. The next one asks where it begins.
            del self._unread[call_id]
            self._away.add(call_id)

    def refused(self, call_id: CallId) -> None:
        """It did not run."""
        self._away.discard(call_id)
        self._unread.pop(call_id, None)

    def are_known(self, call_id: CallId) -> bool:
        """Whether no other command than that of this call can have led away."""
        for other in [one for one in self._unread if one != call_id]:
            self.read(other)
        return self._away <= {call_id}

    def read(self, call_id: CallId) -> None:
        """There is time to see where the commands of this call lead."""
        if any(leads_away(command, folder) for command, folder in self._unread.pop(call_id, ())):
            self._away.add(call_id)


@lru_cache(maxsize=256)
def leads_away(command: str, folder: str) -> bool:
    """Whether a shell that has run this in a folder may be in another one: also where it only stops on its way."""
    # Much to load, for agents that keep their folder only.
    from assent.commandline.read import read_command
    from assent.commandline.surroundings import Surroundings

    read = read_command(f"{command}\n:", Surroundings(folder, str(Path.home())))
    if read.unreadable is not None:
        return True
    return any(part.directory != folder or part.dynamic or _may_go(part, folder) for part in read.all())


def _may_go(part: Part, folder: str) -> bool:
    """Whether it changes the shell that it runs in, other than by going to where that is already."""
    if part.steps[:1] != ("cd",):
        return part.steps[:1] in _SHELL_ITSELF
    to = part.words[1:]
    return len(to) != 1 or not to[0].exact or posixpath.normpath(posixpath.join(folder, to[0].text)) != folder
