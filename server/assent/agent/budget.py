"""What a run and all its sub-agents may still use. Pure: it counts, and says which limit is reached.

One `Budget` belongs to a root run. Each call has a `Share` of it from the moment in which the model made it:

    share = budget.call()                  # counts as a tool call
    share.rules(rules)                     # what the gate decides by: a spent limit ends the call on its third rung
    share.start(permit.facts)              # right before it is carried out: None, or why it may not
    share.end(outcome)                     # always: what was set aside and not used is free again

`no_more` is called once nothing can be written any more: the gate then looks again at what waits (`Gate.reconsider`).
"""

from collections.abc import Callable
from dataclasses import replace

from assent.lazy_dataclasses import dataclass
from assent.model.calls import Caller, CallFacts
from assent.model.conversation import ToolOutcome
from assent.model.ids import CallId
from assent.model.limits import LIMITS, Limits
from assent.model.verdict import Reason
from assent.policy.reach import counts_as_write
from assent.policy.rules_in_force import Rules

__all__ = ["Budget", "Exhausted", "Limits", "Share"]

# Faults by which a tool says that nothing was done. After any other, something may have been.
_NOTHING_DONE = frozenset(
    {
        "changed_since",
        "disk_full",
        "is_a_directory",
        "link_loop",
        "name_too_long",
        "not_a_directory",
        "not_a_file",
        "not_found",
        "not_started",
        "permission_denied_by_system",
        "read_only",
    }
)


@dataclass(frozen=True, slots=True)
class Exhausted:
    """A limit that is reached: its name in the settings, what it is, what would have been, and a sentence."""

    limit: str
    value: int
    observed: int
    message: str
    by: CallId | None = None
    """The call of the sub-agent that came to it; None: the chat's own agent did, or all of them together."""


def exhausted(limits: Limits, field: str, observed: float, by: Caller | None = None) -> Exhausted:
    """What is said of this limit, by the name of its field, to the agent that came to it."""
    words, value = LIMITS[field], int(getattr(limits, field))
    # All but the turns are counted for the run and all of its sub-agents together.
    who = (
        f"The sub-agent “{' › '.join(by.path)}”" if by is not None and by.path and field == "iterations" else "This run"
    )
    message = (
        f"{who} has reached its limit of {value} {words.counts} (observed: {observed:g})."
        f' The user can raise "{words.name}" in the setting "assent.limits".'
    )
    return Exhausted(words.name, value, int(observed), message, by.parent_call if by is not None else None)


