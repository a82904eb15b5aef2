"""What the user allowed in one chat: each click with its end and uses, and what is set aside for calls on their way."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import reduce

from assent.model.approval import Card, OptionKind
from assent.model.calls import Access, CallFacts
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    Grant,
    KeyGrant,
    Limits,
    RuleGrant,
    ToolGrant,
)
from assent.model.ids import CallId, RunId
from assent.policy.granting import Counted, bare, needed, with_grant
from assent.policy.rules_in_force import Rules
from assent.runtime.clock import Clock
from assent.runtime.ids import new_id

SessionGrant = KeyGrant | DirectoryGrant | ChatBypass

_NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Held:
    """A lasting grant that was clicked in this chat: it counts here until the settings that store it decide."""

    grant: ToolGrant | RuleGrant | AgentBypass
    since: object = None
    """What the settings said of it when it was clicked."""
    grant_id: str = field(default_factory=new_id)
    at: str = ""
    on: str = ""


@dataclass(slots=True, eq=False)
class Given:
    """One click that allows something in this chat: on which card, until when, how often it was used."""

    grant: SessionGrant
    at: str
    on: str = ""
    """The headline of the card."""
    option: OptionKind | None = None
    until: float | None = None
    """By the monotonic clock."""
    uses: int | None = None
    run_id: RunId | None = None
    """The run with which it ends."""
    used: int = 0
    last_used_at: str | None = None
    grant_id: str = field(default_factory=new_id)

    @property
    def uses_left(self) -> int | None:
        """How many further calls it lets run; None where they are not counted."""
        return None if self.uses is None else max(self.uses - self.used, 0)

    def is_over(self, now: float) -> bool:
        """Whether it has ended by itself."""
        return self.uses_left == 0 or (self.until is not None and now >= self.until)

    def outlasts(self, other: "Given") -> bool:
        """Whether it allows the same, in no respect for less long."""
        return (
            self.grant == other.grant
            and _not_less(self.until, other.until)
            and _not_less(self.uses_left, other.uses_left)
            and self.run_id in (None, other.run_id)
        )


def _not_less(one: float | None, other: float | None) -> bool:
    return one is None or (other is not None and one >= other)


class ChatGrants:
    """What the user allowed in this chat. In memory only, gone with the chat. What has ended counts nowhere."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._given: list[Given] = []
        self._set_aside: dict[CallId, tuple[Given, ...]] = {}
        self._run_id: RunId | None = None
        self.held: list[Held] = []
        self._withdrawn: set[str] = set()

    def give(
        self,
        grant: SessionGrant,
        limits: Limits | None = None,
        *,
        card: Card | None = None,
        option: OptionKind | None = None,
    ) -> Given:
        """Grants it for as long as the chat is open, or to the end that it was given.

        It takes the place of what it outlasts. Beside something of the same that lasts longer in any respect, both
        count: a click never shortens what an earlier one allowed.
        """
        limits = limits or _NO_LIMITS
        given = Given(
            grant,
            self._clock.timestamp(),
            card.headline if card is not None else "",
            option,
            None if limits.minutes is None else self._clock.monotonic() + limits.minutes * 60,
            limits.uses,
            card.caller.run_id if limits.until_run_ends and card is not None else None,
        )
        # The run may have ended while its card was answered.
        return self.put(given) if given.run_id in (None, self._run_id) else given

    def hold(self, held: Held, card: Card) -> Held:
        """A lasting grant was clicked on this card."""
        here = replace(held, at=self._clock.timestamp(), on=card.headline)
        self.held.append(here)
        return here

    def hold_again(self, held: Held) -> None:
        """It was taken back by mistake."""
        self._withdrawn.discard(held.grant_id)
        self.held.append(held)

    def was_withdrawn(self, held: Held) -> bool:
        """Whether the user took it back, as opposed to settings that say it by now."""
        return held.grant_id in self._withdrawn

    def put(self, given: Given) -> Given:
        """Lets it count, where nothing that counts already outlasts it; gives what counts."""
        longer = next((one for one in self.live if one.outlasts(given)), None)
        if longer is not None:
            return longer
        self._given = [one for one in self._given if not given.outlasts(one)]
        self._given.append(given)
        return given

    @property
    def live(self) -> tuple[Given, ...]:
        """Everything given that has not ended, in the order in which it was given."""
        now = self._clock.monotonic()
        self._given = [one for one in self._given if not one.is_over(now)]
        return tuple(self._given)

    @property
    def all(self) -> tuple[Grant, ...]:
        """Everything that counts for whatever call comes next."""
        return (*(one.grant for one in self.live if self._is_free(one)), *(held.grant for held in self.held))

    @property
    def bypass(self) -> bool:
        """Whether every call of this chat runs without asking."""
        return any(one.grant == ChatBypass() for one in self.live)

    @property
    def words(self) -> tuple[str, ...]:
        """What is allowed, each in a few words for people; the bypasses are told apart from these."""
        grants = (*(one.grant for one in self.live), *(held.grant for held in self.held))
        return tuple(sorted({text for grant in grants if (text := words_for(grant))}))

    def seconds_left(self) -> float | None:
        """Until the next one ends by time; None where none does."""
        ends = [one.until for one in self._given if one.until is not None]
        return max(min(ends) - self._clock.monotonic(), 0.0) if ends else None

    def begin_run(self, run_id: RunId) -> None:
        """A run begins: from here to its end something may be allowed until it ends."""
        self._run_id = run_id

    def end_run(self, run_id: RunId) -> bool:
        """The run is over, and with it what was allowed until then. Says whether there was something."""
        self._run_id = None
        kept = [one for one in self._given if one.run_id != run_id]
        ended = len(kept) < len(self._given)
        self._given = kept
        return ended

    def take_back(self, grant_id: str) -> Given | Held | None:
        """It counts no more, from the next call on. None where nothing of this id counts."""
        given = next((one for one in self.live if one.grant_id == grant_id), None)
        if given is not None:
            self._given.remove(given)
            return given
        held = next((one for one in self.held if one.grant_id == grant_id), None)
        if held is not None:
            self.held = [one for one in self.held if one is not held]
            self._withdrawn.add(grant_id)
        return held

    def put_back(self, given: Given) -> bool:
        """What was taken back counts again to the end that it had, if that is still to come; says whether it is."""
        ended = given.is_over(self._clock.monotonic()) or given.run_id not in (None, self._run_id)
        if not ended:
            self._given.append(given)
        return not ended

    # ---- calls on their way

    def counted(self, call: CallId) -> tuple[Counted, ...]:
        """What counts for this call now, with the uses that are left for it: those without an end first.

        What ended since somebody last asked for `all` is still among them: the call was decided by it.
        """
        own = self._set_aside.get(call, ())
        usable = [one for one in self._given if one in own or self._is_free(one)]
        return tuple(Counted(one.grant_id, one.grant, self._free(one, own)) for one in sorted(usable, key=_eagerness))

    def set_aside_for(self, call: CallId) -> tuple[Grant, ...]:
        """What counts for this call only, because its last uses are set aside for it."""
        return tuple(one.grant for one in self._set_aside.get(call, ()) if one in self.live)

    def set_aside(self, call: CallId, grant_ids: Iterable[str]) -> None:
        """One use of each of these is this call's, until it is charged or released."""
        self._set_aside[call] = self._named(grant_ids)

    def release(self, call: CallId) -> bool:
        """What was set aside for this call is free for others. Says whether there was something."""
        return bool(self._set_aside.pop(call, ()))

    def charge(self, call: CallId, grant_ids: Iterable[str]) -> None:
        """The call runs for the sake of these: one use of each is used up."""
        self._set_aside.pop(call, None)
        for one in self._named(grant_ids):
            one.used += 1
            one.last_used_at = self._clock.timestamp()

    def _named(self, grant_ids: Iterable[str]) -> tuple[Given, ...]:
        wanted = frozenset(grant_ids)
        return tuple(one for one in self._given if one.grant_id in wanted)

    def _is_free(self, given: Given) -> bool:
        return self._free(given) != 0

    def _free(self, given: Given, own: tuple[Given, ...] = ()) -> int | None:
        if given.uses_left is None:
            return None
        waiting = sum(given in aside for aside in self._set_aside.values()) - (given in own)
        return max(given.uses_left - waiting, 0)


