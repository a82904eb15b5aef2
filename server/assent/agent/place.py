"""A call's place among those of its run: when it is its turn, what it may still use, and the time that it takes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from assent.agent.budget import Share
from assent.agent.permit import Permit, Refusal
from assent.agent.ports import Left
from assent.agent.sequence import Ticket
from assent.agent.stopwatch import Stopwatch
from assent.model.calls import CallFacts
from assent.model.verdict import Reason


class Alone:
    """A call that belongs to no run: nothing stands in its way."""

    __slots__ = ()

    async def turn(self, permit: Permit) -> bool:
        """Returns when it may be carried out; says whether it had to wait for calls before it."""
        return False

    def begin(self, permit: Permit) -> Refusal | None:
        """It is carried out now: None, or why it may not be after all."""
        return None

    @contextmanager
    def working(self) -> Iterator[None]:
        """While it is carried out."""
        yield

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While it is carried out and only waits for a person."""
        yield

    def overtaken(self, permit: Permit) -> bool:
        """Whether what a click agreed to rests on what other calls have made something else of meanwhile."""
        return False

    def before(self) -> tuple[Left, ...]:
        """What calls before it have left since it was made, and it may go on from."""
        return ()

    def leaves(self, left: tuple[Left, ...]) -> None:
        """It has been carried out, and left places so."""


class Counted(Alone):
    """A call of a run, which counts in its limits and waits for no other."""

    __slots__ = ("_charge", "_share", "_watch")

    def __init__(self, share: Share, watch: Stopwatch, charge: Callable[[CallFacts], None]) -> None:
        self._share = share
        self._watch = watch
        self._charge = charge

    def looked(self, facts: CallFacts) -> None:
        """What it would touch is known, or known anew."""

    def asked(self) -> None:
        """The user is asked about it."""

    def begin(self, permit: Permit) -> Refusal | None:
        reached = self._share.start(permit.facts)
        if reached is not None:
            return Refusal(Reason.LIMIT_REACHED.value, reached.message)
        if not permit.clicked:
            self._charge(permit.facts)
        return None

    @contextmanager
    def working(self) -> Iterator[None]:
        with self._watch.working():
            yield

    @contextmanager
    def asking(self) -> Iterator[None]:
        with self._watch.resting():
            yield


class Place(Counted):
    """A call that waits for those before it where they touch the same."""

    __slots__ = ("_ticket",)

    def __init__(self, ticket: Ticket, share: Share, watch: Stopwatch, charge: Callable[[CallFacts], None]) -> None:
        super().__init__(share, watch, charge)
        self._ticket = ticket

    def looked(self, facts: CallFacts) -> None:
        self._ticket.looked(facts)

    def asked(self) -> None:
        self._ticket.asked()

    async def turn(self, permit: Permit) -> bool:
        return await self._ticket.turn(permit.facts, clicked=permit.clicked)

    def overtaken(self, permit: Permit) -> bool:
        return permit.found is not None and self._ticket.overtaken(permit.found)

    @contextmanager
    def working(self) -> Iterator[None]:
        if self._ticket.is_light:
            # What a sub-agent does is counted where it does it; while it waits for people, nothing is.
            yield
            return
        with super().working():
            yield

    @contextmanager
    def asking(self) -> Iterator[None]:
        if self._ticket.is_light:
            yield
            return
        with super().asking():
            yield

    def before(self) -> tuple[Left, ...]:
        return self._ticket.before()

    def leaves(self, left: tuple[Left, ...]) -> None:
        self._ticket.leaves(left)
