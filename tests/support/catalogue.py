"""How the tables of the catalogue's subjects are looked at: ordinary lines, and words that do more than they say."""

from collections.abc import Iterable, Mapping

from assent.model.modes import Category
from tests.support.programs import program_part


def each_line(ordinary: Mapping[Category, Iterable[str]]) -> list[tuple[Category, str]]:
    """The lines of a table, with the category under which they stand."""
    return [(category, line) for category, lines in ordinary.items() for line in lines]


def check_ordinary(category: Category, line: str) -> None:
    """The line is of this category, and nothing in it is a danger."""
    part = program_part(line)
    assert part.dangers == ()
    assert part.category is category


def check_danger(line: str, at: int) -> None:
    """A danger of the line is told with the word at this place."""
    assert at in [danger.at for danger in program_part(line).dangers]
