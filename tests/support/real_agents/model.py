"""A model for real agents: it speaks all their formats at one address, and does what the plan in a message says."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.model_servers.anthropic import AnthropicWire
from tests.support.model_servers.gemini import GeminiWire
from tests.support.model_servers.openai_chat import OpenAiChatWire
from tests.support.model_servers.openai_responses import OpenAiResponsesWire
from tests.support.model_servers.plays import Play, as_play, raw, refuse
from tests.support.model_servers.server import Got, Log, served
from tests.support.model_servers.wire import Said, Wire
from tests.support.real_agents.offered import can_do, said_call
from tests.support.real_agents.plan import Asked, Call, next_round
from tests.support.real_agents.requests import READERS, Request

MODEL = "planned"
DONE = "All is done as planned."
"""What the model says at the end."""

_ID = re.compile(rb'"(?:msg_1|chatcmpl-1|resp_1)"')
_WIRES: tuple[Wire, ...] = (AnthropicWire(), OpenAiChatWire(), OpenAiResponsesWire(), GeminiWire())


@dataclass
class PlannedModel:
    """What agents asked it. Agents also ask on their own account: for titles, for summaries, for how many tokens."""

    log: Log = field(default_factory=Log)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopping: threading.Event = field(default_factory=threading.Event)
    address: str = ""
    answered: list[Asked] = field(default_factory=list)
    """What agents said had come of the calls of a plan, once for each question that brought any."""
    faults: list[str] = field(default_factory=list)
    """What could not be answered."""
    _calls: int = 0

    def told(self, call: Call) -> list[str]:
        """What was said last to have come of the calls of the plan with this one in it. A plan of its own tells it
        apart: agents also ask about conversations that are over.
        """
        of_it = [one.results for one in self.answered if any(call in some for some in one.plan or ())]
        return list(of_it[-1]) if of_it else []

    def play(self, got: Got) -> Play:
        """What is done with this request."""
        with self.lock:
            self.log.got.append(got)
            path = got.path.partition("?")[0]
            wire = next((wire for wire in _WIRES if wire.turn_path(path) or wire.turn_path(got.path)), None)
            if got.method == "GET":
                return self._listed(path)
            if path.endswith(("count_tokens", ":countTokens")):
                return as_play(raw(b'{"input_tokens": 10, "totalTokens": 10}'), _WIRES[0], streaming=False)
            if wire is None:
                return as_play(refuse(404, f"there is nothing at {path}"), _WIRES[0], streaming=False)
            try:
                request = READERS[wire.provider](got.path, json.loads(got.body))
                return self._numbered(as_play(self._said(request), wire, streaming=request.streaming))
            except (ValueError, KeyError, TypeError, AttributeError) as fault:
                self.faults.append(f"{type(fault).__name__}: {fault}")
                return as_play(refuse(400, str(fault)), wire, streaming=False)

    def _said(self, request: Request) -> Said:
        calls = next_round(request.asked)
        if request.asked.plan is None or (calls and not can_do(calls[0], request.offered)):
            return Said("Something planned")
        if request.asked.results:
            self.answered.append(request.asked)
        if not calls:
            return Said(DONE)
        made = []
        for call in calls:
            self._calls += 1
            made.append(said_call(call, request.offered, f"call_{self._calls:06}"))
        return Said(calls=tuple(made))

    def _numbered(self, play: Play) -> Play:
        """With an id of its own: there are agents that take two answers with one id for one."""
        own = f'"answer-{len(self.log.got):06}"'.encode()
        pieces = [piece for piece in play.pieces if isinstance(piece, bytes)]
        return replace(play, pieces=[_ID.sub(own, piece) for piece in pieces])

    def _listed(self, path: str) -> Play:
        wire: Wire = GeminiWire() if "v1beta" in path else OpenAiChatWire()
        if not path.endswith("/models"):
            return as_play(raw(json.dumps(_one(path)).encode()), wire, streaming=False)
        return as_play(raw(wire.models([MODEL])), wire, streaming=False)


def _one(path: str) -> dict[str, Any]:
    return {"id": path.rpartition("/")[2] or MODEL, "object": "model", "type": "model", "created": 1}


@contextmanager
def planned_model() -> Iterator[PlannedModel]:
    """A model on a free port of 127.0.0.1."""
    model = PlannedModel()
    with served(model) as address:
        model.address = address
        yield model
