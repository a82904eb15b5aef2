"""What commands really do, against what was read in them before the gate let them run, with nothing that holds them."""

import os
import shutil
from pathlib import Path

import pytest

from assent.model.modes import Category
from tests.support.scale import ALL, examples, limit
from tests.support.shell_trace.causes import CAUSES, Cause
from tests.support.shell_trace.grammar import line_of
from tests.support.shell_trace.sandbox import obstacle
from tests.support.shell_trace.trial import Trials

SEED = int(os.environ.get("ASSENT_TEST_SEED", "1"))
COUNT = 100_000 if ALL else 2_000

pytestmark = pytest.mark.skipif(bool(obstacle()), reason=obstacle())


@pytest.mark.timeout(limit(7_200 if ALL else 300))
def test_what_the_gate_lets_run_does_nothing_that_was_not_read(tmp_path: Path) -> None:
    trial = Trials(tmp_path).run((seed, line_of(seed)) for seed in range(SEED, SEED + COUNT))
    assert not trial.found, "\n".join(map(str, trial.found))
    # Lines that are asked about, or that fail at once, would prove nothing.
    assert trial.share > 0.2
    assert trial.worked > trial.ran / 4
    assert {Category.READ, Category.WRITE} <= set(trial.by_category)


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.name)
def test_a_wrong_reading_is_refused_and_would_be_found(tmp_path: Path, cause: Cause) -> None:
    if shutil.which(cause.program) is None:
        pytest.skip(f"{cause.program} is not installed here")
    lines = [(seed, cause.line(seed)) for seed in range(SEED, SEED + examples(120))]
    now = Trials(tmp_path / "now").run(lines)
    assert not now.found, "\n".join(map(str, now.found))
    assert Trials(tmp_path / "believed", cause).run(lines).found, f"no line shows it; seeds from {SEED} on"
