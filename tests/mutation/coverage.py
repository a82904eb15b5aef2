"""Which tests reach which lines, told by one run of them; a plugin for pytest."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

Reached = dict[tuple[str, int], list[str]]


class Recorder:
    """Notes for each line of some files the tests that reach it."""

    def __init__(self, files: frozenset[str]) -> None:
        self._files = files
        self._lines: set[tuple[str, int]] = set()
        self.reached: Reached = defaultdict(list)
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Lines are noted while the test itself runs."""
        self._lines = set()
        sys.settrace(self._called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            for line in self._lines:
                self.reached[line].append(item.nodeid)

    def _called(self, frame: FrameType, event: str, argument: object) -> Callable[..., object] | None:
        if frame.f_code.co_filename not in self._files:
            return None
        self._line(frame, event, argument)
        return self._line

    def _line(self, frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails by itself says nothing about a mutant."""
        if report.failed:
            self.failed.append(report.nodeid)
