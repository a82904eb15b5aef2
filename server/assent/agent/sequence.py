"""The order in which the calls of a run are carried out: the model's, where they touch the same; else side by side.

One `Sequence` belongs to a root run and its sub-agents. Each call takes a `Ticket` in the order in which the model made
it, and gives it back whatever becomes of it:

    with sequence.ticket(caller, call_id) as ticket:
        ticket.looked(facts)            # as soon as the gate has looked at it, before anyone is asked
        ticket.asked()                  # it waits for a person
        waited = await ticket.turn(permit.facts, clicked=permit.clicked)
                                        # it is allowed: returns when it may be carried out. Where nobody clicked and
                                        # it had to wait, or where a click agreed to what is no more, it is looked at
                                        # and decided afresh, and turn is called again
        prepared.carry_out(ticket.before())
        ticket.leaves(answer.left)

Cards are shown whatever the order is; it is only the carrying out that waits. Nothing waits for ever: a call waits for
calls before it, which are looked at, answered, withdrawn or carried out in their turn, and for calls that are being
carried out. No call waits for one that comes after it and has not begun. What is made for a call that makes calls has
its place within that one's: before all that comes after it, and never in its way.
"""

import asyncio
from collections.abc import Iterable
from enum import Enum
from itertools import chain
from typing import Self

from assent.agent.ports import Found, Left
from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, CallFacts
from assent.model.ids import CallId
from assent.model.modes import Category
from assent.policy.conflicts import Resources, Touched, better_apart, resources_of
from assent.policy.reach import effective_category

Number = tuple[int, ...]
"""Which call of the model it is. What is made for a call that makes calls begins with the number of that one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How long a card was open: from one change among the cards of a sequence to another."""

    opened: int
    closed: int

    def beside(self, other: "Shown") -> bool:
        """Whether both were open at some time."""
        return self.opened < other.closed and other.opened < self.closed


_NEVER_SHOWN = Shown(0, 0)
"""Beside nothing."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a call has left, and which call that was."""

    number: Number
    caller: Caller
    clicked_on: Shown | None
    """The card on which it was clicked; None where nobody clicked."""
    left: Left


class Stage(Enum):
    """How far a call is."""

    DECIDED_ON = "decided on"
    """It is looked at and decided about; nobody is asked."""
    ASKED = "asked"
    ALLOWED = "allowed"
    RUNNING = "running"


