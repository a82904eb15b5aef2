"""Modes that hold together, and which of two permits nothing more."""

import pytest

from assent.model.modes import Category, Mode
from assent.policy.matrix import Cell, cell, nowhere_looser


def test_plan_beside_ask_asks_for_reading_and_blocks_the_rest() -> None:
    both = (Mode.PLAN, Mode.ASK)

    assert cell(both, Category.READ) is Cell.ASK
    assert cell(both, Category.WRITE) is Cell.BLOCK
    assert cell(both, Category.INTERNAL) is Cell.AUTO


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Mode.PLAN, Mode.DEFAULT, True),
        (Mode.PLAN, Mode.AUTO, True),
        (Mode.PLAN, Mode.ASK, False),
        (Mode.ASK, Mode.DEFAULT, True),
        (Mode.ASK, Mode.AUTO, True),
        (Mode.ASK, Mode.PLAN, False),
        (Mode.DEFAULT, Mode.AUTO, True),
        (Mode.DEFAULT, Mode.ASK, False),
        (Mode.AUTO, Mode.DEFAULT, False),
        *((mode, mode, True) for mode in Mode),
    ],
)
def test_which_mode_is_nowhere_looser(one: Mode, other: Mode, expected: bool) -> None:
    assert nowhere_looser(one, other) is expected
