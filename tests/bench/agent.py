"""How long the agent itself takes between a person, the gate and a model's server: over HTTP on loopback."""

import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.exchange import Exchange
from tests.support.model_servers.anthropic import AnthropicWire
from tests.support.model_servers.plays import Play, Turn
from tests.support.model_servers.server import ModelServer, model_server
from tests.support.model_servers.wire import Said, SaidCall, Wire

AGENT = "Loopback"
WARM = 3
ROUNDS = 15

Figures = dict[str, float]


def main() -> None:
    """Prints the figures as JSON, in milliseconds."""
    print(json.dumps(measure()))


def measure() -> Figures:
    """A fresh server, and so many runs of one gated call each."""
    with TemporaryDirectory() as name, model_server(AnthropicWire()) as models:
        folder = Path(name)
        (folder / "workspace").mkdir()
        (folder / "workspace" / "a.txt").write_text("a\n")
        command = [sys.executable, "-m", "assent", "serve", "--stdio", "--log-level", "warning"]
        with Exchange(command, folder / "state", folder / "workspace") as exchange:
            _meet(exchange, folder / "workspace", models)
            cold = (time.perf_counter() - exchange.started) * 1000
            taken = [_one_run(exchange, models) for _ in range(WARM + ROUNDS)][WARM:]
    return {"start -> ready for a first message": cold} | {
        name: statistics.median(one[name] for one in taken) for name in taken[0]
    }


def _meet(exchange: Exchange, workspace: Path, models: ModelServer) -> None:
    agents = {AGENT: {"provider": models.wire.provider, "model": "m", "baseUrl": models.base_url}}
    block = {"protocol": 1, "capabilities": ["cards"], "settings": {"user": {"agents": agents}}}
    params = {
        "processId": None,
        "rootUri": workspace.as_uri(),
        "capabilities": {},
        "initializationOptions": {"assent": block},
    }
    exchange.request("initialize", params)
    exchange.notify("initialized", {})
    exchange.request("session/list", {})


class _Moments:
    """When something happened at the model's server, by its name."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self.go_on = threading.Event()

    def note(self, name: str) -> None:
        self.at[name] = time.perf_counter()

    def first(self) -> Turn:
        """Text, then a call; the stream stays open behind the call, so that nothing else can show it is complete."""

        def play(wire: Wire, streaming: bool) -> Play:
            self.note("asked")
            said = Said("Reading.", (SaidCall("read_file", {"path": "a.txt"}),), piece_length=100)
            return Play(self._paused(wire.stream(said)), content_type=wire.content_type(streaming=streaming))

        return play

    def _paused(self, events: list[bytes]) -> Iterator[bytes | threading.Event]:
        last = max(place for place, one in enumerate(events) if b"content_block_stop" in one)
        for place, one in enumerate(events):
            if b"text_delta" in one:
                self.note("said")
            if place == last:
                self.note("block ended")
            yield one
            if place == last:
                yield self.go_on

    def second(self) -> Turn:
        """The end, when the model has the result."""

        def play(wire: Wire, streaming: bool) -> Play:
            self.note("asked again")
            return Play(wire.stream(Said("Done.")), content_type=wire.content_type(streaming=streaming))

        return play


def _one_run(exchange: Exchange, models: ModelServer) -> Figures:
    moments = _Moments()
    models.add(moments.first(), moments.second())
    chat = str(exchange.request("session/new", {"agent": AGENT, "mode": "ask"})["sessionId"])
    exchange.told.clear()
    at = moments.at
    moments.note("sent")
    run = exchange.start("chat/send", {"sessionId": chat, "text": "read it"})
    exchange.next("agent/event", "Chunk")
    moments.note("read")
    card = exchange.next("tool/approvalRequest")
    moments.note("shown")
    # The model ends its answer while the person reads, as models do.
    moments.go_on.set()
    time.sleep(0.02)
    moments.note("clicked")
    exchange.start("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "accept"})
    exchange.next("agent/event", "ToolResult")
    moments.note("told")
    exchange.result(run)
    pairs = {
        "prompt -> request at the model": ("sent", "asked"),
        "prompt -> first text": ("sent", "read"),
        "a piece of the model's text -> page": ("said", "read"),
        "end of a call's block -> card": ("block ended", "shown"),
        "click -> result": ("clicked", "told"),
        "click -> next request at the model": ("clicked", "asked again"),
    }
    return {name: (at[end] - at[begin]) * 1000 for name, (begin, end) in pairs.items()}


if __name__ == "__main__":
    main()
