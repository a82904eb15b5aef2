"""`python -m tests.bench waiting [--calls N]`: ten thousand calls wait at once; none is lost, and what it costs."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.many_waiting import many_waiting
from tests.support.server import Server


def main(arguments: list[str]) -> int:
    """Prints the figures; 1 where memory grows beyond the bar."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench waiting", description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as folder, Server(Path(folder), cold="as users have it") as server:
        server.meet()
        told = many_waiting(server, options.calls, say=lambda text: print(text, file=sys.stderr, flush=True))
    print(f"{told.calls:,} calls waited, each was answered once and had its own result: {dict(told.answers)}")
    print(f"until all waited {told.asking_seconds:.1f} s, until all were answered {told.answering_seconds:.1f} s more")
    print(
        f"memory grew by {told.grown_mb:.0f} MB while all waited (bar: {told.bar_mb:.0f}), {told.peak_mb:.0f} at most"
    )
    return 1 if told.grown_mb > told.bar_mb else 0
