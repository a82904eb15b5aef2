"""A turn whose cards are all answered with yes, again where an answer did not count for a fault that passes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.faults.place import Life
from tests.support.rpc import Pending, RpcError
from tests.support.scale import limit
from tests.support.server import Chat, Step

Json = Any
NOT_RECORDED = -31006
MOST_TRIES = 20


@dataclass(slots=True)
class Played:
    """What became of a turn."""

    chat: Chat
    run: Pending
    refused: list[RpcError] = field(default_factory=list)
    """Answers that did not count."""

    @property
    def unclear(self) -> list[str]:
        """Refusals that do not say what a person has to know: what, why, what to do."""
        return [
            f"the answer was refused with {fault}"
            for fault in self.refused
            if fault.code != NOT_RECORDED or "Nothing ran." not in fault.message or len(fault.message) < 60
        ]


def begin(life: Life, calls: Sequence[Step], **chat: Json) -> Played:
    """Lets the agent make these calls in one turn."""
    life.plays(list(calls))
    opened = life.chat(agent=life.agent, **chat)
    return Played(opened, opened.send())


def play(life: Life, calls: Sequence[Step], *, within: float = 30, **chat: Json) -> Played:
    """The turn from its beginning to its end."""
    played = begin(life, calls, **chat)
    answer_all(played, lambda: played.run.done, within=within)
    return played


def answer_all(played: Played, over: Callable[[], bool], *, within: float = 30) -> None:
    """Says yes to every card that waits, until it is over."""
    tries: dict[str, int] = {}
    accepted: set[str] = set()
    end = time.monotonic() + limit(within)
    while not over():
        if time.monotonic() > end:
            raise AssertionError(f"the turn did not end; refused were {played.refused}")
        for card in played.chat.cards():
            approval_id = card["approvalId"]
            if approval_id in accepted or tries.get(approval_id, 0) >= MOST_TRIES:
                continue
            tries[approval_id] = tries.get(approval_id, 0) + 1
            try:
                played.chat.answer(card, decision="accept", argsDigest=card["argsDigest"])
                accepted.add(approval_id)
            except RpcError as fault:
                played.refused.append(fault)
        time.sleep(0.005)
