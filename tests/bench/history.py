"""`python -m tests.bench history [--entries N]`: how long looking into a long history takes, and writing to it.

Prints figures; what is fast enough is for the reader to say.
"""

import argparse
import asyncio
import json
import random
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from assent.model.approval import OptionKind, ResolvedBy
from assent.model.records import Ending, Entry, Stage
from assent.model.verdict import Reason
from assent.store import export, metrics, query
from assent.store.entry_text import body_of
from assent.store.history import append_text, end_of
from assent.store.reading import reading
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import a_subject, decided

ENTRIES = 1_000_000
_TOGETHER = 20_000
_TOOLS = ("bash", "write_file", "read_file", "list_files")


def main(arguments: Sequence[str]) -> int:
    """Builds the history and measures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench history", description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="assent-history-") as name:
        folder = Path(name)
        _build(folder, options.entries)
        _look(folder, options.entries)
        asyncio.run(_write(folder))
        _check(folder)
    return 0


def _build(folder: Path, many: int) -> None:
    began = time.monotonic()
    bodies = _bodies(many)

    async def build() -> None:
        store = Store(folder)
        for _ in range(0, many, _TOGETHER):
            await store.ask(lambda connection: _append(connection, bodies))
        await store.end()

    asyncio.run(build())
    size = (folder / "assent.sqlite3").stat().st_size
    print(f"{many:,} entries, {size / 1e6:,.0f} MB, written in {time.monotonic() - began:.0f} s", flush=True)


def _append(connection: sqlite3.Connection, bodies: Iterator[str]) -> None:
    link = end_of(connection)
    for _, body in zip(range(_TOGETHER), bodies, strict=False):
        link = append_text(connection, link, body)


def _bodies(many: int) -> Iterator[str]:
    """Calls of four entries each. The text of each kind is made once and filled in, or masking would be measured."""
    dice = random.Random(1)
    templates = [json.loads(body_of(entry)) for entry in _kinds()]
    for number in range(many):
        call, step = divmod(number, 4)
        fields = dict(templates[4 * (call % 25) + step])
        fields["call_id"] = f"call-{call}"
        fields["session_id"] = str(UUID(int=call // 200, version=4))
        fields["folder"] = f"/home/somebody/code/project-{call % 37}"
        seconds = call * 3
        fields["at"] = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1_800_000_000 + seconds))
        if step == 3:
            fields["took_ms"] = dice.randrange(5_000)
        if step == 1:
            fields["waited_ms"] = dice.randrange(60_000)
        if number == many // 10:
            fields["text"] = "a needle in it"
        yield json.dumps(fields, sort_keys=True, separators=(",", ":"))


def _kinds() -> Iterator[Entry]:
    for kind in range(25):
        tool = _TOOLS[kind % 4]
        args = {"command": f"npm run test -- --grep {kind}", "description": "Runs the tests of this part. " * 3}
        subject = a_subject(
            "c", tool=tool, args=args, headline=f"Run the tests of part {kind}", agent=f"Agent {kind % 3}"
        )
        ending, by = (Ending.REJECTED, ResolvedBy.USER) if kind % 5 == 0 else (Ending.ALLOWED, ResolvedBy.POLICY)
        option = OptionKind.REJECT_ONCE if kind % 5 == 0 else OptionKind.ALLOW_ONCE
        for stage in (Stage.REQUESTED, Stage.DECIDED, Stage.STARTED, Stage.FINISHED):
            yield Entry(
                stage=stage,
                at="",
                subject=subject,
                ending={Stage.DECIDED: ending, Stage.FINISHED: Ending.DONE}.get(stage),
                by=by if stage is Stage.DECIDED else None,
                option=option if stage is Stage.DECIDED else None,
                reason=Reason.NEEDS_APPROVAL,
                text="It asks, because it may change something and nothing allows it yet.",
            )


def _look(folder: Path, many: int) -> None:
    last = many - 1
    filters: dict[str, dict[str, Any]] = {
        "nothing": {},
        "sessionId, an old chat": {"session_id": str(UUID(int=3, version=4))},
        "callId, an old call": {"call_id": "call-17"},
        "agent, every third call": {"agent": "Agent 1"},
        "agent, none such": {"agent": "Nobody"},
        "tool, none such": {"tool": "no_such_tool"},
        "stage": {"stage": "decided"},
        "ending, never": {"ending": "unknown"},
        "by, never": {"by": "restart"},
        "folder, none such": {"folder": "/nowhere"},
        "since, long ago": {"since": "2027-01-16"},
        "until, long ago": {"until": "2027-01-17"},
        "tool and ending, never together": {"tool": "bash", "ending": "unknown", "stage": "finished"},
        "before, in the middle": {"before": many // 2},
        "text, in every entry": {"text": "tests grep"},
        "text, in one old entry": {"text": "needle"},
        "text, nowhere": {"text": "haystack"},
        "text in one chat": {"text": "needle", "session_id": str(UUID(int=3, version=4))},
    }
    print(f"{'history/query, of ' + f'{last + 1:,}':56}{'ms':>10}{'found':>8}")
    for name, one in filters.items():
        took, page = _timed(lambda one=one: _queried(folder, one))
        print(f"{name:>56}{took:10.1f}{len(page.entries):>8}", flush=True)
    took, _ = _timed(lambda: _exported(folder, many // 2))
    print(f"{'history/export, one piece':56}{took:10.1f}")
    took, _ = _timed(lambda: _measured(folder))
    print(f"{'history/metrics':56}{took:10.1f}", flush=True)


def _queried(folder: Path, filters: dict[str, Any]) -> query.Page:
    with reading(folder) as connection:
        return query.look_up(connection, query.Filters(**filters))


def _exported(folder: Path, after: int) -> export.Piece:
    with reading(folder) as connection:
        return export.export(connection, after, None)


def _measured(folder: Path) -> metrics.Figures:
    with reading(folder) as connection:
        return metrics.figures(connection, None, None)


async def _write(folder: Path) -> None:
    store = Store(folder)
    await store.write(decided())
    taken = []
    for number in range(300):
        began = time.perf_counter()
        await store.write(decided(f"written-{number}"))
        taken.append((time.perf_counter() - began) * 1000)
    await store.end()
    taken.sort()
    print(f"{'one entry, until it is durable: median, p95':56}{statistics.median(taken):10.2f}{taken[285]:8.2f}")


def _check(folder: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took, found = _timed(lambda: verify(folder))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{'history/verify, s; more memory at its highest, MB':56}{took / 1000:10.1f}{(after - before) / 1024:8.0f}")
    print(f"{'':56}{'intact' if found.intact else found.problem}")


def _timed(what: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = what()
    return (time.perf_counter() - began) * 1000, result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
