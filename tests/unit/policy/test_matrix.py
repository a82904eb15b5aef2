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


def test_an_override_counts_for_its_mode_before_modes_are_combined() -> None:
    overrides = {Mode.DEFAULT: {Category.WRITE: Cell.AUTO}, Mode.AUTO: {Category.EXECUTE: Cell.ASK}}

    assert cell({Mode.DEFAULT}, Category.WRITE, overrides) is Cell.AUTO
    assert cell({Mode.DEFAULT}, Category.EXECUTE, overrides) is Cell.ASK
    assert cell({Mode.AUTO}, Category.EXECUTE, overrides) is Cell.ASK
    assert cell({Mode.AUTO, Mode.DEFAULT}, Category.WRITE, overrides) is Cell.AUTO
    assert cell({Mode.ASK, Mode.DEFAULT}, Category.WRITE, overrides) is Cell.ASK
    assert cell({Mode.PLAN, Mode.DEFAULT}, Category.WRITE, overrides) is Cell.BLOCK


@pytest.mark.parametrize("said", list(Cell))
def test_plan_and_what_is_internal_cannot_be_overridden(said: Cell) -> None:
    overrides = {mode: dict.fromkeys(Category, said) for mode in Mode}

    for category in Category:
        assert cell({Mode.PLAN}, category, overrides) is cell({Mode.PLAN}, category)
    for mode in Mode:
        assert cell({mode}, Category.INTERNAL, overrides) is Cell.AUTO


def test_only_plan_blocks() -> None:
    assert cell({Mode.AUTO}, Category.WRITE, {Mode.AUTO: {Category.WRITE: Cell.BLOCK}}) is Cell.ASK


@pytest.mark.parametrize("said", ["auto", None])
def test_what_is_no_cell_never_lets_anything_run(said: object) -> None:
    overrides = {Mode.DEFAULT: {Category.WRITE: said}}
    assert cell((Mode.DEFAULT, Mode.AUTO), Category.WRITE, overrides) is Cell.ASK  # type: ignore[arg-type]


def test_where_no_mode_is_in_force_nothing_runs() -> None:
    assert {cell((), category) for category in Category} == {Cell.BLOCK}
