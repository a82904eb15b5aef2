"""The walkthrough says of the modes what they do."""

from pathlib import Path

import pytest

from assent.model.modes import Category, Mode
from assent.policy.matrix import MATRIX, Cell

MODES = Path(__file__).parents[3] / "client-ts" / "walkthrough" / "modes.md"
_BEGINS = {Cell.AUTO: "without asking", Cell.ASK: "asks", Cell.BLOCK: "not at all"}


@pytest.mark.parametrize("mode", Mode)
def test_each_mode_is_told_as_it_is(mode: Mode) -> None:
    (row,) = [line for line in MODES.read_text("utf-8").splitlines() if line.startswith(f"| **{mode.label}** ")]
    _, _, reading, acting, _ = (cell.strip() for cell in row.split("|"))
    assert reading.startswith(_BEGINS[MATRIX[mode, Category.READ]])
    assert acting.startswith(_BEGINS[MATRIX[mode, Category.WRITE]])
    assert MATRIX[mode, Category.WRITE] is MATRIX[mode, Category.EXECUTE]
