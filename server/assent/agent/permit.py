"""What the gate says to a call: leave to carry it out once, or why not."""

from collections.abc import Callable

from assent.agent.hearing import Hearing
from assent.agent.ports import AS_SHOWN, Manner, Prepared
from assent.lazy_dataclasses import dataclass
from assent.model.calls import CallFacts
from assent.model.records import Entry, Subject


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call does not run: `code` and `message` are for the model, feedback is the user's own words."""

    code: str
    message: str
    feedback: str | None = None
    note: str | None = None
    """For people: who refused it, where somebody did."""
    own: str | None = None
    """The id of the agent's own answer that the user chose, where it is an agent of others that asks."""
    by_user: bool = False
    """A person said no to just this call."""
    at: str | None = None
    """When that was decided, where somebody was asked."""


class Permit:
    """Leave to carry out one prepared call, once. Only the gate makes one."""

    def __init__(
        self,
        subject: Subject,
        prepared: Prepared,
        facts: CallFacts,
        note: str,
        *,
        still: Callable[[], Refusal | None],
        unwritten: tuple[Entry, ...] = (),
        changed: bool = False,
        begun: bool = False,
        manner: Manner = AS_SHOWN,
        hearing: Hearing | None = None,
        at: str | None = None,
    ) -> None:
        self.subject = subject
        self.call = subject.call
        self.facts = facts
        self.note = note
        self.at = at
        """When that was decided, where somebody was asked."""
        self.still = still
        """Why it may not run any more, if something forbids it by now."""
        self.unwritten = unwritten
        """What has to be written down together with its start."""
        self.changed = changed
        """The user changed the arguments before allowing it."""
        self.begun = begun
        """Its start is written down already, together with the click."""
        self.manner = manner
        """How it is carried out."""
        self.hearing = hearing
        """What the user's hooks said to it, where they have a say."""
        self.clicked = not unwritten
        """A click allowed it, which is written down already. Otherwise what allows it is written with its start."""
        self.found = prepared.found
        """The place that it changes, as it was when it was agreed to."""
        self._prepared: Prepared | None = prepared

    def take(self) -> Prepared:
        """What may be carried out. A second taking is a fault of the program, and runs nothing."""
        prepared, self._prepared = self._prepared, None
        if prepared is None:
            raise RuntimeError("a permit is good for one execution")
        return prepared
