"""Patterns of file names, as bash would expand them with its usual options, within bounds.

Where bash's answer depends on its language or its version, more is matched here: that asks more, never less.
"""
# ruff: noqa: PTH112 - names as the system spells them

import os
import re
from collections.abc import Iterator

from assent.lazy_dataclasses import dataclass
from assent.tools.between_stars import holding

MOST_MATCHES = 200
MOST_LOOKED_AT = 20_000
_SPECIAL = re.compile(r"[*?\[\\]|[?*+@!]\(")


@dataclass(frozen=True, slots=True)
class Matches:
    """What a pattern means now."""

    names: tuple[str, ...]
    whole: bool = True
    """Whether these are all. Where not, `names` holds nothing but the folder from which it was looked."""


class _NotExpanded(Exception):
    """More matches than are looked at, or a pattern of a kind that is not expanded here."""


def expand(folder: str, pattern: str, budget: "Budget") -> Matches:
    """The names that a pattern matches, from this folder on; the name that it stands for where there is none."""
    budget.begin()
    base, rest = _split(pattern)
    base = base if pattern.startswith("/") else f"{folder.rstrip('/')}/{base}".rstrip("/")
    try:
        names = sorted(_matching(base, rest, budget))
    except _NotExpanded:
        return Matches((base or "/",), whole=False)
    # Brackets are read generously here, so what fits may not be what the shell finds: then it takes the pattern itself.
    unsure = "[" in pattern or not names
    itself = (f"{base}/{name}" for name in _literally("/".join(rest))) if unsure else ()
    return Matches(tuple(dict.fromkeys((*names, *itself))))


def _literally(pattern: str) -> tuple[str, ...]:
    """What a pattern without matches stands for: itself. `[*]` may be how a plain star was written down."""
    return tuple(dict.fromkeys((pattern, re.sub(r"\[(.)\]", r"\1", pattern))))


class Budget:
    """What all patterns of a command may cost together, and what each may match."""

    def __init__(self) -> None:
        self._looked, self._found = 0, 0

    def begin(self) -> None:
        """The next pattern."""
        self._found = 0

    def look(self) -> None:
        """One more name was looked at."""
        self._looked += 1
        if self._looked > MOST_LOOKED_AT:
            raise _NotExpanded

    def found(self) -> None:
        """One more name fits."""
        self._found += 1
        if self._found > MOST_MATCHES:
            raise _NotExpanded


def _split(pattern: str) -> tuple[str, list[str]]:
    """The part before the first special segment, and the segments from there on."""
    segments = pattern.split("/")
    at = next((number for number, one in enumerate(segments) if _SPECIAL.search(one)), len(segments))
    return "/".join(segments[:at]), segments[at:]


def _matching(base: str, segments: list[str], budget: Budget) -> Iterator[str]:
    if not segments:
        if os.path.lexists(base or "/"):
            budget.found()
            yield base or "/"
        return
    segment, rest = segments[0], segments[1:]
    if not _SPECIAL.search(segment):
        yield from _matching(f"{base}/{segment}", rest, budget)
        return
    fits = _compiled(segment)
    for name in _names(base or "/", budget, dotted=segment.startswith(".")):
        # A name that is followed by more must be a folder; a link to one counts.
        if fits.fullmatch(name) and (not rest or os.path.isdir(f"{base}/{name}")):
            yield from _matching(f"{base}/{name}", rest, budget)


def _names(folder: str, budget: Budget, *, dotted: bool) -> Iterator[str]:
    if dotted:
        yield from (".", "..")
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                budget.look()
                if dotted or not entry.name.startswith("."):
                    yield entry.name
    except OSError:
        return


def _compiled(segment: str) -> re.Pattern[str]:
    return holding(_between_stars(segment))


def _between_stars(segment: str) -> list[str]:
    """The regular expressions of what stands before, between and after the stars."""
    pieces, at = [""], 0
    while at < len(segment):
        char = segment[at]
        if char == "\\" or (char in "?*+@!" and segment[at + 1 : at + 2] == "("):
            # Whether a backslash is quoted is not known here, and bash has an option that gives brackets a meaning.
            raise _NotExpanded
        if char == "*":
            pieces.append("")
        elif char == "?":
            pieces[-1] += "."
        elif char == "[":
            body, at = _bracket(segment, at)
            pieces[-1] += body
        else:
            pieces[-1] += re.escape(char)
        at += 1
    return pieces


def _bracket(segment: str, start: int) -> tuple[str, int]:
    """The bracket expression that begins here as part of a regular expression, and where it ends."""
    at = start + 1
    negated = segment[at : at + 1] in ("!", "^")
    at += negated
    # A bracket that comes first stands for itself.
    end = segment.find("]", at + 1)
    body = segment[at:end]
    while end > 0 and body.count("[:") > body.count(":]"):
        end = segment.find("]", end + 1)
        body = segment[at:end]
    if end < 0:
        return re.escape("["), start
    if len(body) == 1 and not negated:
        return re.escape(body), end
    if negated or not _LISTED.fullmatch(body):
        return ".", end
    return f"[{body}]", end


_LISTED = re.compile(r"[A-Za-z0-9_.]+")
"""Characters without a range: which letters lie in one depends on the language."""