def _eagerness(given: Given) -> tuple[bool, bool, int]:
    """Which to use first: what does not end, then what is not counted, then what has most uses left."""
    ends = given.until is not None or given.run_id is not None
    return given.uses is not None, ends, -(given.uses_left or 0)


class GrantsForCall:
    """What is granted in a chat, as one call sees it: decided with, set aside, charged."""

    def __init__(
        self, grants: ChatGrants, call: CallId, rules: Callable[[], Rules], changed: Callable[[bool], None]
    ) -> None:
        self._grants = grants
        self._call = call
        self._rules = rules
        self._changed = changed

    def rules(self) -> Rules:
        """What is in force for this call."""
        rules = self._rules()
        return reduce(with_grant, self._grants.set_aside_for(self._call), rules)

    def counted(self) -> tuple[Counted, ...]:
        """The grants of the chat that count for it."""
        return self._grants.counted(self._call)

    def set_aside(self, facts: CallFacts) -> None:
        """It is on its way to run by what counts now: the uses that it needs are no other call's."""
        counted = self.counted()
        self._grants.set_aside(self._call, needed(facts, bare(self._rules()), counted))

    def charge(self, facts: CallFacts) -> None:
        """It runs. To be called before anyone else gets a turn after the decision."""
        counted = self.counted()
        if not counted:
            return
        spent = needed(facts, bare(self._rules()), counted)
        self._grants.charge(self._call, spent)
        if spent:
            self._changed(False)

    def release(self) -> None:
        """It does not run by what was set aside for it."""
        if self._grants.release(self._call):
            self._changed(True)


def words_for(grant: Grant) -> str:
    """What is allowed, in a few words; nothing for the bypasses."""
    match grant:
        case KeyGrant():
            return ", ".join(grant.keys)
        case DirectoryGrant(directory, Access.READ):
            return f"reading in {directory}"
        case DirectoryGrant(directory):
            return f"files in {directory}"
        case ToolGrant(tool):
            return f"every {tool} call"
        case RuleGrant(tool, pattern, permits=True):
            return f"{tool}: {pattern}"
        case RuleGrant(tool, pattern):
            return f"never {tool}: {pattern}"
    return ""
