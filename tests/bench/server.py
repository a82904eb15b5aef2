"""What is measured, on any server that speaks this part of the protocol: Assent itself, or the floor."""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.exchange import Exchange
from tests.bench.floor import CALLS, DELTAS
from tests.support.server import SCRIPTED, Turn, read, say, write

Json = Any
Figures = dict[str, float]

WARM = 3
SINGLE_CALLS = 15
REQUESTS = 2_000
PIPELINED = 100

GATED_READS = "gated reads"
GATED_WRITES = "gated writes, flushed to disk"


@dataclass(frozen=True)
class Contestant:
    """A server to measure: how it is started, and how it is told what to play."""

    command: list[str]
    scripted: bool


ASSENT = Contestant([sys.executable, "-m", "assent", "serve", "--stdio", "--log-level", "warning"], scripted=True)
FLOOR = Contestant([sys.executable, "-m", "tests.bench.floor"], scripted=False)


def measure(contestant: Contestant) -> Figures:
    """One round: a fresh process and all figures of it, times in milliseconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "workspace").mkdir()
        with Exchange(contestant.command, folder / "state", folder / "workspace") as exchange:
            return _Round(exchange, contestant, folder).figures()


def start_once(contestant: Contestant) -> None:
    """Starts it to its first chat, so that the machine has it in memory and Python has its compiled files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "workspace").mkdir()
        with Exchange(contestant.command, folder / "state", folder / "workspace") as exchange:
            _Round(exchange, contestant, folder).meet()


class _Round:
    def __init__(self, exchange: Exchange, contestant: Contestant, folder: Path) -> None:
        self._exchange = exchange
        self._contestant = contestant
        self._workspace = folder / "workspace"
        self._script = folder / "script.json"
        self._files = 0

    def figures(self) -> Figures:
        found = {"start -> initialize": self.meet()}
        found["start -> first chat"] = (time.perf_counter() - self._exchange.started) * 1000
        kinds = [GATED_READS, GATED_WRITES] if self._contestant.scripted else [GATED_READS]
        for kind in kinds:
            found.update(self._single_calls(kind))
            found[f"{CALLS} calls in sequence ({kind})"] = self._calls("calls in sequence", kind)
            found[f"{CALLS} calls in one message ({kind})"] = self._calls("calls at once", kind)
        found[f"{DELTAS} deltas"] = self._deltas()
        found.update(self._requests())
        found["peak memory, MB"] = self._exchange.peak_memory()
        return found

    def meet(self) -> float:
        """From the start to the answer to `initialize`; a first chat is opened behind it."""
        agents = {SCRIPTED: {"provider": "scripted", "script": str(self._script)}}
        block = {"protocol": 1, "capabilities": ["cards"], "settings": {"user": {"agents": agents}}}
        self._exchange.request(
            "initialize",
            {
                "processId": None,
                "rootUri": self._workspace.as_uri(),
                "capabilities": {},
                "initializationOptions": {"assent": block},
            },
        )
        taken = (time.perf_counter() - self._exchange.started) * 1000
        self._exchange.notify("initialized", {})
        self._new_chat()
        return taken

    def _new_chat(self) -> str:
        return str(self._exchange.request("session/new", {"agent": SCRIPTED, "mode": "ask"})["sessionId"])

    def _turn(self, kind: str, calls: int) -> Turn:
        names = [f"{self._files + number}.txt" for number in range(calls)]
        self._files += calls
        if kind == GATED_WRITES:
            return [write(name, f"content of {name}\n") for name in names]
        for name in names:
            (self._workspace / name).write_text(f"content of {name}\n")
        return [read(name) for name in names]

    def _play(self, *turns: Turn) -> None:
        self._script.write_text(json.dumps({"turns": turns}))

    def _single_calls(self, kind: str) -> Figures:
        taken = [self._one_call(kind) for _ in range(WARM + SINGLE_CALLS)][WARM:]
        return {
            f"prompt -> card ({kind})": statistics.median(card for card, _ in taken),
            f"click -> result ({kind})": statistics.median(result for _, result in taken),
        }

    def _one_call(self, kind: str) -> tuple[float, float]:
        self._play(self._turn(kind, 1))
        chat = self._new_chat()
        sent = time.perf_counter()
        run = self._exchange.start("chat/send", {"sessionId": chat, "text": "one call"})
        card = self._exchange.next("tool/approvalRequest")
        shown = time.perf_counter()
        self._answer(card)
        self._exchange.next("agent/event", "ToolResult")
        ran = time.perf_counter()
        self._exchange.result(run)
        return (shown - sent) * 1000, (ran - shown) * 1000

    def _calls(self, text: str, kind: str) -> float:
        at_once = text == "calls at once"
        self._play(*([self._turn(kind, CALLS)] if at_once else [self._turn(kind, 1) for _ in range(CALLS)]))
        chat = self._new_chat()
        sent = time.perf_counter()
        run = self._exchange.start("chat/send", {"sessionId": chat, "text": text})
        for _ in range(CALLS):
            self._answer(self._exchange.next("tool/approvalRequest"))
        self._exchange.result(run)
        return (time.perf_counter() - sent) * 1000

    def _answer(self, card: Json) -> None:
        self._exchange.start("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "accept"})

    def _deltas(self) -> float:
        text = "".join(f"{number:07} " for number in range(DELTAS))
        self._play([say(text, pieceLength=8)])
        chat = self._new_chat()
        self._exchange.told.clear()
        sent = time.perf_counter()
        run = self._exchange.start("chat/send", {"sessionId": chat, "text": "deltas"})
        self._exchange.result(run)
        taken = (time.perf_counter() - sent) * 1000
        told = [one["params"] for one in self._exchange.told if one["method"] == "agent/event"]
        said = "".join(one["data"]["text"] for one in told if one["event"] == "Chunk")
        if said != text:
            raise RuntimeError("the text did not arrive whole")
        return taken

    def _requests(self) -> Figures:
        single = sorted(_timed(lambda: self._exchange.request("tool/pendingApprovals", {})) for _ in range(REQUESTS))
        begun = time.perf_counter()
        for _ in range(REQUESTS // PIPELINED):
            numbers = [self._exchange.start("tool/pendingApprovals", {}) for _ in range(PIPELINED)]
            for number in numbers:
                self._exchange.result(number)
        pipelined = REQUESTS / (time.perf_counter() - begun)
        return {
            "request p50, us": single[len(single) // 2] * 1e6,
            "request p99, us": single[len(single) * 99 // 100] * 1e6,
            "requests per second, in sequence": REQUESTS / sum(single),
            "requests per second, pipelined": pipelined,
        }


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
