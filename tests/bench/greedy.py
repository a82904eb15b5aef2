"""How soon the server answers while commands take all that they can get: each alone, then all at once."""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.server import Json, Server, Step, call, say

_LIMITS = {"maxProcesses": 64, "maxMemoryMb": 300}
_OUTPUT = 1_000_000_000
_BETWEEN = 0.01
"""Seconds from an answer to the next question."""
_KINDS = {
    "nothing, for as long": call("bash", command="sleep 1000", timeout=3),
    "prints as fast as it can, in the background": call("bash", command="exec yes", background=True),
    "multiplies without end": call("bash", command="f() { f | f & }; f; sleep 20", timeout=20),
    "takes a gigabyte of memory": call("bash", command="exec python3 -c 'bytearray(10 ** 9)'", timeout=20),
    "prints a gigabyte": call("bash", command=f"head -c {_OUTPUT} /dev/zero | tr '\\0' x | fold -w 100", timeout=60),
}


def main(words: Sequence[str]) -> int:
    argparse.ArgumentParser(prog="python -m tests.bench greedy", description=__doc__).parse_args(words)
    print(f"{'an answer to session/list while a command ..., ms':56}{'p50':>8}{'p99':>8}{'most':>8}  {'it'}")
    for name, step in _KINDS.items():
        _print(name, [step])
    _print("all of these at once", list(_KINDS.values()))
    return 0


def _print(name: str, steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as root, Server(Path(root), cold="as users have it") as server:
        server.meet(user={"shell": _LIMITS})
        server.script([*steps, say("done")])
        chat = server.chat(mode="auto")
        pending = chat.send()
        taken: list[float] = []
        least = time.monotonic() + 3
        while not pending.done or time.monotonic() < least:
            began = time.perf_counter()
            server.client.request("session/list", {}, within=60)
            taken.append((time.perf_counter() - began) * 1_000)
            time.sleep(_BETWEEN)
        taken.sort()
        middle, late = taken[len(taken) // 2], taken[int(len(taken) * 0.99)]
        how = "; ".join(_how(result) for result in chat.results()) if len(steps) == 1 else ""
        print(f"{name:>56}{middle:8.1f}{late:8.1f}{taken[-1]:8.1f}  {how}")


def _how(result: Json) -> str:
    first = str(result["output"]).partition("\n")[0]
    return first if len(first) < 60 else f"{first[:57]}..."
