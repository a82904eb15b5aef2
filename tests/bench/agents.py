"""`python -m tests.bench agents [NAME ...]`: what the gate adds to the time that a public agent takes by itself.

Between the agent and the server stands a program that notes when each line passes. `card`: from the agent's question to
the card at the client; `click`: from the client's answer to the answer at the agent. The agent's own time is that from
the prompt to its question, and from the answer to the end of its turn, with a model that takes none.

Each time is followed by the floor: what the same way takes through a program that only passes on (`relay`). What is
above it is the gate's own.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devtools import agents
from tests.bench.exchange import Exchange
from tests.bench.server import ASSENT
from tests.support import stdio_tap
from tests.support.real_agents.agents import ALL, RealAgent
from tests.support.real_agents.further import INSTALLED
from tests.support.real_agents.model import planned_model
from tests.support.real_agents.plan import message, run

WARM = 3
MOST = 5.0
"""Milliseconds that the gate may add to each way, in the middle."""
RELAY = [sys.executable, "-m", "tests.bench.relay"]


@dataclass(frozen=True, slots=True)
class Click:
    """What the client saw of one question, in seconds of the monotonic clock."""

    card: float
    click: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line between the agent and the server."""

    at: float
    said: bool
    """By the agent."""
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Way:
    """One call through the gate, in milliseconds."""

    card: float
    click: float
    own: float
    """Of the agent, before its question and after the answer."""


def main(arguments: list[str]) -> int:
    """Prints a table; fails where one of the two ways takes too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench agents", description=__doc__)
    led = (*ALL, *INSTALLED)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(agent.name for agent in led))
    parser.add_argument("--calls", type=int, default=30, help="how many calls of each are measured")
    options = parser.parse_args(arguments)
    agents.SUITE.ensure()
    print(
        f"{'public agents, ms':18}{'card':>6}{'p95':>7}{'floor':>7}{'added':>7}"
        f"{'click':>9}{'p95':>7}{'floor':>7}{'added':>7}{'its own':>10}{'share':>8}"
    )
    medians = [_row(agent, options.calls) for agent in led if agent.name in (options.names or [agent.name])]
    return 0 if max(figure for each in medians for figure in each) <= MOST else 1


def _row(agent: RealAgent, calls: int) -> tuple[float, float]:
    """What the gate adds to the two ways, in the middle. The floor is taken before and after: machines change."""
    floor = measure(agent, calls, RELAY)
    ways = measure(agent, calls, ASSENT.command)
    floor += measure(agent, calls, RELAY)
    own = statistics.median(way.own for way in ways)
    card, click = ([getattr(way, name) for way in ways] for name in ("card", "click"))
    card_floor, click_floor = (statistics.median(getattr(way, name) for way in floor) for name in ("card", "click"))
    added = statistics.median(card) - card_floor, statistics.median(click) - click_floor
    shown = f"{_shown(card, card_floor, added[0])}  {_shown(click, click_floor, added[1])}"
    print(f"{agent.name:18}{shown}{own:10.1f}{sum(added) / own:8.1%}", flush=True)
    return added


def _shown(figures: list[float], floor: float, added: float) -> str:
    late = sorted(figures)[int(len(figures) * 0.95)]
    return f"{statistics.median(figures):6.1f}{late:7.1f}{floor:7.1f}{added:7.1f}"


def measure(agent: RealAgent, calls: int, server: list[str]) -> list[Way]:
    """So many calls through this server, one after the other, each in a turn of its own."""
    with tempfile.TemporaryDirectory() as name, planned_model() as model:
        folder, log = Path(name), Path(name) / "tap.jsonl"
        (folder / "workspace").mkdir()
        defined = agent.definition(folder / "home", model.address)
        defined["args"] = [stdio_tap.__file__, str(log), defined["command"], *defined["args"]]
        defined["command"] = sys.executable
        with Exchange(server, folder / "state", folder / "workspace") as exchange:
            clicks = list(_clicks(exchange, agent.name, defined, folder / "workspace", WARM + calls))
            exchange.hang_up(60)
        return list(_ways(clicks, [_line(text) for text in log.read_text(encoding="utf-8").splitlines()]))[WARM:]


def _clicks(exchange: Exchange, name: str, defined: dict[str, Any], workspace: Path, calls: int) -> Iterator[Click]:
    block = {"protocol": 1, "capabilities": ["cards"], "settings": {"user": {"agents": {name: defined}}}}
    exchange.request(
        "initialize",
        {
            "processId": None,
            "rootUri": workspace.as_uri(),
            "capabilities": {},
            "initializationOptions": {"assent": block},
        },
    )
    exchange.notify("initialized", {})
    chat = exchange.request("session/new", {"agent": name})["sessionId"]
    for number in range(calls):
        (workspace / f"box-{number}").mkdir()
        turn = exchange.start("chat/send", {"sessionId": chat, "text": message([run(f"rm -r box-{number}")])})
        card = exchange.next("tool/approvalRequest")
        shown = time.monotonic()
        clicked = time.monotonic()
        exchange.start("tool/approvalResponse", {"approvalId": card["approvalId"], "decision": "accept"})
        exchange.result(turn)
        if (workspace / f"box-{number}").exists():
            raise RuntimeError(f"{name} did not run what it was allowed")
        yield Click(shown, clicked)


def _line(text: str) -> Line:
    at, way, line = json.loads(text)
    return Line(at, way == "out", json.loads(line))


def _ways(clicks: list[Click], lines: list[Line]) -> Iterator[Way]:
    """Each click with the question that it answers: they come in the same order."""
    lines.sort(key=lambda line: line.at)
    prompts = [line for line in lines if line.message.get("method") == "session/prompt"]
    asks = [line for line in lines if line.message.get("method") == "session/request_permission"]
    for prompt, ask, click in zip(prompts, asks, clicks, strict=True):
        answer = _answer(lines, ask)
        end = _answer(lines, prompt)
        own = (ask.at - prompt.at) + (end.at - answer.at)
        yield Way((click.card - ask.at) * 1e3, (answer.at - click.click) * 1e3, own * 1e3)


def _answer(lines: list[Line], asked: Line) -> Line:
    """What was answered to it, in the other direction."""
    number = asked.message["id"]
    return next(
        line
        for line in lines
        if line.at >= asked.at
        and line.said is not asked.said
        and "method" not in line.message
        and line.message.get("id") == number
    )
