"""What came of one fault: the same for a test and for the run at night."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Report:
    """One row of the fault plan, carried out."""

    fault: str
    size: int
    violations: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    left_out: str = ""
    """Why this machine cannot do it, if it cannot."""

    def __str__(self) -> str:
        if self.left_out:
            return f"{self.fault:34} {self.size:>8,}  left out: {self.left_out}"
        known = ", ".join(f"{name} {value:,.4g}" for name, value in self.figures.items())
        return f"{self.fault:34} {self.size:>8,} {len(self.violations):>11} {self.seconds:>9.1f}  {known}"


def timed(work: Callable[[Report], None], report: Report) -> Report:
    """Does the work and says how long it took."""
    began = time.monotonic()
    work(report)
    report.seconds = time.monotonic() - began
    return report


def require_clean(report: Report) -> None:
    """For a test: fails with what was found."""
    assert not report.violations, "\n".join(report.violations[:20])
