"""What a mode does with a category when nothing else has a say."""

from enum import Enum

from assent.model.modes import Category, Mode


class Cell(Enum):
    """An entry of the matrix."""

    AUTO = "auto"
    ASK = "ask"
    BLOCK = "block"


_ACTING = (Category.WRITE, Category.EXECUTE, Category.EXTERNAL)

MATRIX: dict[tuple[Mode, Category], Cell] = {
    **{(mode, Category.INTERNAL): Cell.AUTO for mode in Mode},
    (Mode.PLAN, Category.READ): Cell.AUTO,
    (Mode.ASK, Category.READ): Cell.ASK,
    (Mode.DEFAULT, Category.READ): Cell.AUTO,
    (Mode.AUTO, Category.READ): Cell.AUTO,
    **{(Mode.PLAN, category): Cell.BLOCK for category in _ACTING},
    **{(Mode.ASK, category): Cell.ASK for category in _ACTING},
    **{(Mode.DEFAULT, category): Cell.ASK for category in _ACTING},
    **{(Mode.AUTO, category): Cell.AUTO for category in _ACTING},
}
"""Every cell, so that a forgotten one is a KeyError in a test and never a default."""
