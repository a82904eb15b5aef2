"""One command in several folders, of which nobody knows in which one it will run: all that it would do in any."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from assent.acp.command_lines import goes_where_it_runs
from assent.model.commands import Command, Part
from assent.model.modes import graver

_T = TypeVar("_T")


def in_any(commands: Sequence[Command]) -> Command:
    """For a decision: what is allowed is allowed in each of the folders."""
    unreadable = next((one.unreadable for one in commands if one.unreadable is not None), None)
    return replace(
        commands[0],
        parts=_once(part for one in commands for part in one.parts) if unreadable is None else (),
        unreadable=unreadable,
        words=_once(word for one in commands for word in one.words),
        beyond=next((one.beyond for one in commands if one.beyond), ""),
    )


def for_words(commands: Sequence[Command]) -> Command:
    """For people: each part once, with what it would do in any of the folders."""
    written = {tuple(part.written for part in one.parts) for one in commands}
    if len(written) > 1 or any(one.unreadable is not None for one in commands):
        return in_any(commands)
    return replace(commands[0], parts=tuple(map(_one_of, zip(*(one.parts for one in commands), strict=True))))


def goes_itself(command: Command) -> bool:
    """Whether it does the same wherever it begins, because it first goes to a folder by its full name."""
    known = command.unreadable is None and all(one.directory is not None or _goes(one) for one in command.all())
    return known and goes_where_it_runs(command.text)


def _goes(part: Part) -> bool:
    return part.steps[:1] == ("cd",) and bool(part.touches) and not (part.dangers or part.unknown)


def _one_of(parts: Sequence[Part]) -> Part:
    first, *others = dict.fromkeys(parts)
    if not others:
        return first
    inner = [one.inner for one in (first, *others)]
    alike = len({tuple(part.written for part in one) for one in inner}) == 1
    return replace(
        first,
        category=reduce(graver, (one.category for one in others), first.category),
        touches=_once(touch for one in parts for touch in one.touches),
        paths=_once(use for one in parts for use in one.paths),
        dangers=_once(danger for one in parts for danger in one.dangers),
        unknown=_once(sentence for one in parts for sentence in one.unknown),
        inner=tuple(map(_one_of, zip(*inner, strict=True))) if alike else _once(part for one in inner for part in one),
    )


def _once(values: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(values))
