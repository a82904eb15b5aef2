"""What the user has agreed to with calls that are still under way: the same act is not asked for twice.

An agent may ask for a call and then have the client carry out just that: a writing of a file, a command. It is the same
only where the result is, to the byte; and only once.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from assent.acp.claim import Claim
from assent.acp.claimed_look import Change
from assent.lazy_dataclasses import dataclass
from assent.model.ids import CallId


@dataclass(frozen=True, slots=True)
class CommandPromised:
    """A command, where it runs, and the variables that it is given."""

    command: str
    directory: str
    environment: tuple[tuple[str, str], ...]


Promise = Change | CommandPromised


class Promises:
    """Of one session."""

    def __init__(self) -> None:
        self._open: dict[CallId, list[Promise]] = {}

    @contextmanager
    def made(self, call_id: CallId, promised: tuple[Promise, ...]) -> Iterator[None]:
        """While a call that the user agreed to is under way."""
        self._open[call_id] = list(promised)
        try:
            yield
        finally:
            self._open.pop(call_id, None)

    def holds(self, wanted: Promise) -> CallId | None:
        """The call with which the user agreed to exactly this, where it was not used yet."""
        return next((call_id for call_id, kept in self._open.items() if wanted in kept), None)

    def use(self, wanted: Promise) -> bool:
        """Uses it up. False where there is none any more."""
        call_id = self.holds(wanted)
        if call_id is None:
            return False
        self._open[call_id].remove(wanted)
        return True

    def forget(self) -> None:
        """The turn is over."""
        self._open.clear()


def promised_by(claim: Claim, directory: str, changes: tuple[Change, ...]) -> tuple[Promise, ...]:
    """What a call that shows this makes the user agree to."""
    if claim.command is not None:
        # Its card shows the command; of a file that it is said to change it shows no more than the name.
        return (CommandPromised(claim.command, directory, claim.env),)
    return changes
