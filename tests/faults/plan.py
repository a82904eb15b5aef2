"""The fault plan: every fault with its size for every day and for the night. One implementation for both.

The short run takes a part of the size for every day, where that still meets every kind of the fault.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.clocks import clock_jumps
from tests.faults.damaged import cuts, flips
from tests.faults.descriptors import no_descriptors
from tests.faults.failing_calls import failing_calls
from tests.faults.frames import mutated_frames
from tests.faults.full_disk import LEVELS_AT_NIGHT, LEVELS_EVERY_DAY, full_disk
from tests.faults.hangups import hangups
from tests.faults.kills import kills
from tests.faults.mcp_servers import mcp_servers
from tests.faults.memory import little_memory, no_allocation
from tests.faults.model_streams import model_streams
from tests.faults.orphans import orphans
from tests.faults.place import Place
from tests.faults.reloads import reloads
from tests.faults.report import Report, timed
from tests.faults.roll_backs import roll_backs
from tests.faults.settings_files import broken_settings
from tests.faults.slow_client import slow_client
from tests.faults.swaps import swaps
from tests.faults.two_windows import two_windows
from tests.faults.versions import versions
from tests.support.many_waiting import many_waiting
from tests.support.scale import ALL, examples


@dataclass(frozen=True, slots=True)
class Case:
    """Where one fault is tried, and with which numbers."""

    folder: Path
    seed: int
    tell: Callable[[str], None] = lambda _: None
    """Hears how far a fault is that takes long."""


Try = Callable[[Case], Report]


@dataclass(frozen=True, slots=True)
class Row:
    """One fault."""

    name: str
    every_day: Try | None
    """None where another test does it every day."""
    at_night: Try
    proves: tuple[str, float] = ("", 0)
    """A figure, and how much of it there must be every day, or it proves little."""
    proves_at_night: float = 0


def _waiting(case: Case, calls: int) -> Report:
    report = Report("F8 calls that wait at once", calls)

    def work(report: Report) -> None:
        life = Place(case.folder / "waiting").life()
        try:
            told = many_waiting(life, calls, seed=case.seed)
            report.figures |= {"MB more": told.grown_mb, "MB more at most": told.peak_mb}
            if told.grown_mb > told.bar_mb:
                report.violations.append(f"{calls} waiting calls cost {told.grown_mb:.0f} MB more")
        except AssertionError as fault:
            report.violations.append(str(fault))
        life.end()

    return timed(work, report)


PLAN = (
    Row(
        "killed",
        lambda case: kills(case.folder, examples(200), case.seed, lanes=5),
        lambda case: kills(case.folder, 1_000, case.seed),
        proves=("effects", examples(60)),
        proves_at_night=500,
    ),
    Row(
        "killed-cold",
        None,
        lambda case: kills(case.folder / "cold", 50, case.seed, lanes=2, cold="as editors do"),
    ),
    Row(
        "calls-fail",
        lambda case: failing_calls(case.folder, 3, case.seed, most=36),
        lambda case: failing_calls(case.folder, 20, case.seed),
        proves=("happened", 24),
        proves_at_night=500,
    ),
    Row(
        "history-cut",
        lambda case: cuts(examples(2_000), case.seed),
        lambda case: cuts(25_000, case.seed),
        proves=("noticed", examples(1_000)),
        proves_at_night=10_000,
    ),
    Row(
        "bits-turned",
        lambda case: flips(examples(400), case.seed),
        lambda case: flips(5_000, case.seed),
        proves=("noticed", examples(50)),
        proves_at_night=500,
    ),
    Row(
        "settings",
        lambda case: broken_settings(case.folder, examples(40), case.seed),
        lambda case: broken_settings(case.folder, 2_000, case.seed),
    ),
    Row(
        "disk-full",
        lambda case: full_disk(case.folder, LEVELS_EVERY_DAY, case.seed),
        lambda case: full_disk(case.folder, LEVELS_AT_NIGHT, case.seed),
        # At which level a yes is kept and its start is not, moves with every byte that is written.
        proves=("refused", 5),
        proves_at_night=5,
    ),
    Row(
        "hangups",
        lambda case: hangups(case.folder, 12, case.seed),
        lambda case: hangups(case.folder, 500, case.seed),
    ),
    Row(
        "slow-client",
        lambda case: slow_client(case.folder, 10_000, 5),
        lambda case: slow_client(case.folder, 10_000, 60),
        proves=("events", 1_000),
        proves_at_night=1_000,
    ),
    Row("waiting", None, lambda case: _waiting(case, 10_000)),
    Row(
        "frames",
        lambda case: mutated_frames(case.folder, examples(2_000), case.seed),
        lambda case: mutated_frames(case.folder, 100_000, case.seed),
        proves=("answered", examples(500)),
        proves_at_night=25_000,
    ),
    Row(
        "model-streams",
        lambda case: model_streams(case.folder, examples(100), case.seed),
        lambda case: model_streams(case.folder, None, case.seed),
        proves=("effects", examples(60)),
        proves_at_night=5_000,
    ),
    Row(
        "mcp-servers",
        lambda case: mcp_servers(case.folder, 8, case.seed),
        lambda case: mcp_servers(case.folder, 200, case.seed, case.tell),
        proves=("ended", 4),
        proves_at_night=100,
    ),
    Row(
        "clocks",
        lambda case: clock_jumps(case.folder, 4, case.seed),
        lambda case: clock_jumps(case.folder, 1_000, case.seed),
    ),
    Row(
        "descriptors",
        lambda case: no_descriptors(case.folder, 27, case.seed),
        lambda case: no_descriptors(case.folder, 1_000, case.seed),
        proves=("failed", 9),
        proves_at_night=300,
    ),
    Row(
        "allocations",
        lambda case: no_allocation(case.folder, 20, case.seed),
        lambda case: no_allocation(case.folder, 1_000, case.seed),
        proves=("failed", 10),
        proves_at_night=50,
    ),
    Row(
        "memory",
        lambda case: little_memory(case.folder, 12, case.seed),
        lambda case: little_memory(case.folder, 60, case.seed),
    ),
    Row(
        "orphans",
        lambda case: orphans(18, case.seed),
        lambda case: orphans(200, case.seed),
        proves=("processes", 40),
        proves_at_night=600,
    ),
    Row("swapped", None, lambda case: swaps(case.folder, 10_000), proves=("tries", 0), proves_at_night=40_000),
    Row(
        "reloads",
        lambda case: reloads(case.folder, 12, case.seed),
        lambda case: reloads(case.folder, 500, case.seed),
        proves=("came back", 12),
        proves_at_night=500,
    ),
    Row(
        "two-windows",
        lambda case: two_windows(case.folder, examples(20), case.seed),
        lambda case: two_windows(case.folder, 500, case.seed),
        proves=("lasting", 5 if ALL else 2),
        proves_at_night=50,
    ),
    Row(
        "versions",
        lambda case: versions(case.folder, case.seed),
        lambda case: versions(case.folder, case.seed),
    ),
    Row(
        "rolled-back",
        lambda case: roll_backs(case.folder, case.seed, every=6 if ALL else 12),
        lambda case: roll_backs(case.folder, case.seed, every=1),
        proves=("begun", 8 if ALL else 4),
        proves_at_night=40,
    ),
)
"""In the order of the faults' numbers."""


def proves_enough(row: Row, report: Report, *, night: bool) -> str:
    """Why a clean report says little, or nothing."""
    name, least = row.proves[0], row.proves_at_night if night else row.proves[1]
    if not name or report.left_out or report.figures.get(name, 0) >= least:
        return ""
    return f"this proves little: {name} is {report.figures.get(name, 0):g}, not {least:g} or more"
