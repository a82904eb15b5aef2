"""The order in which the calls of a run are carried out: the model's, where they touch the same; else side by side.

One `Sequence` belongs to a root run and its sub-agents. Each call takes a `Ticket` in the order in which the model made
it, and gives it back whatever becomes of it:

    with sequence.ticket() as ticket:
        ticket.looked(facts)            # as soon as the gate has looked at it, before anyone is asked
        ticket.asked()                  # it waits for a person
        waited = await ticket.turn(permit.facts)
                                        # it is allowed: returns when it may be carried out. Where nobody clicked and
                                        # it had to wait, it is looked at and decided afresh, and turn is called again
        prepared.carry_out(ticket.before())
        ticket.leaves(answer.left)

Cards are shown whatever the order is; it is only the carrying out that waits. Nothing waits for ever: a call waits for
calls before it, which are looked at, answered, withdrawn or carried out in their turn, and for calls that are being
carried out. No call waits for one that comes after it and has not begun.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from assent.agent.ports import Left
from assent.model.calls import CallFacts
from assent.model.modes import Category
from assent.policy.conflicts import Conflict, Resources, between, resources_of
from assent.policy.reach import effective_category


class Sequence:
    """Lets calls begin, each in its turn, no more than so many at the same time."""

    def __init__(self, parallel: int) -> None:
        self._parallel = parallel
        self._tickets: list[Ticket] = []
        self._left: list[tuple[int, Left]] = []
        self._count = 0

    @contextmanager
    def ticket(self) -> Iterator["Ticket"]:
        """The next call of the model, from here to its result."""
        self._count += 1
        ticket = Ticket(self, self._count)
        self._tickets.append(ticket)
        try:
            yield ticket
        finally:
            self._tickets.remove(ticket)
            for other in self._tickets:
                other.rivals.pop(ticket, None)
            self.go_on()

    @property
    def left(self) -> tuple[tuple[int, Left], ...]:
        """What calls have left, each with the number of its call, in the order in which they did."""
        return tuple(self._left)

    def leave(self, number: int, left: tuple[Left, ...]) -> None:
        """The call of this number has left places so."""
        self._left += [(number, one) for one in left]

    def compare(self, ticket: "Ticket", resources: Resources) -> None:
        """What this call touches is known now, or is something else than was thought."""
        for other in self._tickets:
            if other is ticket or other.resources is None:
                continue
            conflict = between(other.resources, resources)
            for one, rival in ((ticket, other), (other, ticket)):
                one.rivals.pop(rival, None)
                if conflict is not Conflict.NONE:
                    one.rivals[rival] = conflict

    def go_on(self) -> None:
        """Something happened: whoever may begin now begins, in the model's order."""
        free = self._parallel - sum(ticket.takes_a_place for ticket in self._tickets)
        unknown = next((ticket.number for ticket in self._tickets if ticket.resources is None), self._count + 1)
        held: set[Ticket] = set()
        for ticket in self._tickets:
            if ticket.stage is Stage.ASKED:
                held.add(ticket)
            elif ticket.stage is Stage.ALLOWED:
                blocked = any(ticket.waits_for(rival, held) for rival in ticket.rivals)
                if blocked and any(rival in ticket.rivals and ticket.waits_for(rival, held) for rival in held):
                    held.add(ticket)
                elif not blocked and unknown > ticket.number and (free > 0 or ticket.is_light):
                    ticket.begin()
                    free -= ticket.takes_a_place


class Stage(Enum):
    """How far a call is."""

    DECIDED_ON = "decided on"
    """It is looked at and decided about; nobody is asked."""
    ASKED = "asked"
    ALLOWED = "allowed"
    RUNNING = "running"


class Ticket:
    """One call's place in the order."""

    def __init__(self, sequence: Sequence, number: int) -> None:
        self._sequence = sequence
        self.number = number
        self.stage = Stage.DECIDED_ON
        self.resources: Resources | None = None
        """What it touches; None while nobody has looked, so that it may be anything."""
        self.rivals: dict[Ticket, Conflict] = {}
        self._facts: CallFacts | None = None
        self._turn: asyncio.Future[None] | None = None
        self._since = len(sequence.left)

    def looked(self, facts: CallFacts) -> None:
        """What it would touch is known, or known anew."""
        self._know(facts)
        self._sequence.go_on()

    def asked(self) -> None:
        """It waits for a person from here on. What was its turn before is another's."""
        self.stage = Stage.ASKED
        self._sequence.go_on()

    async def turn(self, facts: CallFacts) -> bool:
        """Returns when the call, which is allowed, may be carried out; says whether it had to wait for that."""
        if self.stage is Stage.RUNNING and facts == self._facts:
            return False
        self._know(facts)
        self.stage = Stage.ALLOWED
        self._turn = asyncio.get_running_loop().create_future()
        self._sequence.go_on()
        waited = not self._turn.done()
        await self._turn
        return waited

    def before(self) -> tuple[Left, ...]:
        """What calls that the model made before this one have left since it was made, in the order of their ends."""
        return tuple(left for number, left in self._sequence.left[self._since :] if number < self.number)

    def leaves(self, left: tuple[Left, ...]) -> None:
        """It has been carried out, and left places so."""
        self._sequence.leave(self.number, left)

    @property
    def is_light(self) -> bool:
        """It has no effect but those of other calls, such as a sub-agent's: it takes nobody's place."""
        return self._facts is not None and effective_category(self._facts) is Category.INTERNAL

    @property
    def takes_a_place(self) -> bool:
        """It is one of those that are carried out at the same time."""
        return self.stage is Stage.RUNNING and not self.is_light

    def begin(self) -> None:
        """It is its turn."""
        self.stage = Stage.RUNNING
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def waits_for(self, rival: "Ticket", held: set["Ticket"]) -> bool:
        """Whether this call, which is allowed, waits for that one; `held` are those that wait for people."""
        if rival.number > self.number:
            return rival.stage is Stage.RUNNING
        return self.rivals[rival] is Conflict.STRONG or rival not in held

    def _know(self, facts: CallFacts) -> None:
        if facts != self._facts:
            self._facts, self.resources = facts, resources_of(facts)
            self._sequence.compare(self, self.resources)
