"""Patterns of paths, as gitignore has them: name by name, in a time that grows with their length and no faster."""

import re
from collections.abc import Sequence
from itertools import pairwise

from assent.lazy_dataclasses import dataclass
from assent.tools.between_stars import holding

MOST_ALTERNATIVES = 64
LONGEST = 1_000
_CLASSES = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
}
_ANY = None
"""Any number of names, also none."""


class UnusableGlob(ValueError):
    """It is no pattern, with the reason."""


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern that matches a path name by name."""

    names: tuple[re.Pattern[str] | None, ...]

    def matches(self, path: Sequence[str]) -> bool:
        """Whether the whole path fits."""
        at = inside = 0
        star: tuple[int, int] | None = None
        while inside < len(path):
            name = self.names[at] if at < len(self.names) else None
            if at < len(self.names) and name is _ANY:
                star = (at, inside)
                at += 1
            elif name is not None and name.fullmatch(path[inside]):
                at, inside = at + 1, inside + 1
            elif star is not None:
                # What stands for many names takes one more. Those before it need not be tried again.
                star = (star[0], star[1] + 1)
                at, inside = star[0] + 1, star[1]
            else:
                return False
        return all(name is _ANY for name in self.names[at:])


def glob_of(pattern: str) -> Glob:
    """A pattern from its first name on. At its end, two stars are what lies in a folder. Raises UnusableGlob."""
    names: list[re.Pattern[str] | None] = []
    for name in pattern.split("/"):
        if name == "**":
            names += [] if names and names[-1] is _ANY else [_ANY]
        elif name:
            names.append(name_pattern(name))
    if names and names[-1] is _ANY:
        names.append(name_pattern("*"))
    if not names:
        raise UnusableGlob("it names nothing")
    return Glob(tuple(names))


def name_pattern(name: str) -> re.Pattern[str]:
    """One name, in which stars stand for any characters. Raises UnusableGlob."""
    return holding(_between_stars(name))


def _between_stars(name: str) -> list[str]:
    """The regular expressions of what stands before, between and after the stars."""
    pieces, at = [""], 0
    while at < len(name):
        char = name[at]
        at += 1
        if char == "*":
            pieces.append("")
        elif char == "?":
            pieces[-1] += "."
        elif char == "[":
            body, at = _bracket(name, at)
            pieces[-1] += body
        elif char == "\\":
            if at == len(name):
                raise UnusableGlob("it ends with a backslash")
            pieces[-1] += re.escape(name[at])
            at += 1
        else:
            pieces[-1] += re.escape(char)
    return [pieces[0], *(one for one in pieces[1:-1] if one), pieces[-1]] if len(pieces) > 1 else pieces


def _bracket(name: str, at: int) -> tuple[str, int]:
    """What a bracket that was opened before this place stands for, and where it ends."""
    negated = name[at : at + 1] in ("!", "^")
    at += negated
    items: list[str] = []
    first = True
    while first or name[at : at + 1] != "]":
        first = False
        known = re.match(r"\[:(\w+):\]", name[at:])
        if known is not None:
            if known[1] not in _CLASSES:
                raise UnusableGlob(f"there is no class of characters named {known[1]}")
            items.append(_CLASSES[known[1]])
            at += known.end()
            continue
        low, at = _character(name, at)
        if name[at : at + 1] == "-" and name[at + 1 : at + 2] not in ("]", ""):
            high, at = _character(name, at + 1)
            # From the higher to the lower there is nothing but the first.
            items.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low))
        else:
            items.append(re.escape(low))
    body = "".join(items)
    if not body:
        return ("." if negated else "(?!)"), at + 1
    return f"[{'^' if negated else ''}{body}]", at + 1


def _character(name: str, at: int) -> tuple[str, int]:
    at += name[at : at + 1] == "\\"
    if at >= len(name):
        raise UnusableGlob("a square bracket is not closed")
    return name[at], at + 1


def alternatives(pattern: str) -> tuple[str, ...]:
    """The patterns that one with braces stands for: `*.{ts,tsx}` are two. Raises UnusableGlob."""
    done, ahead = list[str](), [pattern]
    while ahead:
        one = ahead.pop(0)
        found = _first_braces(one)
        if found is None:
            done.append(one)
        else:
            start, end, choices = found
            ahead += [one[:start] + choice + one[end:] for choice in choices]
        if len(done) + len(ahead) > MOST_ALTERNATIVES:
            raise UnusableGlob(f"its braces stand for more than {MOST_ALTERNATIVES} patterns")
    return tuple(dict.fromkeys(done))


def _first_braces(pattern: str) -> tuple[int, int, list[str]] | None:
    """Where the first braces with a comma are, and what they hold."""
    depth, start, at, cuts = 0, -1, 0, list[int]()
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "{":
            depth, start, cuts = depth + 1, (at if depth == 0 else start), ([at] if depth == 0 else cuts)
        elif char == "," and depth == 1:
            cuts.append(at)
        elif char == "}" and depth:
            depth -= 1
            if depth == 0 and len(cuts) > 1:
                edges = [*cuts, at]
                return start, at + 1, [pattern[a + 1 : b] for a, b in pairwise(edges)]
        at += 1
    if depth:
        raise UnusableGlob("a brace is not closed")
    return None
