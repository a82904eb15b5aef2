"""Servers that are killed, at the size for every day; the bench has the one for the night."""

from pathlib import Path

import pytest

from tests.faults.forked import ForkServer
from tests.faults.kills import kills
from tests.faults.report import require_clean


@pytest.mark.timeout(300)
def test_a_server_that_is_killed_at_any_moment_leaves_nothing_in_doubt(tmp_path: Path, fork_server: ForkServer) -> None:
    report = kills(tmp_path, 200, 20_000, fork_server)
    require_clean(report)
    assert report.figures["effects"] >= 60, f"too little came through for this to say anything: {report}"
