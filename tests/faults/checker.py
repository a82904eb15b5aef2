"""The history checker: journal, effects and client logs are three witnesses of the same run, and must agree.

I1  no effect without a recorded allow of the same call in the same form, by a click or by what may allow it
I2  one effect at most for each call and each approval
I3  every decision that the client was told is in the journal
I4  after a restart nothing waits without a card, and nothing that was started starts again
I5  nothing that a server started outlives it
I6  the chain holds, and the head names nothing that is not there
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.faults.client import Said
from tests.faults.told import Told, told_in
from tests.faults.written import Line, broken_links

Fields = dict[str, Any]
CallKey = tuple[str, str]


def nothing_is_free(_: str) -> bool:
    """No effect may happen without a click."""
    return False


@dataclass(slots=True)
class Evidence:
    """All that is known of one case, after its end."""

    lines: list[Line]
    head: tuple[int, str] | None
    effects: Counter[str]
    """How often each mark was left by a call that ran."""
    lives: list[list[Said]]
    """The client's log, one for each server process."""
    free: Callable[[str], bool] = nothing_is_free
    """Whether the effect with this mark needs no click, because settings allow it."""
    shown_otherwise: list[str] = field(default_factory=list)
    """What Assent's own export and check say otherwise than the file."""
    survivors: list[str] = field(default_factory=list)
    """Processes that were there after the end of the server that had started them."""
    recovered: bool = False
    """A server has started after the last crash and has had its time: whatever was cut off has its ending."""
    every_write_worked: bool = True
    """No fault was injected that can keep an entry from being written which nobody waits for."""


def violations(evidence: Evidence) -> list[str]:
    """What contradicts the invariants, each with the number of the one that it breaks; empty if all hold."""
    return list(_Check(evidence).all())


class _Check:
    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._told: Told = told_in(evidence.lives)
        self._calls: dict[CallKey, list[Fields]] = defaultdict(list)
        for line in evidence.lines:
            fields = line.fields
            self._calls[fields["session_id"], fields["call_id"]].append(fields)

    def all(self) -> Iterator[str]:
        yield from self._effects_were_allowed()
        yield from self._effects_happened_once()
        yield from self._what_was_told_is_written()
        yield from self._nothing_is_left_open()
        for survivor in self._evidence.survivors:
            yield f"I5: {survivor} outlived its server"
        for fault in broken_links(self._evidence.lines, self._evidence.head):
            yield f"I6: {fault}"
        for fault in self._evidence.shown_otherwise:
            yield f"I6: {fault}"

    # I1

    def _effects_were_allowed(self) -> Iterator[str]:
        for mark in sorted(self._evidence.effects):
            entries = self._entries_of(mark)
            if entries is None:
                yield f"I1: the effect {mark} is of no call that the journal has as started"
            else:
                yield from (f"I1: the effect {mark} {fault}" for fault in self._why_not(mark, entries))

    def _entries_of(self, mark: str) -> list[Fields] | None:
        for entries in self._calls.values():
            if any(one["stage"] == "started" and mark in one["args"] for one in entries):
                return entries
        return None

    def _why_not(self, mark: str, entries: list[Fields]) -> Iterator[str]:
        start = next(at for at, one in enumerate(entries) if one["stage"] == "started")
        digest = entries[start]["digest"]
        decisions = [one for one in entries[:start] if one["stage"] == "decided"]
        if not decisions or decisions[-1]["ending"] != "allowed":
            yield "was not allowed by the last decision before its start"
            return
        last = decisions[-1]
        if last["digest"] != digest:
            yield "was allowed in another form than the one in which it started"
        if mark not in last["args"]:
            yield "was allowed with other arguments"
        if last["by"] == "user":
            if not self._told.allowed_by_click(last["approval_id"], last["digest"]):
                yield "counts as allowed by a click, and nobody clicked so"
        elif not self._evidence.free(mark) and not self._told.allowed_for_chat(last["session_id"], last["tool"]):
            yield f"was allowed by {last['by']}, and nothing allows it without a click"

    # I2

    def _effects_happened_once(self) -> Iterator[str]:
        for mark, count in sorted(self._evidence.effects.items()):
            if count > 1:
                yield f"I2: the effect {mark} happened {count} times"
        for key, entries in self._calls.items():
            starts = sum(one["stage"] == "started" for one in entries)
            if starts > 1:
                yield f"I2: the call {key[1]} was started {starts} times"

    # I3

    def _what_was_told_is_written(self) -> Iterator[str]:
        decided = {(one.get("approval_id"), one.get("ending")) for one in self._all("decided")}
        for approval_id, decision in self._told.accepted.items():
            ending = "rejected" if decision.startswith("reject") else "allowed"
            if (approval_id, ending) not in decided:
                yield f"I3: the answer {decision} to {approval_id} was accepted and is not written down as {ending}"
        for approval_id, ends in self._told.resolved.items():
            yield from self._resolutions(approval_id, ends, decided)
        asked = {one.get("approval_id") for one in self._all("requested")}
        for approval_id in self._told.cards if self._evidence.every_write_worked else ():
            if approval_id not in asked:
                yield f"I3: the card {approval_id} was told, and it is not written down that it was asked for"
        for call_id in self._told.told_twice:
            yield f"I3: two results of the call {call_id} were told"
        started = {(one["session_id"], one["call_id"]) for one in self._all("started")}
        for key in sorted(self._told.running - started):
            yield f"I3: the client was told that {key[1]} runs, and its start is not written down"
        if self._evidence.every_write_worked:
            yield from self._results(started)

    def _resolutions(self, approval_id: str, ends: list[Fields], decided: set[tuple[Any, Any]]) -> Iterator[str]:
        if len(ends) > 1 and len({end["status"] for end in ends}) > 1:
            yield f"I3: {approval_id} was told to have ended as {' and as '.join(end['status'] for end in ends)}"
        for end in ends:
            by_the_user = end["resolvedBy"] == "user" or end["status"] == "allowed"
            if by_the_user and (approval_id, end["status"]) not in decided:
                yield f"I3: {approval_id} was told to be {end['status']}, and that is not written down"

    def _results(self, started: set[CallKey]) -> Iterator[str]:
        finished = {(one["session_id"], one["call_id"]) for one in self._all("finished")}
        for key in sorted((self._told.results & started) - finished):
            yield f"I3: the result of {key[1]} was told, and its end is not written down"

    # I4

    def _nothing_is_left_open(self) -> Iterator[str]:
        for approval_id in self._told.uncarded:
            yield f"I4: {approval_id} waits, and its card was not told"
        if not self._evidence.recovered:
            return
        for key, entries in self._calls.items():
            stages = {one["stage"] for one in entries}
            if "started" in stages and "finished" not in stages:
                yield f"I4: the call {key[1]} was started, and what became of it is not written down"
        for approval_id in self._told.cards:
            ended = any(one.get("approval_id") == approval_id for one in self._all("decided"))
            requested = any(one.get("approval_id") == approval_id for one in self._all("requested"))
            if requested and not ended:
                yield f"I4: {approval_id} was asked for, and its end is not written down"

    def _all(self, stage: str) -> list[Fields]:
        return [one for entries in self._calls.values() for one in entries if one["stage"] == stage]
