"""What a mode does with a category when nothing else has a say."""

from collections.abc import Iterable, Mapping
from enum import Enum

from assent.model.modes import Category, Mode


class Cell(Enum):
    """An entry of the matrix, from what permits most to what permits least."""

    AUTO = "auto"
    ASK = "ask"
    BLOCK = "block"


Overrides = Mapping[Mode, Mapping[Category, Cell]]

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

_NONE: Overrides = {}


def cell(modes: Iterable[Mode], category: Category, overrides: Overrides = _NONE) -> Cell:
    """What several modes together do with a category: each of them counts, each with its overrides.

    Modes are not simply ordered: plan blocks more than ask, and yet lets reads run that ask asks for.
    """
    cells = [_cell(mode, category, overrides) for mode in modes]
    if Cell.BLOCK in cells or not cells:
        return Cell.BLOCK
    return Cell.AUTO if all(one is Cell.AUTO for one in cells) else Cell.ASK


def nowhere_looser(mode: Mode, other: Mode) -> bool:
    """Whether the first mode permits nothing that the other one asks for or blocks."""
    return all(cell((mode, other), category) is MATRIX[mode, category] for category in Category)


def _cell(mode: Mode, category: Category, overrides: Overrides) -> Cell:
    own = MATRIX[mode, category]
    if mode is Mode.PLAN or category is Category.INTERNAL:
        return own
    said = overrides.get(mode, {}).get(category, own)
    # Only plan blocks. Whoever says it elsewhere wants it strict.
    return Cell.ASK if said is Cell.BLOCK else said
