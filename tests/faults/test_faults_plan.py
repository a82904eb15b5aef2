"""The fault plan at its sizes for every day. `python -m tests.bench faults` has those for the night."""

import logging
from pathlib import Path

import pytest

from tests.faults.plan import PLAN, Case, Row, proves_enough
from tests.support.forked import CAN_FORK
from tests.support.scale import limit

SEED = 20_000
EVERY_DAY = [row for row in PLAN if row.every_day is not None]


@pytest.mark.skipif(not CAN_FORK, reason="without forks, what a kill leaves is not to be had quickly")
@pytest.mark.timeout(limit(600))
@pytest.mark.parametrize("row", EVERY_DAY, ids=lambda row: row.name)
def test_the_fault_breaks_no_invariant(row: Row, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    assert row.every_day is not None
    report = row.every_day(Case(tmp_path, SEED))
    print(report)
    if report.left_out:
        pytest.skip(report.left_out)
    assert not report.violations, "\n".join(report.violations[:20])
    little = proves_enough(row, report, night=False)
    assert not little, f"{little}\n{report}"
