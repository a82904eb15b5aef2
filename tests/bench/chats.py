"""`python -m tests.bench chats [--chats N] [--seconds S] [--rate R]`: many chats are told text at the same time.

Each chat has a model of its own on loopback that says so many words a second. Measured are how late the server's loop
comes to its work, how many messages a second the page is sent for a chat, whether all text came whole and in order, and
how long a person waits meanwhile who answers cards of a chat beside them.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from tests.bench.exchange import Exchange
from tests.support.model_servers.openai_chat import OpenAiChatWire, choice, chunk
from tests.support.model_servers.openai_rules import event
from tests.support.model_servers.plays import Play, Turn
from tests.support.model_servers.server import model_server
from tests.support.model_servers.wire import Wire
from tests.support.processes import ROOT
from tests.support.server import SCRIPTED, read

LAG = "loop lag p99, ms"
MESSAGES = "messages a second to the page, for a chat"
BARS = {LAG: 50.0, MESSAGES: 35.0}
PROBE_EVERY = 0.005
TOGETHER = 10
"""Words that a model sends in one piece of its answer, as networks join them."""
AGENT = "Loopback"
CLICKS = 2_000

Figures = dict[str, float]


def main(arguments: list[str]) -> int:
    """Prints the figures; 1 where the loop came later than the bar allows."""
    options = _options(arguments)
    if options.serve is not None:
        _serve(Path(options.serve))
        return 0
    if options.models:
        _play_models(options.chats, options.seconds, options.rate)
        return 0
    found = measure(options.chats, options.seconds, options.rate)
    print(f"{f'{options.chats} chats are told {options.rate:,} words a second each':56}{'found':>12}{'bar':>12}")
    for name, figure in found.items():
        bar = BARS.get(name)
        print(f"{name:56}{figure:12.1f}{'' if bar is None else f'{bar:12.0f}'}")
    return int(found[LAG] > BARS[LAG])


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench chats", description=__doc__)
    parser.add_argument("--chats", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rate", type=int, default=1_000, help="words a second, for each chat")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--models", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def measure(chats: int, seconds: float, rate: int) -> Figures:
    """One server, its models in a process of their own, and the page."""
    with TemporaryDirectory() as name, _Models(chats, seconds, rate) as models:
        folder = Path(name)
        (folder / "workspace").mkdir()
        lags = folder / "lags.json"
        command = [sys.executable, "-m", "tests.bench", "chats", "--serve", str(lags)]
        with Exchange(command, folder / "state", folder / "workspace") as exchange:
            page = _Page(exchange, folder, models.base_url)
            page.meet()
            found = page.watch(chats, [_text(number, seconds, rate) for number in range(chats)])
            exchange.hang_up(30)
        return _of_the_loop(json.loads(lags.read_text())) | found


def _text(number: int, seconds: float, rate: int) -> str:
    """What a model says: every word says whose it is and where it stands."""
    return "".join(f"{number:02}:{place:06} " for place in range(int(seconds * rate)))


class _Page:
    """Takes everything that is told, and answers one card after the other beside it."""

    def __init__(self, exchange: Exchange, folder: Path, base_url: str) -> None:
        self._exchange = exchange
        self._workspace = folder / "workspace"
        self._script = folder / "script.json"
        self._base_url = base_url
        self._text: dict[str, list[str]] = defaultdict(list)
        self._told: dict[str, list[float]] = defaultdict(list)
        self._clicked = 0.0
        self._waits: list[float] = []

    def meet(self) -> None:
        """The handshake."""
        agents = {
            AGENT: {"provider": OpenAiChatWire.provider, "model": "m", "baseUrl": f"{self._base_url}/v1"},
            SCRIPTED: {"provider": "scripted", "script": str(self._script)},
        }
        (self._workspace / "a.txt").write_text("a\n")
        self._script.write_text(json.dumps({"turns": [[read("a.txt")]], "repeat": True}))
        user = {"agents": agents, "limits": dict.fromkeys(("iterations", "toolCalls", "modelCalls"), CLICKS)}
        block = {"protocol": 1, "capabilities": ["cards"], "settings": {"user": user}}
        root = self._workspace.as_uri()
        params = {"processId": None, "rootUri": root, "capabilities": {}, "initializationOptions": {"assent": block}}
        self._exchange.request("initialize", params)
        self._exchange.notify("initialized", {})

    def watch(self, chats: int, expected: list[str]) -> Figures:
        """Everything from the first message to the last word."""
        streams = [self._new(AGENT) for _ in range(chats)]
        clicking = self._new(SCRIPTED)
        worked = self._exchange.processor_seconds()
        runs = [self._send(chat) for chat in streams]
        self._send(clicking)
        while not all(map(self._exchange.answered, runs)):
            self._take(self._exchange.read())
        worked = self._exchange.processor_seconds() - worked
        said = sorted("".join(self._text[chat]) for chat in streams)
        if said != sorted(expected):
            raise RuntimeError("the text did not arrive whole and in order")
        spans = [(len(self._told[chat]), self._told[chat][-1] - self._told[chat][0]) for chat in streams]
        return {
            MESSAGES: max(count / span for count, span in spans),
            "seconds until the last word": max(span for _, span in spans),
            "processor time for all of it, ms": worked * 1000,
            "clicks meanwhile": len(self._waits),
            "click -> result meanwhile p50, ms": _at(self._waits, 0.5),
            "click -> result meanwhile p99, ms": _at(self._waits, 0.99),
        }

    def _new(self, agent: str) -> str:
        return str(self._exchange.request("session/new", {"agent": agent, "mode": "ask"})["sessionId"])

    def _send(self, chat: str) -> int:
        return self._exchange.start("chat/send", {"sessionId": chat, "text": "go"})

    def _take(self, message: Any) -> None:
        now = time.perf_counter()
        method, params = message.get("method"), message.get("params")
        if method == "tool/approvalRequest":
            self._clicked = now
            answer = {"approvalId": params["approvalId"], "decision": "accept"}
            self._exchange.start("tool/approvalResponse", answer)
        elif method == "agent/event" and params["event"] == "Chunk":
            self._text[params["sessionId"]].append(params["data"]["text"])
            self._told[params["sessionId"]].append(now)
        elif method == "agent/event" and params["event"] == "ToolResult":
            self._waits.append((now - self._clicked) * 1000)


def _of_the_loop(lags: list[float]) -> Figures:
    return {"loop lag p50, ms": _at(lags, 0.5), LAG: _at(lags, 0.99), "loop lag at most, ms": max(lags)}


def _at(figures: list[float], share: float) -> float:
    ordered = sorted(figures)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def _serve(file: Path) -> None:
    """The server as it is, and a task in it that notes how late it wakes."""
    from assent.cli.main import main as serve
    from assent.lsp.stdio import StdioConnection

    plain = StdioConnection.serve
    lags: list[float] = []

    async def probed(self: Any) -> None:
        probe = asyncio.ensure_future(_probe(lags))
        try:
            await plain(self)
        finally:
            probe.cancel()
            note()

    def note() -> None:
        file.write_text(json.dumps(lags))

    StdioConnection.serve = probed  # type: ignore[method-assign]
    serve(["serve", "--stdio", "--log-level", "warning"])


async def _probe(lags: list[float]) -> None:
    while True:
        before = time.perf_counter()
        await asyncio.sleep(PROBE_EVERY)
        lags.append((time.perf_counter() - before - PROBE_EVERY) * 1000)


class _Models:
    """The models' process: what they do must not take from what the server and the page do."""

    def __init__(self, chats: int, seconds: float, rate: int) -> None:
        words = ["--models", "--chats", str(chats), "--seconds", str(seconds), "--rate", str(rate)]
        command = [sys.executable, "-m", "tests.bench", "chats", *words]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def _play_models(chats: int, seconds: float, rate: int) -> None:
    """Serves until the standard input ends."""
    turns = [_talking(_text(number, seconds, rate), rate) for number in range(chats)]
    with model_server(OpenAiChatWire(), *turns) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


def _talking(text: str, rate: int) -> Turn:
    events = [event(chunk([choice({"content": f"{word} "})])) for word in text.split()]
    pieces = [b"".join(events[at : at + TOGETHER]) for at in range(0, len(events), TOGETHER)]
    pieces.append(event(chunk([choice({}, "stop")])) + b"data: [DONE]\n\n")

    def play(wire: Wire, streaming: bool) -> Play:
        return Play(_paced(pieces, TOGETHER / rate), content_type=wire.content_type(streaming=streaming))

    return play


def _paced(pieces: list[bytes], every: float) -> Iterator[bytes]:
    begun = time.monotonic()
    for number, piece in enumerate(pieces):
        ahead = begun + number * every - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        yield piece
