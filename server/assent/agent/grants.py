"""What the user allowed in one chat: each click with its end and uses, and what is set aside for calls on their way."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace

from assent.agent.handed_on import HandedOn
from assent.lazy_dataclasses import dataclass
from assent.model.approval import Card, OptionKind
from assent.model.calls import Access
from assent.model.grants import (
    AgentBypass,
    ChatBypass,
    DirectoryGrant,
    Grant,
    Granted,
    KeyGrant,
    Limits,
    RuleGrant,
    ToolGrant,
)
from assent.model.ids import CallId, RunId
from assent.model.nodes import shown_key
from assent.policy.granting import Counted
from assent.policy.rules.commands.pattern import without_identities
from assent.policy.rules.rule import SHELL_TOOL
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
    task: CallId | None = None
    """The call that handed the task on with which it ends before its run does: it counts for that task only."""
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
            and self.task in (None, other.task)
        )


def _not_less(one: float | None, other: float | None) -> bool:
    return one is None or (other is not None and one >= other)


class ChatGrants:
    """What the user allowed in this chat. In memory only, gone with the chat. What has ended counts nowhere."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._given: list[Given] = []
        self._set_aside: dict[CallId, tuple[Given, ...]] = {}
        self._charged: dict[CallId, tuple[Given, ...]] = {}
        self._run_id: RunId | None = None
        self._handed_on = HandedOn()
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
        ends_with = card.caller if limits.until_run_ends and card is not None else None
        given = Given(
            grant,
            self._clock.timestamp(),
            card.headline if card is not None else "",
            option,
            None if limits.minutes is None else self._clock.monotonic() + limits.minutes * 60,
            limits.uses,
            None if ends_with is None else ends_with.run_id,
            None if ends_with is None else ends_with.parent_call,
        )
        # The run, or the task, may have ended while its card was answered.
        return self.put(given) if self._is_under_way(given) else given

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
        """Everything that counts for whatever call comes next, whoever makes it."""
        given = (one.grant for one in self.live if one.task is None and self._is_free(one))
        return (*given, *(held.grant for held in self.held))

    def within(self, task: CallId | None) -> tuple[Grant, ...]:
        """What counts beside that for calls of this task."""
        own = (one for one in self.live if one.task is not None and self._is_for(one, task))
        return tuple(one.grant for one in own if self._is_free(one))

    @property
    def bypass(self) -> bool:
        """Whether every call of this chat, or of a task in it, runs without asking."""
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

    @contextmanager
    def task(self, task: CallId, above: CallId | None, ended: Callable[[], None]) -> Iterator[None]:
        """While a sub-agent works on this. With it ends what was allowed until then; `ended` is told where it did."""
        try:
            with self._handed_on.under_way(task, above):
                yield
        finally:
            kept = [one for one in self._given if one.task != task]
            if len(kept) < len(self._given):
                self._given = kept
                ended()

    def take_back(self, grant_id: str) -> Given | Held | None:
        """It counts no more, from the next call on. None where nothing of this id counts."""
        given = next((one for one in self.live if one.grant_id == grant_id), None)
        if given is not None:
            self._given.remove(given)
            self._charged.clear()
            return given
        held = next((one for one in self.held if one.grant_id == grant_id), None)
        if held is not None:
            self.held = [one for one in self.held if one is not held]
            self._withdrawn.add(grant_id)
        return held

    def forget(self) -> bool:
        """Nothing of it counts any more. Says whether there was something."""
        there = bool(self.live or self.held)
        self._given, self.held = [], []
        return there

    def put_back(self, given: Given) -> bool:
        """What was taken back counts again to the end that it had, if that is still to come; says whether it is."""
        ended = given.is_over(self._clock.monotonic()) or not self._is_under_way(given)
        if not ended:
            self._given.append(given)
        return not ended

    # ---- calls on their way

    def counted(self, call: CallId, task: CallId | None = None) -> tuple[Counted, ...]:
        """What counts for this call of this task now, with the uses that are left for it: those without an end first.

        What ended since somebody last asked for `all` is still among them: the call was decided by it.
        """
        own = self._set_aside.get(call, ())
        usable = [one for one in self._given if one in own or (self._is_for(one, task) and self._is_free(one))]
        return tuple(Counted(one.grant_id, one.grant, self._free(one, own)) for one in sorted(usable, key=_eagerness))

    def set_aside_for(self, call: CallId) -> tuple[Grant, ...]:
        """What counts for this call only, because its last uses are set aside for it."""
        return tuple(one.grant for one in self._set_aside.get(call, ()) if one in self.live)

    def set_aside(self, call: CallId, grant_ids: Iterable[str]) -> None:
        """One use of each of these is this call's, until it is charged or released."""
        self._set_aside[call] = self._named(grant_ids)

    def described(self, grant_ids: Iterable[str]) -> Granted | None:
        """What was granted under these ids: all of it, and the end that comes first."""
        named = self._named(grant_ids)
        if not named:
            return None
        ends = [one.until for one in named if one.until is not None]
        until = self._clock.timestamp(min(ends) - self._clock.monotonic()) if ends else None
        return Granted("; ".join(map(_in_words, named)), max(one.at for one in named), until)

    def charged_for(self, call: CallId | None) -> tuple[Grant, ...]:
        """What this call runs for, also where that was the last use: it holds for its steps until its end."""
        return tuple(one.grant for one in self._charged.get(call or CallId(""), ()))

    def release(self, call: CallId) -> bool:
        """What was set aside for this call is free for others. Says whether there was something."""
        self._charged.pop(call, None)
        return bool(self._set_aside.pop(call, ()))

    def charge(self, call: CallId, grant_ids: Iterable[str]) -> None:
        """The call runs for the sake of these: one use of each is used up."""
        self._set_aside.pop(call, None)
        named = self._named(grant_ids)
        if named:
            self._charged[call] = named
        for one in named:
            one.used += 1
            one.last_used_at = self._clock.timestamp()

    def _named(self, grant_ids: Iterable[str]) -> tuple[Given, ...]:
        wanted = frozenset(grant_ids)
        return tuple(one for one in self._given if one.grant_id in wanted)

    def _is_under_way(self, given: Given) -> bool:
        return given.run_id in (None, self._run_id) and self._handed_on.is_under_way(given.task)

    def _is_for(self, given: Given, task: CallId | None) -> bool:
        return self._handed_on.is_within(task, given.task)

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


def _in_words(given: Given) -> str:
    what = words_for(given.grant) or "bypass"
    limits = Limits(None, given.uses, given.run_id is not None).in_words
    return f"{what} ({limits})" if limits else what


def words_for(grant: Grant) -> str:
    """What is allowed, in a few words; nothing for the bypasses."""
    match grant:
        case KeyGrant():
            return ", ".join(without_identities(shown_key(key)) for key in grant.keys)
        case DirectoryGrant(directory, Access.READ):
            return f"reading in {directory}"
        case DirectoryGrant(directory):
            return f"files in {directory}"
        case ToolGrant(tool):
            return f"every {tool} call"
        case RuleGrant(tool, pattern, permits=True):
            return f"{tool}: {without_identities(pattern) if tool == SHELL_TOOL else pattern}"
        case RuleGrant(tool, pattern):
            return f"never {tool}: {pattern}"
    return ""