class Sequence:
    """Lets calls begin, each in its turn, no more than so many at the same time.

    Very many can wait for people: what happens to one of them costs no look at the others.
    """

    def __init__(self, parallel: int) -> None:
        self._parallel = parallel
        self._by_stage: dict[Stage, set[Ticket]] = {stage: set() for stage in Stage}
        self._not_looked_at: set[Ticket] = set()
        self._by_call: dict[CallId, Ticket] = {}
        self._touched: Touched[Ticket] = Touched()
        self._traces: list[Trace] = []
        self._made_for: dict[CallId, CallId | None] = {}
        self._count = 0
        self._changes = 0

    def ticket(self, caller: Caller, call_id: CallId) -> "Ticket":
        """The next call of the model, from here to its result: to be used in a `with`."""
        self._count += 1
        self.is_made(caller, call_id)
        ticket = self._by_call[call_id] = Ticket(self, self._next_number(caller), caller, call_id)
        self._by_stage[ticket.stage].add(ticket)
        self._not_looked_at.add(ticket)
        return ticket

    def is_made(self, caller: Caller, call_id: CallId) -> None:
        """For which call this one is made: what is known also of calls without a ticket."""
        self._made_for[call_id] = caller.parent_call

    def _next_number(self, caller: Caller) -> Number:
        above = caller.parent_call
        while above is not None:
            making = self._by_call.get(above)
            if making is not None and making.makes_calls:
                return (*making.number, self._count)
            above = self._made_for.get(above)
        return (self._count,)

    def take_back(self, ticket: "Ticket") -> None:
        """The call has its result."""
        self._by_stage[ticket.stage].discard(ticket)
        self._not_looked_at.discard(ticket)
        if self._by_call.get(ticket.call_id) is ticket:
            del self._by_call[ticket.call_id]
        self._forget_places(ticket)
        self.go_on()

    @property
    def traces(self) -> tuple[Trace, ...]:
        """What calls have left, in the order in which they did."""
        return tuple(self._traces)

    def leave(self, traces: Iterable[Trace]) -> None:
        """A call has left places so."""
        self._traces += traces

    def card_changes(self) -> int:
        """A card opens or closes: the number of this moment, among all such."""
        self._changes += 1
        return self._changes

    def enter(self, ticket: "Ticket", stage: "Stage") -> None:
        """The call has come this far."""
        self._by_stage[ticket.stage].discard(ticket)
        self._by_stage[stage].add(ticket)
        ticket.stage = stage

    def know(self, ticket: "Ticket", resources: Resources) -> None:
        """What this call touches is known now, or is something else than was thought."""
        self._forget_places(ticket)
        self._not_looked_at.discard(ticket)
        ticket.resources = resources
        for rival in self._touched.in_the_way_of(resources):
            if not _one_within_the_other(ticket.number, rival.number):
                ticket.rivals.add(rival)
                rival.rivals.add(ticket)
        self._touched.add(ticket, resources)

    def _forget_places(self, ticket: "Ticket") -> None:
        for rival in ticket.rivals:
            rival.rivals.discard(ticket)
        ticket.rivals.clear()
        if ticket.resources is not None:
            self._touched.discard(ticket, ticket.resources)

    def go_on(self) -> None:
        """Something happened: whoever may begin now begins, in the model's order."""
        if not self._by_stage[Stage.ALLOWED]:
            return
        running = self._by_stage[Stage.RUNNING]
        awake = sorted(self._by_stage[Stage.DECIDED_ON] | self._by_stage[Stage.ALLOWED] | running, key=_number)
        free = self._parallel - sum(ticket.takes_a_place for ticket in running)
        not_looked_at = min(map(_number, self._not_looked_at), default=(self._count + 1,))
        held: set[Ticket] = set()
        """Those that are allowed and wait for one that waits for a person."""
        acting: list[Ticket] = []
        """Those so far that change something and wait for no person."""
        acting_somewhere: list[Ticket] = []
        for ticket in awake:
            if ticket.stage is Stage.ALLOWED:
                rivals = [rival for rival in ticket.rivals if ticket.waits_for(rival)]
                if any(rival.stage is Stage.ASKED or rival in held for rival in rivals):
                    held.add(ticket)
                    continue
                others = acting if ticket.resources is not None and ticket.resources.somewhere else acting_somewhere
                blocked = rivals or any(map(ticket.is_better_apart_from, chain(others, running)))
                if not blocked and not_looked_at > ticket.number and (free > 0 or ticket.is_light):
                    self.enter(ticket, Stage.RUNNING)
                    ticket.begin()
                    free -= ticket.takes_a_place
            if ticket.resources is not None and ticket.resources.acts:
                acting.append(ticket)
                if ticket.resources.somewhere:
                    acting_somewhere.append(ticket)


