"""Every single call of the system fails once: writing, syncing, renaming, opening, starting a program."""

import os
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.faults.forked import ForkServer
from tests.faults.marks import Marks
from tests.faults.place import Life, Place
from tests.faults.report import Report, timed
from tests.faults.turns import Played, play
from tests.support.rpc import ServerGone
from tests.support.scale import limit, wait_until

ON_STATE = ("openat", "pwrite64", "write", "fdatasync", "fsync", "ftruncate", "rename", "unlink")
"""Counted only where they are about the files of the state directory."""
ANYWHERE = ("clone3", "clone", "vfork", "execve", "pipe2")
STATE_FILES = ("assent.sqlite3", "assent.sqlite3-wal", "assent.sqlite3-shm", "history.head", "assent.lock", "")
ERRORS = {"openat": ("EIO", "EMFILE"), "clone3": ("EAGAIN",), "clone": ("EAGAIN",), "vfork": ("EAGAIN",)}
USUAL_ERRORS = ("EIO", "ENOSPC")
IN_ONE_PLACE = 15
LANES = 2


@dataclass(frozen=True, slots=True)
class Failure:
    """The Nth call of this name fails, once."""

    name: str
    error: str
    n: int


def obstacle() -> str:
    """Why calls cannot be made to fail here, or nothing."""
    if shutil.which("strace") is None:
        return "strace is missing; `python3 dev.py setup` installs it, or says how"
    tried = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"this machine forbids to watch a process: {tried.stderr.strip()}"


def failing_calls(folder: Path, calls: int, seed: int, fork_server: ForkServer, *, most: int | None = None) -> Report:
    """Turns of so many calls; in each one call of the system fails, every one in its turn, or so many of them."""
    report = Report("F2 every Nth system call fails", calls)
    if obstacle():
        report.left_out = obstacle()
        return report

    def work(report: Report) -> None:
        failures = list(_failures(folder / "counted", calls, fork_server))
        report.figures["possible"] = len(failures)
        if most is not None and len(failures) > most:
            failures = sorted(random.Random(seed).sample(failures, most), key=failures.index)
        report.figures["tried"] = len(failures)
        report.figures["happened"] = 0

        def part(start: int) -> None:
            _try(folder / f"failing-{start}", calls, failures[start : start + IN_ONE_PLACE], fork_server, report)

        with ThreadPoolExecutor(LANES) as pool:
            list(pool.map(part, range(0, len(failures), IN_ONE_PLACE)))

    return timed(work, report)


def _failures(folder: Path, calls: int, fork_server: ForkServer) -> Iterator[Failure]:
    """A turn in which nothing fails is counted; each of its calls can fail."""
    place = Place(folder)
    life = _life(place, fork_server)
    counts: Counter[str] = Counter()
    for names, on_state in ((ON_STATE, True), (ANYWHERE, False)):
        with _Strace(life, names, on_state=on_state) as watched:
            play(life, _calls(Marks(random.Random(calls)), calls))
        counts += watched.counted()
    life.end()
    for name in (*ON_STATE, *ANYWHERE):
        for error in ERRORS.get(name, USUAL_ERRORS):
            for n in range(1, counts[name] + 1):
                yield Failure(name, error, n)


def _life(place: Place, fork_server: ForkServer) -> Life:
    life = place.life(fork_server.client(("tests.faults.failing_calls", "let_anyone_watch", {})))
    # The database is there before anything fails: a first start on a broken disk is another case.
    play(life, _calls(Marks(random.Random(0), kind=f"life{life.number:02d}"), 1))
    return life


def _calls(marks: Marks, count: int) -> list[dict[str, object]]:
    return [marks.asked() for _ in range(count)]


def _try(folder: Path, calls: int, failures: list[Failure], fork_server: ForkServer, report: Report) -> None:
    place, marks = Place(folder), Marks(random.Random(0))
    life = _life(place, fork_server)
    for failure in failures:
        found: list[str] = []
        strace = _Strace(life, (failure.name,), on_state=failure.name in ON_STATE, failure=failure)
        try:
            with strace:
                played = play(life, _calls(marks, calls))
            found += _told_badly(played)
        except ServerGone:
            found += _ended_badly(life)
            life.kill()
            life = _life(place, fork_server)
        except AssertionError as fault:
            found.append(str(fault))
        report.figures["happened"] += strace.injected
        report.violations += [f"{failure}: {one}" for one in found]
    life.end()
    report.violations += [
        f"{one} (among {failures[0]} to {failures[-1]})"
        for one in place.violations(recovered=False, every_write_worked=False)
    ]


def _told_badly(played: Played) -> list[str]:
    results = played.chat.results()
    silent = [one for one in results if one["is_error"] and len(one["output"]) < 20]
    return [*played.unclear, *(f"the result says nothing: {one}" for one in silent)]


def _ended_badly(life: Life) -> list[str]:
    """A server may end where it cannot go on, if it says why and is no wreck."""
    code = life.client.wait_exit()
    return [] if code in (0, 1) else [f"the server died with {code}: {life.client.stderr[-500:]}"]


def let_anyone_watch() -> None:
    """In the server: this process may be traced also where only parents may do that."""
    import ctypes

    pr_set_ptracer, anyone = 0x59616D61, -1
    ctypes.CDLL(None).prctl(pr_set_ptracer, ctypes.c_ulong(anyone), 0, 0, 0)


class _Strace:
    """Attached to a server for the time of one turn."""

    def __init__(self, life: Life, names: tuple[str, ...], *, on_state: bool, failure: Failure | None = None) -> None:
        self._life = life
        self._out = Path(tempfile.mkstemp(prefix="strace", dir=life.place.folder)[1])
        known = ",".join(f"?{name}" for name in names)
        self._command = ["strace", "-f", "-o", str(self._out), "-e", f"trace={known}", "-e", "signal=none"]
        if on_state:
            for name in STATE_FILES:
                self._command += ["-P", str(life.state / name).rstrip("/")]
        if failure is not None:
            self._command += ["-e", f"inject={failure.name}:error={failure.error}:when={failure.n}"]
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "_Strace":
        pid = self._life.client.process.pid
        self._process = subprocess.Popen(
            [*self._command, "-p", str(pid)], stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        wait_until(lambda: _traced(pid), what="strace is attached")
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.communicate(timeout=limit(20))

    @property
    def injected(self) -> bool:
        """Whether the call came to be made, and failed."""
        return "(INJECTED)" in self._out.read_text(errors="replace")

    def counted(self) -> Counter[str]:
        """How often each call was made."""
        return Counter(re.findall(r"^\d+ +(\w+)\(", self._out.read_text(errors="replace"), re.MULTILINE))


def _traced(pid: int) -> bool:
    tasks = list(Path(f"/proc/{pid}/task").iterdir())
    return all("TracerPid:\t0\n" not in (task / "status").read_text() for task in tasks)
