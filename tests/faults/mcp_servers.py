"""MCP servers that hang, flood, end and change: each call has one end, others go on, and nothing of them is left."""

import json
import random
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from tests.faults.kills import settle
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.support.many_waiting import memory
from tests.support.mcp_chaos import PLAIN
from tests.support.mcp_servers import CHAOS, command
from tests.support.scale import limit, wait_until
from tests.support.server import Chat, Json, call, say

TOGETHER = 20
"""In one life of the server, with one call each in one turn: each life begins anew with what it costs by itself."""
MOST_MB = 64.0
"""That all of them together may cost."""
MOST_DELAY = 1.0
"""Seconds for which they may delay others, beyond what as many servers cost that do what they should. One that holds
others up does so for as long as it hangs, which is much longer."""
_PROBES = 6
_BAD = {**PLAIN, "name": "bad"}
_ENDS = ("leave", "long line", "endless line", "flood", "garbage", "mute")
_STAYS = ("hang", "nothing")
KINDS = (*(("calls", deed) for deed in (*_ENDS, *_STAYS)), *(("introduction", deed) for deed in (*_ENDS, "hang")))
CHANGES = ("changes", "changes")


def mcp_servers(folder: Path, size: int, seed: int, tell: Callable[[str], None] = lambda _: None) -> Report:
    """So many servers, some of them at the same time."""
    figures = {"ended": 0.0, "stopped": 0.0, "changed": 0.0, "MB more": 0.0, "usual, ms": 0.0, "slowest other, ms": 0.0}
    report = Report("F14 MCP servers", size, figures=figures)

    def work(report: Report) -> None:
        numbers, began = random.Random(seed), time.monotonic()
        kinds = list(islice(cycle((*KINDS, CHANGES)), size))
        numbers.shuffle(kinds)
        for start in range(0, size, TOGETHER):
            _batch(folder / f"mcp-{start}", kinds[start : start + TOGETHER], report)
            done = min(start + TOGETHER, size)
            tell(f"{done} of {size}, {len(report.violations)} violations, after {time.monotonic() - began:.0f} s")

    return timed(work, report)


def _batch(folder: Path, kinds: list[tuple[str, str]], report: Report) -> None:
    place = Place(folder)
    servers = {f"s{at}": _server(folder, at, *kind) for at, kind in enumerate(kinds)}
    well = {f"w{at}": _well_behaved(folder) for at in range(len(kinds))}
    place.settings = {"mcpServers": {**servers, **well}, "limits": {"parallelCalls": 32}}
    life = place.life()
    life.script(
        [say("nothing")],
        agent=life.agent,
        conversations={
            "bad": [[call("run_node", node_type=f"mcp.{name}.bad", inputs={}) for name in servers], [say("done")]],
            "well": [[call("run_node", node_type=f"mcp.{name}.bad", inputs={}) for name in well], [say("done")]],
            "good": [[call("run_node", node_type="builtin.text.count", inputs={"text": "a"})], [say("done")]],
        },
    )
    usual = _beside_well_behaved(life)
    before = memory(life, "VmRSS")
    chat = life.chat(agent=life.agent, mode="auto")
    going = chat.send("bad")
    slowest = max(_probe(life) for _ in range(_PROBES))
    ending = [at for at, (_, deed) in enumerate(kinds) if deed not in _STAYS]
    wait_until(lambda: len(chat.results()) >= len(ending), within=60, what="the ends of those that end")
    slowest = max(slowest, *(_probe(life) for _ in range(_PROBES)))
    grown = memory(life, "VmHWM") - before
    chat.stop()
    going.result(30)
    report.violations += [f"{kind}: {said}" for kind, said in _wrong(chat, kinds)]
    report.figures["ended"] += len(ending)
    report.figures["stopped"] += len(kinds) - len(ending)
    report.figures["changed"] += kinds.count(CHANGES)
    _weigh(report, usual, slowest, grown)
    settle(life)
    life.end()
    report.violations += place.violations()


def _beside_well_behaved(life: Life) -> float:
    """How long others take at most while as many servers start that do what they should: what starting costs."""
    chat = life.chat(agent=life.agent, mode="auto")
    going = chat.send("well")
    slowest = max(_probe(life) for _ in range(_PROBES))
    assert going.result(60)["done_reason"] == "stop"
    assert all(result["success"] for result in chat.results()), chat.results()
    return slowest


def _well_behaved(folder: Path) -> Json:
    file = folder / "plan-well.json"
    file.write_text(json.dumps({"tools": [[_BAD]]}))
    return command(CHAOS, str(file))


def _server(folder: Path, at: int, stage: str, deed: str) -> Json:
    plan: dict[str, Any] = {"tools": [[_BAD]]}
    if (stage, deed) == CHANGES:
        plan["tools"] = [[_BAD], [{**_BAD, "description": "Something else."}]]
    elif stage == "calls":
        plan["calls"] = {"bad": deed}
    else:
        plan["introduction"] = deed
    file = folder / f"plan-{at}.json"
    file.write_text(json.dumps(plan))
    return command(CHAOS, str(file))


def _probe(life: Life) -> float:
    """How long another chat takes for a call of its own."""
    chat = life.chat(agent=life.agent, mode="auto")
    began = time.monotonic()
    assert chat.run("good", within=30)["done_reason"] == "stop"
    took = time.monotonic() - began
    life.client.request("session/close", {"sessionId": chat.id})
    return took


def _wrong(chat: Chat, kinds: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What each call came to, where that is not what its server deserves."""
    results = {result["toolCallId"]: result for result in chat.results()}
    calls = [event["data"] for event in chat.events("ToolCall")]
    found: list[tuple[str, str]] = []
    if len(results) != len(chat.results()) or len(results) != len(kinds):
        found.append(("all", f"{len(chat.results())} results for {len(kinds)} calls"))
    for (stage, deed), one in zip(kinds, calls, strict=False):
        result = results.get(one["toolCallId"])
        if result is None or not result["is_error"]:
            found.append((f"{stage} {deed}", f"came to {result and result['output'][:200]}"))
    return found


def _weigh(report: Report, usual: float, slowest: float, grown: float) -> None:
    figures = report.figures
    figures["usual, ms"] = max(figures["usual, ms"], 1_000 * usual)
    figures["slowest other, ms"] = max(figures["slowest other, ms"], 1_000 * slowest)
    figures["MB more"] = max(figures["MB more"], grown)
    if slowest - usual > limit(MOST_DELAY) + usual:
        report.violations.append(f"others took {1_000 * slowest:.0f} ms instead of {1_000 * usual:.0f}")
    if grown > MOST_MB:
        report.violations.append(f"they cost {grown:.0f} MB")
