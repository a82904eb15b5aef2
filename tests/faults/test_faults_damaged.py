"""A history that ends too early, or in which a bit is turned."""

import logging

import pytest

from tests.faults.damaged import cuts, flips
from tests.faults.report import require_clean


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)


def test_a_history_that_is_cut_off_anywhere_never_counts_as_whole() -> None:
    report = cuts(2_000, 1)
    require_clean(report)
    assert report.figures["noticed"] > 1_000, report


def test_a_bit_that_is_turned_never_adds_or_hides_an_entry() -> None:
    report = flips(400, 1)
    require_clean(report)
    assert report.figures["noticed"] > 100, report
    assert report.figures["begun anew"] > 0, report
