"""The user's changes to what a mode does with a category. A workspace changes nothing here."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from assent.model.json import Json
from assent.model.modes import Category, Mode, parse_mode
from assent.policy.matrix import MATRIX, Cell
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import At, cell_entry
from assent.settings.scales import Scales, Standing

KEY = "matrixOverrides"

Overrides = Mapping[Mode, Mapping[Category, Cell]]

_STRICTNESS = {Cell.AUTO: 0, Cell.ASK: 1, Cell.BLOCK: 2}
_CELLS = {"auto": Cell.AUTO, "ask": Cell.ASK}
_CATEGORIES = {category.value: category for category in Category if category is not Category.INTERNAL}


def matrix_overrides(layers: Layers, scales: Scales, found: Findings, *, permits: bool) -> Overrides:
    """The cells that count. Where permissions do not (`permits` is false), those that ask still do."""
    for layer in layers.of_workspace:
        if layer.get(KEY) is not None:
            found.add(f"assent.{KEY} counts only in your user settings.", layer, KEY)
    cells: dict[Mode, dict[Category, Cell]] = {}
    for mode, category, cell, path in cells_in(layers.user, found):
        entry = cell_entry(At(layers.user, KEY, path), mode, category)
        if cell is Cell.AUTO and not (permits and scales.standing(layers.user, entry) is Standing.COUNTS):
            continue
        of_mode = cells.setdefault(mode, {})
        # A mode has two names: where both say something, the stricter counts.
        of_mode[category] = cell if of_mode.get(category, cell) is cell else Cell.ASK
    return MappingProxyType({mode: MappingProxyType(of_mode) for mode, of_mode in cells.items()})


def nowhere_looser(mode: Mode, other: Mode, overrides: Overrides) -> bool:
    """Whether the first mode permits nothing that the other one asks for or blocks, as the user changed them."""
    return all(
        _STRICTNESS[_counting(mode, category, overrides)] >= _STRICTNESS[_counting(other, category, overrides)]
        for category in Category
    )


def _counting(mode: Mode, category: Category, overrides: Overrides) -> Cell:
    return overrides.get(mode, {}).get(category, MATRIX[mode, category])


def cells_in(user: Layer, found: Findings) -> Iterator[tuple[Mode, Category, Cell, tuple[str, ...]]]:
    """The cells that the user's settings name, with the path to each; what is wrong is told."""
    modes = user.get(KEY)
    if modes is None:
        return
    if not isinstance(modes, Mapping):
        found.wrong(user, "an object that maps a mode to its categories; it does not count", KEY)
        return
    for name, categories in modes.items():
        mode = parse_mode(name)
        if mode is None or mode is Mode.PLAN:
            found.add("The modes that can be changed are ask, default and auto: this does not count.", user, KEY, name)
        elif not isinstance(categories, Mapping):
            found.wrong(user, "an object that maps a category to auto or ask; it does not count", KEY, name)
        else:
            for word, value in categories.items():
                yield from _cell(user, mode, (name, word), value, found)


def _cell(
    user: Layer, mode: Mode, path: tuple[str, str], value: Json, found: Findings
) -> Iterator[tuple[Mode, Category, Cell, tuple[str, ...]]]:
    category = _CATEGORIES.get(path[1])
    if category is None:
        found.add("The categories are read, write, execute and external: this does not count.", user, KEY, *path)
        return
    cell = _CELLS.get(value) if isinstance(value, str) else None
    if cell is None:
        found.wrong(user, "auto or ask; until it is, ask counts", KEY, *path)
    yield mode, category, cell or Cell.ASK, path
