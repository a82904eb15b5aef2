"""Where the commands of an agent begin that goes on, with each, from where the one before it has ended."""

import os
import posixpath
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from itertools import count
from typing import Self

from assent.acp.habits import Habits
from assent.acp.leading import folders_after, may_go_back
from assent.acp.words import Outcome
from assent.lazy_dataclasses import dataclass
from assent.model.ids import CallId

MOST_FOLDERS = 4
"""A command that can begin in more is taken as one that can begin anywhere."""
MOST_BESIDE = 20
"""While more run, a command can begin anywhere."""
MOST_TOLD = 50
MOST_LETTERS = 256 * 1024
"""Of one call: an agent that tells it anew with other words, more often or longer, may be anywhere after it."""
_DEEPEST = 20
"""So many commands are not kept to be read all at once."""

Folders = tuple[str, ...]
"""Those of which one is where a command begins. None at all: it can be any."""


class Start:
    """Where a command begins. It is worked out when somebody wants to know it, and looks at the disk then."""

    depth = 0

    @cached_property
    def folders(self) -> Folders:
        """As it is known."""
        return ()


class _At(Start):
    def __init__(self, *folders: str) -> None:
        self.folders = folders


ANYWHERE = _At()


class _There(Start):
    """The same, where these are folders by now: an agent that finds its own gone begins elsewhere."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self.depth = start.depth + 1

    @cached_property
    def folders(self) -> Folders:
        folders = self._start.folders
        return folders if all(map(os.path.isdir, folders)) else ()


class _Either(Start):
    def __init__(self, *starts: Start) -> None:
        self._starts = starts
        self.depth = 1 + max(one.depth for one in starts)

    @classmethod
    def of(cls, first: Start, *others: Start) -> Start:
        return cls(first, *others) if others else first

    @cached_property
    def folders(self) -> Folders:
        return _joined(one.folders for one in self._starts)


@dataclass(slots=True, eq=False)
class _Call:
    """A call with a command that runs, may run, or ran."""

    start: Start
    order: int
    began: int
    habits: Habits
    is_inner: bool = False
    """It is one of a sub-agent, which leads the shell of its agent nowhere."""
    lines: tuple[tuple[str, str | None], ...] = ()
    """All that was told of it: commands, each with its folder where that was told."""
    asked: bool = False
    refused: bool = False
    ended: int | None = None
    _ends: dict[bool, tuple[Folders, bool]] = field(default_factory=dict)

    @property
    def is_too_much(self) -> bool:
        return len(self.lines) > MOST_TOLD or sum(len(one) for one, _ in self.lines) > MOST_LETTERS

    def forget(self) -> None:
        """What was worked out does not hold any more."""
        self._ends = {}

    def ends(self, *, well: bool = False) -> Folders:
        """Where the shell can be after it. `well`: it is known to have run to its end, and to have done well."""
        return self._worked_out(well and len(self.lines) == 1)[0]

    def may_lead(self) -> bool:
        """Whether it can lead the shell away from where the call began."""
        return self._worked_out(False)[1]

    def _worked_out(self, well: bool) -> tuple[Folders, bool]:
        # What is forgotten meanwhile stays forgotten.
        kept = self._ends
        if well not in kept:
            kept[well] = self._followed(well)
        return kept[well]

    def _followed(self, well: bool) -> tuple[Folders, bool]:
        begins = _There(self.start).folders
        if self.is_inner:
            return begins, False
        if self.is_too_much:
            return (), True
        steps = [
            (one, folders_after(line, _within(one, told), self.habits, well=well))
            for line, told in self.lines
            for one in begins or ("",)
        ]
        ends = _joined(after for _, after in steps)
        leads = any(not after or set(after) != {one} for one, after in steps)
        return ends if well else _joined((begins, ends)), leads

    def ran_beside(self, other: Self) -> bool:
        """Whether both can have run at once. What was asked about did not run before."""
        before = other.ended is not None and self.began >= other.ended
        return not (self.refused or before or (self.ended is not None and self.ended <= other.began))


class _After(Start):
    """Where the shell is after a call."""

    def __init__(self, before: Start, call: _Call, others: tuple[_Call, ...], home: str, *, well: bool) -> None:
        self._before, self._call, self._others, self._home, self._well = before, call, others, home, well
        self.depth = 1 + max(before.depth, call.start.depth)

    @cached_property
    def folders(self) -> Folders:
        call = self._call
        if self._well and not any(one.ran_beside(call) and one.may_lead() for one in self._others):
            goes_back = call.may_lead() and may_go_back(call.habits, self._home)
            return _joined([call.ends(well=True), *([(self._home,)] if goes_back else [])])
        return _joined((self._before.folders, call.ends())) if call.may_lead() else self._before.folders


class _Led(Start):
    """Where the shell is once a call is over, however that ends."""

    def __init__(self, call: _Call) -> None:
        self._call = call
        self.depth = 1 + call.start.depth

    @cached_property
    def folders(self) -> Folders:
        return self._call.ends()


class Whereabouts:
    """Of one session. In the beginning its shell is in the folder of the session."""

    def __init__(self, folder: str = "/", habits: Habits | None = None) -> None:
        self._home = _At(folder)
        self._now: Start = self._home
        self._folder = folder
        self._habits = habits or Habits(keeps_its_folder=True)
        self._calls: dict[CallId, _Call] = {}
        """That are not over."""
        self._numbers = count()

    def told(
        self, call_id: CallId, line: str, folder: str | None = None, *, asked: bool = False, is_inner: bool = False
    ) -> None:
        """This call runs, or would run, a command. None is the folder where it is not told."""
        call = self._calls.get(call_id)
        if call is None:
            number = next(self._numbers)
            call = self._calls[call_id] = _Call(ANYWHERE, number, number, self._habits)
            call.start = self._current(call)
        if asked and not call.asked:
            call.asked, call.began = True, next(self._numbers)
            call.start = call.start if call.is_inner else self._current(call)
            call.forget()
        if is_inner and not call.is_inner:
            # It may be one that works in a folder of its own.
            call.is_inner, call.start = True, ANYWHERE
            call.forget()
        if (line, folder) not in call.lines and not call.is_too_much:
            call.lines = (*call.lines, (line, folder))
            call.forget()

    def refused(self, call_id: CallId) -> None:
        """It does not run."""
        if call_id in self._calls:
            self._calls[call_id].refused = True

    def ended(self, call_id: CallId, outcome: Outcome) -> None:
        """It is over."""
        call = self._calls.get(call_id)
        if call is None or call.ended is not None:
            return
        call.ended = next(self._numbers)
        others = tuple(one for one in self._calls.values() if one is not call)
        stays = outcome is Outcome.BADLY and (self._habits.stays_after_a_failure or call.refused)
        if call.is_inner or stays or outcome is Outcome.NOT_RUN:
            pass
        elif outcome is Outcome.SENT_BACK:
            self._now = _Either.of(self._home, *(_Led(one) for one in others if not one.refused))
        else:
            self._now = _After(self._now, call, others, self._folder, well=outcome is Outcome.WELL)
            if outcome is Outcome.UNSURE and self._habits.stays_after_a_failure:
                # It may have found its folder gone, or gone back.
                self._now = _Either.of(self._now, self._home)
        self._forget()
        if self._now.depth > _DEEPEST:
            _ = self._now.folders
            self._now = _At(*self._now.folders)

    def cut_off(self, call_id: CallId) -> None:
        """It is over, and how is not told."""
        call = self._calls.get(call_id)
        self.ended(call_id, Outcome.NOT_RUN if call is not None and call.refused else Outcome.UNSURE)

    def lost(self) -> None:
        """The agent goes elsewhere by other means than a command that is followed."""
        self._calls, self._now = {}, ANYWHERE

    def begins(self, call_id: CallId) -> Start:
        """Where this call begins, by what is known now: also where others that run meanwhile can have led."""
        call = self._calls.get(call_id)
        if call is None:
            return ANYWHERE
        return call.start if call.is_inner else _There(_Either.of(call.start, self._current(call)))

    def read(self, call_id: CallId) -> None:
        """There is time to see where the commands of this call lead. Belongs into a thread."""
        call = self._calls.get(call_id)
        if call is not None:
            call.ends()
            call.ends(well=True)

    def _current(self, call: _Call) -> Start:
        """Where a command begins now. What was told later than this call, and was not asked for yet, runs after it."""
        running = [
            one
            for one in self._calls.values()
            if one is not call and one.ended is None and not (one.refused or one.is_inner)
            if one.asked or one.order < call.order
        ]
        return _Either.of(self._now, *map(_Led, running)) if len(running) <= MOST_BESIDE else ANYWHERE

    def _forget(self) -> None:
        """Those that are over, once nothing is left that ran beside them."""
        open_ones = [one for one in self._calls.values() if one.ended is None]
        self._calls = {
            call_id: one
            for call_id, one in self._calls.items()
            if one.ended is None or any(other.ran_beside(one) for other in open_ones)
        }


def _within(begins: str, told: str | None) -> str:
    """Where a command runs for which this folder was told. Empty is one that nobody knows."""
    if told is None or told.startswith("/"):
        return begins if told is None else told
    return posixpath.join(begins, told) if begins and not told.startswith("~") else ""


def _joined(every: Iterable[Folders]) -> Folders:
    """All of them, in their order; none where one of them can be any, or where they are too many."""
    found: dict[str, None] = {}
    for folders in every:
        if not folders:
            return ()
        found |= dict.fromkeys(folders)
    return tuple(found) if len(found) <= MOST_FOLDERS else ()
