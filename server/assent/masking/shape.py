"""What a secret looks like, as data."""

import re
from collections.abc import Iterator
from functools import lru_cache

from assent.lazy_dataclasses import dataclass
from assent.masking.marks import Span

WORD = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"
"""Where a word begins, also behind what stands for a line's end or another character in JSON and in links."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One form of secret that is known by its own looks, wherever it stands.

    Expressions take all that could still belong to the token, so that no end of it is left over. They begin with
    something fixed, or at the beginning of a word only: that keeps the work in proportion to the text.
    """

    name: str
    reason: str
    hints: tuple[str, ...]
    """A text that holds none of these cannot hold the shape: looking for them is cheap."""
    expression: str
    """Its group `secret` is masked, or all of it where there is no such group."""

    def spans(self, text: str) -> Iterator[Span]:
        """Where it stands in a text."""
        expression = _compiled(self.expression)
        group: str | int = "secret" if "secret" in expression.groupindex else 0
        for found in expression.finditer(text):
            start, end = found.span(group)
            yield Span(start, end, self.name)


@lru_cache(maxsize=256)
def _compiled(expression: str) -> "re.Pattern[str]":
    """Most shapes are never met: compiling all of them would make every start slower."""
    return re.compile(expression)


def shape(name: str, reason: str, expression: str, *hints: str) -> Shape:
    """A shape; the hints are what each of its forms must contain."""
    return Shape(name, reason, hints, expression)