class Budget:
    """Counts for a root run and its sub-agents. `told` hears of each limit once, when it first stops something."""

    def __init__(
        self,
        limits: Limits,
        *,
        told: Callable[[Exhausted], None] = lambda what: None,
        no_more: Callable[[], None] = lambda: None,
    ) -> None:
        self.limits = limits
        self._told = told
        self._no_more = no_more
        self._known: set[tuple[str, CallId | None]] = set()
        self.tool_calls = 0
        self.model_calls = 0
        self.subtasks = 0
        self.writes = 0
        """Writes that have been made."""
        self._set_aside = 0
        self._over: Exhausted | None = None

    def call(self, by: Caller | None = None) -> "Share":
        """The model made a tool call, in whatever agent of the tree."""
        self.tool_calls += 1
        return Share(self, self._beyond("tool_calls", self.tool_calls, by), by)

    def model_call(self, by: Caller | None = None) -> Exhausted | None:
        """A request to a model is about to be made: None, and it counts, or why it may not be made."""
        return self._over or self._one_more("model_calls", by)

    def subtask(self, depth: int, by: Caller | None = None) -> Exhausted | None:
        """A sub-agent is about to begin, so many below the root: None, and it counts, or why it may not."""
        return self._over or self._beyond("depth", depth, by) or self._one_more("subtasks", by)

    def iteration(self, number: int, by: Caller | None = None) -> Exhausted | None:
        """An agent is about to begin its turn of this number, counted from 1."""
        return self._over or self._beyond("iterations", number, by)

    def wall_clock(self, seconds: float) -> Exhausted | None:
        """The run has worked so long. Once that is too long, nothing more begins in any agent of the tree."""
        if self._over is None and seconds >= self.limits.wall_clock_seconds:
            self._over = self._tell(exhausted(self.limits, "wall_clock_seconds", seconds))
            self._no_more()
        return self._over

    @property
    def over(self) -> Exhausted | None:
        """What ended the whole run, if something did."""
        return self._over

    @property
    def spent_writes(self) -> Exhausted | None:
        """Why nothing can be written any more, once all writes have been made."""
        if self.writes < self.limits.writes:
            return None
        return exhausted(self.limits, "writes", self.writes)

    def reserve_write(self, by: Caller | None = None) -> "Exhausted | Reservation":
        """Sets one write aside. Nobody gets a turn between the looking and the setting aside."""
        taken = self.writes + self._set_aside
        if taken >= self.limits.writes:
            return self._tell(exhausted(self.limits, "writes", taken + 1, by))
        self._set_aside += 1
        return Reservation(self)

    def tell(self, what: Exhausted) -> None:
        """A limit stopped something."""
        self._tell(what)

    def _settle(self, *, written: bool) -> None:
        self._set_aside -= 1
        if not written:
            return
        self.writes += 1
        if self.writes == self.limits.writes:
            self._no_more()

    def _one_more(self, field: str, by: Caller | None) -> Exhausted | None:
        count = getattr(self, field) + 1
        reached = self._beyond(field, count, by)
        if reached is None:
            setattr(self, field, count)
        return reached

    def _beyond(self, field: str, count: int, by: Caller | None) -> Exhausted | None:
        if count <= getattr(self.limits, field):
            return None
        return self._tell(exhausted(self.limits, field, count, by))

    def _tell(self, what: Exhausted) -> Exhausted:
        # Turns are counted for each agent by itself, so that several can come to that limit.
        known = (what.limit, what.by if what.limit == LIMITS["iterations"].name else None)
        if known not in self._known:
            self._known.add(known)
            self._told(what)
        return what


class Reservation:
    """One write that is set aside, until it is known whether it was made. It is settled once."""

    def __init__(self, budget: Budget) -> None:
        self._budget: Budget | None = budget

    def settle(self, *, written: bool) -> None:
        """It was made, or it was not and is free for another call."""
        budget, self._budget = self._budget, None
        if budget is not None:
            budget._settle(written=written)


class Share:
    """What one call may use. Its reservation is its own: a limit that it reaches itself does not end it."""

    __slots__ = ("_beyond", "_budget", "_by", "_reservation", "_spent")

    def __init__(self, budget: Budget, beyond: Exhausted | None, by: Caller | None = None) -> None:
        self._budget = budget
        self._beyond = beyond
        self._by = by
        self._reservation: Reservation | None = None
        self._spent: Exhausted | None = None

    def rules(self, rules: Rules) -> Rules:
        """These rules, with the limits that are reached for this call by now."""
        over = self._beyond or self._budget.over
        spent = self._spent = None if self._reservation is not None else self._budget.spent_writes
        if over is None and spent is None:
            return rules
        return replace(
            rules,
            exhausted_limit=over.message if over is not None else None,
            no_more_writes=spent.message if spent is not None else None,
        )

    def start(self, facts: CallFacts) -> Exhausted | None:
        """It is about to be carried out: None, or the limit that it would break."""
        if not counts_as_write(facts) or self._reservation is not None:
            return None
        reserved = self._budget.reserve_write(self._by)
        if isinstance(reserved, Exhausted):
            return reserved
        self._reservation = reserved
        return None

    def end(self, outcome: ToolOutcome | None) -> None:
        """It has its result. What was begun counts as written, unless its tool says that nothing was done."""
        if self._spent is not None and outcome is not None and outcome.code == Reason.LIMIT_REACHED.value:
            # The gate, which refused it by its rules, tells nobody but the model.
            self._budget.tell(self._spent)
        reservation, self._reservation = self._reservation, None
        if reservation is not None:
            reservation.settle(written=outcome is not None and outcome.ran and outcome.code not in _NOTHING_DONE)
