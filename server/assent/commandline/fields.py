"""Words while they are expanded: what is known of each so far."""

import re
from collections.abc import Iterator
from itertools import product

from assent.commandline.syntax.tree import Braces, Piece
from assent.lazy_dataclasses import dataclass
from assent.model.commands import Argument

GLOB = re.compile(r"[*?\[]")


_COULD_BE_OPTION = ("-", "*", "?", "[")


_WILDCARD = re.compile(r"[*?]|\[.+\]", re.DOTALL)


@dataclass(slots=True)
class Field:
    """A word on its way to become one argument."""

    text: str = ""
    pattern: str = ""
    """The same with every quoted wildcard made literal."""
    exact: bool = True
    below: bool = True
    """What is not exact descends from the text."""
    many: bool = False
    glob: bool = False
    """There is a wildcard, or a bracket that may open one."""
    number: bool = False
    plain: bool = False
    named: tuple[str, ...] = ()
    matched: bool = False
    """There is a value in it that stands for names which a pattern has matched."""
    own: bool = False
    """There is a wildcard of its own in it."""
    solid: bool = False
    """There is something that keeps an empty word from vanishing: quotes, or a literal character."""


def add(field: Field, text: str, pattern: str) -> None:
    field.number = field.plain = False
    if not field.exact:
        field.named = ()
    if field.exact:
        field.text += text
        field.pattern += pattern
    elif ".." in text:
        field.below = False


def join(field: Field, value: Argument, *, many: bool) -> None:
    field.many = field.many or many
    if not field.exact:
        field.below = field.below and (value.exact or value.below) and ".." not in value.text
        return
    alone = not field.text and not field.solid
    field.number = value.number and alone
    field.named = value.named
    field.plain = value.plain and field.pattern[:1] not in _COULD_BE_OPTION
    field.text += value.text
    field.pattern += value.text if value.glob else GLOB.sub(r"[\g<0>]", value.text)
    field.glob = field.glob or value.glob
    field.matched = field.matched or value.glob
    if not value.exact:
        field.exact, field.below = False, value.below


def finished(field: Field, written: str) -> Argument:
    glob = field.glob and field.exact and _WILDCARD.search(field.pattern) is not None
    # In a pattern that starts with a dot, some shells match the folder above, too.
    if glob and re.search(r"(^|/)\.[*?\[]", field.pattern):
        return Argument("", exact=False, many=True, written=written)
    below = field.below and not field.exact
    text = field.pattern if glob else field.text
    return Argument(text, field.exact, field.many or glob, glob, below, field.number, field.plain, field.named, written)


def without_braces(pieces: tuple[Piece, ...]) -> Iterator[tuple[Piece, ...]]:
    if not any(isinstance(piece, Braces) for piece in pieces):
        yield pieces
        return
    choices = [
        [way for one in piece.alternatives for way in without_braces(one.pieces)]
        if isinstance(piece, Braces)
        else [(piece,)]
        for piece in pieces
    ]
    for chosen in product(*choices):
        yield tuple(piece for some in chosen for piece in some)
