"""Braces in a word: `{a,b}` and `{1..5}`, found and expanded as bash does it, or refused where that is doubtful."""

import re
from itertools import pairwise

from assent.commandline.syntax.cursor import merged
from assent.commandline.syntax.tree import Braces, NotUnderstood, Parameter, Piece, Text, Word

MAX_RESULTS = 256
_MAX_OPEN = 24
_NUMBERS = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?")
_LETTERS = re.compile(r"([a-z])\.\.([a-z])(?:\.\.(-?[0-9]{1,9}))?|([A-Z])\.\.([A-Z])(?:\.\.(-?[0-9]{1,9}))?")

Item = str | Piece
"""One unquoted character, or a piece that is nothing to do with braces."""


def expanded(pieces: tuple[Piece, ...], bare: list[Piece], start: int, end: int) -> tuple[Piece, ...]:
    """The pieces with their braces; unchanged where there are none. `bare` are the names without `${ }`."""
    items: list[Item] = []
    for piece in pieces:
        if isinstance(piece, Text) and not piece.quoted:
            items.extend(piece.text)
        else:
            items.append(piece)
    if items.count("{") > _MAX_OPEN:
        raise NotUnderstood("there are too many braces in one word")
    found = _Finder(start, end).pieces(items)
    if not any(isinstance(piece, Braces) for piece in found):
        return pieces
    _refuse_oddities(items, pieces)
    _refuse_longer_names(_results(found), bare)
    return found


def _refuse_oddities(items: list[Item], pieces: tuple[Piece, ...]) -> None:
    if any(one == "{" and other == "}" for one, other in pairwise(items)):
        raise NotUnderstood("{} beside braces that are expanded is not read")
    if "$" in items:
        raise NotUnderstood("a lone $ beside braces is not read")
    if any(isinstance(piece, Parameter) and (piece.operator or piece.index) for piece in pieces):
        raise NotUnderstood("${ } with more than a name beside braces is not read")


def _results(pieces: tuple[Piece, ...]) -> list[list[Piece]]:
    """The words that come of it, in their order."""
    results: list[list[Piece]] = [[]]
    for piece in pieces:
        if isinstance(piece, Braces):
            tails = [tail for alternative in piece.alternatives for tail in _results(alternative.pieces)]
        else:
            tails = [[piece]]
        if len(results) * len(tails) > MAX_RESULTS:
            raise NotUnderstood("the braces stand for too many words")
        results = [head + tail for head in results for tail in tails]
    return results


def _refuse_longer_names(results: list[list[Piece]], bare: list[Piece]) -> None:
    """`$x{a,b}` names the variables `xa` and `xb`: braces are expanded before names are looked for."""
    known = {id(piece) for piece in bare}
    for result in results:
        for one, other in pairwise(result):
            if id(one) not in known:
                continue
            if isinstance(other, Text) and not other.quoted and re.match(r"[A-Za-z0-9_\[]", other.text):
                raise NotUnderstood("a variable's name that runs into braces is not read")


class _Finder:
    """Finds the braces in one word."""

    __slots__ = ("_end", "_start")

    def __init__(self, start: int, end: int) -> None:
        self._start = start
        self._end = end

    def pieces(self, items: list[Item]) -> tuple[Piece, ...]:
        out: list[Piece] = []
        at = 0
        while at < len(items):
            item = items[at]
            close = _closing(items, at) if item == "{" else None
            braces = self._braces(items[at + 1 : close]) if close is not None else None
            if close is not None and braces is not None:
                out.append(braces)
                at = close + 1
                continue
            out.append(Text(item) if isinstance(item, str) else item)
            at += 1
        return merged(out)

    def _braces(self, inner: list[Item]) -> Braces | None:
        if "," not in inner:
            words = _sequence(inner)
            return Braces(tuple(self._word([Text(word)]) for word in words)) if words is not None else None
        parts = _split(inner)
        if len(parts) == 1:
            raise NotUnderstood("braces in a sequence of braces are not read")
        return Braces(tuple(self._word(list(self.pieces(part))) for part in parts))

    def _word(self, pieces: list[Piece]) -> Word:
        return Word(merged(pieces), self._start, self._end)


def _closing(items: list[Item], at: int) -> int | None:
    """Where the brace closes that opens here, if there is something in between that could be expanded."""
    if at == 0 and items[1:2] == ["}"]:
        return None
    level, parted = 0, False
    for place in range(at + 1, len(items)):
        item = items[place]
        if item == "{":
            level += 1
        elif item == "}" and level:
            level -= 1
        elif item == "}" and parted:
            return place
        elif not level and (item == "," or _is_dots(items, place)):
            parted = True
    return None


def _is_dots(items: list[Item], place: int) -> bool:
    return items[place : place + 2] == [".", "."] and items[place + 2 : place + 3] != ["}"]


def _split(inner: list[Item]) -> list[list[Item]]:
    parts: list[list[Item]] = [[]]
    level = 0
    for item in inner:
        level += (item == "{") - (item == "}" and level > 0)
        if item == "," and not level:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _sequence(inner: list[Item]) -> list[str] | None:
    """The words of `1..5`; None where bash leaves the braces as they are."""
    if "{" in inner or not all(isinstance(item, str) for item in inner):
        raise NotUnderstood("a sequence in braces that is not written out is not read")
    text = "".join(str(item) for item in inner)
    if numbers := _NUMBERS.fullmatch(text):
        return _numbers(*numbers.groups())
    if letters := _LETTERS.fullmatch(text):
        first, last, step = letters.group(1, 2, 3) if letters[1] else letters.group(4, 5, 6)
        return [chr(code) for code in _range(ord(first), ord(last), step)]
    sides = text.split("..")
    if len(sides) == 2 and any(len(side) > 1 and not re.fullmatch(r"[-+]?[0-9]+", side) for side in sides):
        return None
    raise NotUnderstood("this sequence in braces is not read")


def _numbers(first: str, last: str, step: str | None) -> list[str]:
    padded = any(side.lstrip("-")[0] == "0" and len(side.lstrip("-")) > 1 for side in (first, last))
    width = max(len(first), len(last)) if padded else 0
    if padded and ("-" in first + last or step):
        raise NotUnderstood("this sequence in braces is not read")
    return [str(number).zfill(width) for number in _range(int(first), int(last), step)]


def _range(first: int, last: int, step: str | None) -> range:
    stride = abs(int(step)) if step else 1
    stride = stride or 1
    if abs(last - first) // stride >= MAX_RESULTS:
        raise NotUnderstood("the braces stand for too many words")
    return range(first, last + 1, stride) if first <= last else range(first, last - 1, -stride)
