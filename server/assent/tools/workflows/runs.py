"""Workflows that stopped before their end: what their steps gave is kept, so that they can go on from there."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from assent.model.ids import SessionId
from assent.model.json import JsonObject
from assent.runtime.ids import new_id

MOST = 50
MOST_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Stopped:
    """A run of a workflow that did not come to its end."""

    digest: str
    """Of the workflow as it was: a changed one begins anew."""
    parameters: JsonObject
    results: Mapping[str, str]
    """What its steps gave, by their ids."""


class WorkflowRuns:
    """Those of all chats, in memory: after a restart a workflow begins anew."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[SessionId, str], Stopped] = OrderedDict()

    def keep(self, chat: SessionId, stopped: Stopped) -> str | None:
        """The id under which it can go on; None where its results are too much to be kept."""
        if _size(stopped) > MOST_BYTES:
            return None
        run = new_id()
        self._kept[chat, run] = stopped
        while len(self._kept) > MOST or sum(map(_size, self._kept.values())) > MOST_BYTES:
            self._kept.popitem(last=False)
        return run

    def find(self, chat: SessionId, run: str) -> Stopped | None:
        """The one of this id; only in the chat in which it stopped."""
        return self._kept.get((chat, run))


def _size(stopped: Stopped) -> int:
    return sum(map(len, stopped.results.values()))
