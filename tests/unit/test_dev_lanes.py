"""Programs beside each other: all run, what each prints is told as it comes, and an interrupt leaves nothing behind."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from devtools import lanes
from devtools.checks import Check
from devtools.places import ROOT
from tests.support.processes import is_running
from tests.support.scale import limit, wait_until


def job(name: str, code: str) -> Check:
    return Check(name, [sys.executable, "-c", code])


@pytest.mark.parametrize(
    ("told", "cores"),
    [
        ("max 100000\n", 8),
        ("200000 100000\n", 2),
        ("250000 100000\n", 2),
        ("50000 100000\n", 1),
        ("1600000 100000\n", 8),
        ("", 8),
        ("200000\n", 8),
        ("200000 0\n", 8),
    ],
)
def test_a_container_that_allows_fewer_cores_than_there_are_has_fewer_lanes(told: str, cores: int):
    assert lanes.allowed(8, told) == cores


def test_there_is_a_lane_on_every_machine():
    assert 1 <= lanes.cores() <= (os.cpu_count() or 1)


@dataclass(frozen=True)
class Heard(Check):
    """A job that keeps what it is told."""

    told: list[object] = field(default_factory=list)

    def printed(self, line: str) -> None:
        self.told.append(line)

    def ended(self, end: lanes.Ended) -> None:
        self.told.append(end.code)


def test_two_run_at_the_same_time_and_each_line_is_told_as_it_comes(tmp_path: Path):
    """Each waits for a sign that the other has begun."""
    code = (
        "import pathlib, time; me, other = map(pathlib.Path, {!r}); print(me.name, 'one'); me.touch()\n"
        "while not other.exists(): time.sleep(0.01)\n"
        "print(me.name, 'two'); raise SystemExit({})"
    )
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    jobs = [
        Heard(name, [sys.executable, "-c", code.format(places, end)])
        for name, places, end in (("first", (a, b), 0), ("second", (b, a), 3))
    ]
    ended = lanes.run(jobs, 2)
    assert [(each.code, each.lines) for each in ended] == [(0, ["a one", "a two"]), (3, ["b one", "b two"])]
    assert [each.told for each in jobs] == [["a one", "a two", 0], ["b one", "b two", 3]]


def test_in_one_lane_they_run_one_after_the_other(tmp_path: Path):
    file = tmp_path / "running"
    code = f"import pathlib; p = pathlib.Path({str(file)!r}); p.touch(exist_ok=False); p.unlink()"
    assert [ended.code for ended in lanes.run([job(str(number), code) for number in range(4)], 1)] == [0] * 4


def test_one_that_cannot_start_stops_no_other(capsys: pytest.CaptureFixture[str]):
    gone, fine = lanes.run([Check("gone", ["/no/such/program"]), job("fine", "print('ran')")], 2)
    assert (gone.code, fine.code, fine.lines) == (1, 0, ["ran"])
    assert "could not be started" in capsys.readouterr().out
    assert "could not be started" in gone.lines[0]


@pytest.mark.skipif(os.name != "posix", reason="signals are sent on POSIX only")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=["interrupted", "terminated"])
def test_an_interrupt_ends_all_and_starts_no_more(tmp_path: Path, ending: signal.Signals):
    """The programs may tidy up themselves; what they started and did not end is ended for them."""
    # Whoever runs the tests in the background may have interrupts ignored, which programs inherit.
    heeding = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program = tmp_path / "program.py"
    program.write_text(
        f"{heeding}import pathlib, subprocess, sys, time\n"
        f"place = pathlib.Path({str(tmp_path)!r})\n"
        "try:\n"
        "    child = subprocess.Popen(['sleep', '600'])\n"
        "    (place / (sys.argv[1] + '.part')).write_text(str(child.pid))\n"
        "    (place / (sys.argv[1] + '.part')).rename(place / sys.argv[1])\n"
        "    time.sleep(600)\n"
        "except KeyboardInterrupt: (place / (sys.argv[1] + '-tidied')).touch()\n"
    )
    command = (
        f"{heeding}import sys, dev\n"
        "from devtools import checks\n"
        "from devtools.checks import Check\n"
        f"jobs = [Check(name, [sys.executable, {str(program)!r}, name]) for name in ('a', 'b', 'c')]\n"
        "dev._setup = lambda: None\n"
        "checks.static = lambda: checks.Stage(2, jobs)\n"
        "sys.exit(dev.main(['check']))\n"
    )
    whole = subprocess.Popen([sys.executable, "-c", command], cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: (tmp_path / "a").exists() and (tmp_path / "b").exists(), within=60, what="both running")
        sleeping = [int((tmp_path / name).read_text()) for name in "ab"]
        whole.send_signal(ending)
        assert whole.wait(limit(60)) == 130
    finally:
        whole.kill()
        whole.wait()
    assert sorted(path.name for path in tmp_path.glob("*-tidied")) == ["a-tidied", "b-tidied"]
    assert not (tmp_path / "c").exists()
    wait_until(lambda: not any(map(is_running, sleeping)), what="the end of what they started")
