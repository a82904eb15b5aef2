"""A plugin of pytest: each test's outcome as a line for `devtools.records`, in the moment in which it is known."""

import json
from collections.abc import Sequence

import pytest

from devtools.records import ERROR, FAILED, MARK


class _Records:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        outcome, _, _ = self._config.hook.pytest_report_teststatus(report=report, config=self._config)
        if outcome:
            self._tell(report.nodeid, outcome, report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._tell(report.nodeid, ERROR, report)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._line({"outcome": "deselected", "count": len(items)})

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self._line({"ended": int(exitstatus)})

    def _tell(self, test: str, outcome: str, report: pytest.TestReport | pytest.CollectReport) -> None:
        record: dict[str, object] = {"test": test, "outcome": outcome}
        if outcome in (FAILED, ERROR):
            sections = [f"--- {title} ---\n{text}" for title, text in report.sections]
            record["said"] = "\n".join([report.longreprtext, *sections])
        self._line(record)

    def _line(self, record: dict[str, object]) -> None:
        # By pytest's own writer: standard output belongs to the tests.
        writer = self._config.get_terminal_writer()
        writer.line(f"\n{MARK}{json.dumps(record)}")
        writer.flush()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Records(config), "assent records")