class Ticket:
    """One call's place in the order."""

    __slots__ = (
        "_card_opened",
        "_clicked_on",
        "_facts",
        "_sequence",
        "_since",
        "_turn",
        "call_id",
        "caller",
        "number",
        "resources",
        "rivals",
        "stage",
    )

    def __init__(self, sequence: Sequence, number: Number, caller: Caller, call_id: CallId) -> None:
        self._sequence = sequence
        self.number = number
        self.caller = caller
        self.call_id = call_id
        self.stage = Stage.DECIDED_ON
        self.resources: Resources | None = None
        """What it touches; None while nobody has looked, so that it may be anything."""
        self.rivals: set[Ticket] = set()
        """Those with which it has to keep the model's order."""
        self._facts: CallFacts | None = None
        self._turn: asyncio.Future[None] | None = None
        self._card_opened: int | None = None
        self._clicked_on: Shown | None = None
        self._since = len(sequence.traces)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._sequence.take_back(self)

    def looked(self, facts: CallFacts) -> None:
        """What it would touch is known, or known anew."""
        self._card_opened = None
        self._know(facts)
        self._sequence.go_on()

    def asked(self) -> None:
        """It waits for a person from here on. What was its turn before is another's."""
        self._sequence.enter(self, Stage.ASKED)
        self._card_opened = self._sequence.card_changes()
        self._sequence.go_on()

    async def turn(self, facts: CallFacts, *, clicked: bool) -> bool:
        """Returns when the call, which is allowed, may be carried out; says whether it had to wait for that."""
        self._card_closes(clicked)
        if self.stage is Stage.RUNNING and facts == self._facts:
            return False
        self._know(facts)
        self._sequence.enter(self, Stage.ALLOWED)
        self._turn = asyncio.get_running_loop().create_future()
        self._sequence.go_on()
        waited = not self._turn.done()
        await self._turn
        return waited

    def before(self) -> tuple[Left, ...]:
        """What calls that the model made before this one have left since it was made, in the order of their ends.

        For a call that was clicked only what the user knew of who clicked it: what was clicked as well, on cards of the
        same caller that were open beside its own. What else was left there, its card did not tell.
        """
        return tuple(one.left for one in self._traces() if one.number < self.number and self._may_go_on_from(one))

    def overtaken(self, found: Found) -> bool:
        """Whether calls that the user could not know of made something else of the place that was shown.

        What they left until now is then no surprise any more: the place is looked at anew.
        """
        is_so = found.after(tuple(one.left for one in self._traces())) != found.after(self.before())
        if is_so:
            self._since = len(self._sequence.traces)
        return is_so

    def leaves(self, left: tuple[Left, ...]) -> None:
        """It has been carried out, and left places so."""
        self._sequence.leave(Trace(self.number, self.caller, self._clicked_on, one) for one in left)

    @property
    def makes_calls(self) -> bool:
        """It has no effect but that of the calls that it makes."""
        return self._facts is not None and bool(self._facts.steps)

    @property
    def is_light(self) -> bool:
        """It has no effect but those of other calls, such as a sub-agent's: it takes nobody's place."""
        facts = self._facts
        return self.makes_calls or (facts is not None and effective_category(facts) is Category.INTERNAL)

    @property
    def takes_a_place(self) -> bool:
        """It is one of those that are carried out at the same time."""
        return self.stage is Stage.RUNNING and not self.is_light

    def begin(self) -> None:
        """It is its turn."""
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def waits_for(self, rival: "Ticket") -> bool:
        """Whether this call, which is allowed, waits for that one, with which it keeps the model's order."""
        # Of one that makes calls only those are in the way that are carried out: the next of them waits for this.
        return rival.number < self.number or (rival.stage is Stage.RUNNING and not rival.makes_calls)

    def is_better_apart_from(self, other: "Ticket") -> bool:
        """Whether this call does not begin while that one acts or is about to."""
        if self.resources is None or other.resources is None or other is self:
            return False
        if other.number > self.number and other.makes_calls:
            return False
        return better_apart(self.resources, other.resources) and not _one_within_the_other(self.number, other.number)

    def _card_closes(self, clicked: bool) -> None:
        if not clicked:
            self._clicked_on = None
        elif self._card_opened is not None:
            self._clicked_on = Shown(self._card_opened, self._sequence.card_changes())
        elif self._clicked_on is None:
            self._clicked_on = _NEVER_SHOWN
        self._card_opened = None

    def _traces(self) -> tuple[Trace, ...]:
        return self._sequence.traces[self._since :]

    def _may_go_on_from(self, trace: Trace) -> bool:
        if self._clicked_on is None:
            return True
        seen = trace.clicked_on is not None and self._clicked_on.beside(trace.clicked_on)
        return seen and trace.caller == self.caller

    def _know(self, facts: CallFacts) -> None:
        if facts != self._facts:
            self._facts = facts
            self._sequence.know(self, resources_of(facts))


def _one_within_the_other(one: Number, other: Number) -> bool:
    return all(mine == its for mine, its in zip(one, other, strict=False))


def _number(ticket: Ticket) -> Number:
    return ticket.number
