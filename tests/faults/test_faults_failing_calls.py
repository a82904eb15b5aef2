"""Calls of the system that fail once while calls of a model are decided, started and ended."""

from pathlib import Path

import pytest

from tests.faults.failing_calls import failing_calls, obstacle
from tests.faults.forked import ForkServer
from tests.faults.report import require_clean


@pytest.mark.timeout(300)
def test_whatever_call_fails_nothing_runs_unrecorded_and_the_next_one_works(
    tmp_path: Path, fork_server: ForkServer
) -> None:
    if obstacle():
        pytest.skip(obstacle())
    report = failing_calls(tmp_path, 3, 1, fork_server, most=36)
    require_clean(report)
    assert report.figures["happened"] >= 24, report
