"""The fault plan at its sizes for every day. `python -m tests.bench faults` has those for the night."""

import logging
from pathlib import Path

import pytest

from tests.faults.forked import ForkServer
from tests.faults.plan import PLAN, Case, Row, proves_enough

SEED = 20_000
EVERY_DAY = [row for row in PLAN if row.every_day is not None]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("row", EVERY_DAY, ids=lambda row: row.name)
def test_the_fault_breaks_no_invariant(
    row: Row, tmp_path: Path, fork_server: ForkServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    assert row.every_day is not None
    report = row.every_day(Case(tmp_path, SEED, fork_server))
    print(report)
    if report.left_out:
        pytest.skip(report.left_out)
    assert not report.violations, "\n".join(report.violations[:20])
    little = proves_enough(row, report, night=False)
    assert not little, f"{little}\n{report}"
