"""When waiting questions have waited long enough: a clock for each, as a state machine that is told the time.

Only time that somebody let pass counts: a jump between two looks at the clock is a machine that slept. Time is
monotonic throughout. All questions have the same allowance, so that the clock that was started first ends first, and
ten thousand of them cost no more to look at than one.
"""

from collections.abc import Sequence
from itertools import islice, takewhile

from assent.model.ids import ApprovalId
from assent.model.patience import Allowance, Countdown, TimeoutWhen

LONGEST_LOOK = 15.0
"""How long nobody needs to look at most, so that a jump stands out."""
JUMP = 60.0


class Patience:
    """The clocks of all waiting questions. Every method gives the questions whose countdown is another one now."""

    def __init__(self, allowance: Allowance | None = None) -> None:
        self._allowance = allowance or Allowance()
        self._running: dict[ApprovalId, float] = {}
        """When each was started, in the order of that; counted in time that counts."""
        self._stopped: dict[ApprovalId, None] = {}
        self._asked_after: dict[ApprovalId, int] = {}
        """How much the user had done before each was asked."""
        self._deeds = 0
        self._attended = False
        self._looked_at: float | None = None
        self._time = 0.0

    @property
    def running(self) -> int:
        """How many clocks run."""
        return len(self._running)

    def __len__(self) -> int:
        return len(self._asked_after)

    def __contains__(self, approval_id: ApprovalId) -> bool:
        return approval_id in self._asked_after

    def look(self, now: float) -> None:
        """Counts the time since the last look, unless it is so long that the machine must have slept."""
        passed = 0.0 if self._looked_at is None else now - self._looked_at
        self._looked_at = now
        if 0 < passed <= JUMP:
            self._time += passed

    def asked(self, approval_id: ApprovalId, now: float) -> None:
        """A question waits. Until somebody does something, nobody is known to be there for it."""
        self.look(now)
        self._asked_after[approval_id] = self._deeds
        if self._allowance.when is TimeoutWhen.NEVER:
            self._stopped[approval_id] = None
        else:
            self._running[approval_id] = self._time

    def ended(self, approval_id: ApprovalId) -> None:
        """A question has its ending."""
        self._asked_after.pop(approval_id, None)
        self._running.pop(approval_id, None)
        self._stopped.pop(approval_id, None)

    def active(self, now: float, *, attended: bool) -> Sequence[ApprovalId]:
        """The user did something. With `attended`, a view is there, too, and stays."""
        self.look(now)
        self._deeds += 1
        self._attended = attended
        if self._allowance.when is not TimeoutWhen.UNATTENDED:
            return ()
        changed = tuple(self._running) if attended else tuple(self._asked_after)
        self._stop(changed)
        if not attended:
            # Somebody was there a moment ago, and cannot be seen any more: all begins anew.
            self._start(changed)
        return changed

    def left(self, now: float) -> Sequence[ApprovalId]:
        """No view is there any more."""
        self.look(now)
        self._attended = False
        return self._start(tuple(self._stopped)) if self._allowance.when is TimeoutWhen.UNATTENDED else ()

    def allow(self, allowance: Allowance, now: float) -> Sequence[ApprovalId]:
        """Another allowance counts from now on, also for what waits."""
        self.look(now)
        before, self._allowance = self._allowance, allowance
        if before == allowance:
            return ()
        self._stop([approval_id for approval_id in self._running if not self._should_run(approval_id)])
        self._start([approval_id for approval_id in self._stopped if self._should_run(approval_id)])
        return tuple(self._asked_after)

    def expired(self, now: float, most: int) -> Sequence[ApprovalId]:
        """The questions whose time is over, the first of them."""
        self.look(now)
        first = islice(self._running.items(), most)
        return [approval_id for approval_id, _ in takewhile(lambda one: self._left_of(one[1]) <= 0, first)]

    def next_look(self, now: float) -> float | None:
        """After how many seconds somebody has to look again; None while no clock runs."""
        self.look(now)
        first = next(iter(self._running.values()), None)
        return None if first is None else min(max(self._left_of(first), 0.0), LONGEST_LOOK)

    def countdown(self, approval_id: ApprovalId, now: float) -> Countdown | None:
        """What is left for this question; None where it waits for ever, or does not wait."""
        self.look(now)
        seconds, started = self._allowance.seconds, self._running.get(approval_id)
        if started is not None:
            return Countdown(seconds, running=True, remaining=max(self._left_of(started), 0.0))
        if approval_id not in self._stopped or self._allowance.when is TimeoutWhen.NEVER:
            return None
        return Countdown(seconds, running=False, remaining=seconds)

    def _left_of(self, started: float) -> float:
        return started + self._allowance.seconds - self._time

    def _should_run(self, approval_id: ApprovalId) -> bool:
        match self._allowance.when:
            case TimeoutWhen.ALWAYS:
                return True
            case TimeoutWhen.NEVER:
                return False
        return not (self._attended and self._asked_after[approval_id] < self._deeds)

    def _stop(self, changed: Sequence[ApprovalId]) -> None:
        for approval_id in changed:
            self._running.pop(approval_id, None)
            self._stopped[approval_id] = None

    def _start(self, changed: Sequence[ApprovalId]) -> Sequence[ApprovalId]:
        for approval_id in changed:
            self._stopped.pop(approval_id, None)
            self._running[approval_id] = self._time
        return changed
