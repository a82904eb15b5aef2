"""What runs shell commands, and how much they may take: the user's word, or less by a workspace.

A larger number is looser. A program of somebody else's choice is always looser, and no file of the workspace is one:
whoever changes it would change what every command that was agreed to does.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.model.limits import PATH, SHELL_LIMITS, SHELL_NAMES, LimitWords, ShellLimits, parse_limit
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.graded import Graded
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import At, LooseningEntry, shell_entry
from assent.settings.members import report_senseless
from assent.settings.scales import Scales, Standing
from assent.settings.shell_environment import interpreter_of, passed_in, passed_of, withheld_of

KEY = "shell"
_EXPECTED = "an object that says which shell runs commands and how much they may take"


def shell_limits_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> ShellLimits:
    """What counts now, entry by entry."""
    for layer in layers.all:
        report_senseless(layer, KEY, _EXPECTED, "The entries of assent.shell", SHELL_NAMES, found)
    numbers: dict[str, Any] = {field: graded.weighed(layers, scales, found) for field, graded in _GRADED.items()}
    return ShellLimits(
        _program_of(layers, facts, scales, found),
        **numbers,
        passed=passed_of(layers, scales, found),
        withheld=withheld_of(layers, found),
        interpreter=interpreter_of(layers),
    )


def shell_limits_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[LooseningEntry]:
    """What one layer says that may loosen something: of the user's settings, what is looser than saying nothing."""
    chosen = _chosen(layer, facts, found)
    if chosen is not None:
        yield chosen.entry(layer, None)
    for graded in _GRADED.values():
        yield from graded.entries(layer, found)
    yield from (entry for _, entry in passed_in(layer, found))


def shell_texts_in(layer: Layer) -> tuple[str, ...]:
    """What a layer names, to be looked up on the disk: the program, and the folder in which it stands."""
    program = parse_program(_said(layer))
    return () if program is None else (program, str(PurePath(program).parent))


def no_more_than_usual(known: ShellLimits) -> ShellLimits:
    """What counts of it while nobody can tell what the settings should say."""
    usual = ShellLimits()
    numbers: dict[str, Any] = {
        field: min(getattr(known, field), getattr(usual, field), key=_amount) for field in SHELL_LIMITS
    }
    return ShellLimits(**numbers, withheld=known.withheld)


@dataclass(frozen=True, slots=True)
class _Program:
    """A program as it is named, and where that really leads."""

    path: str
    real: str

    def entry(self, layer: Layer, before: str | None) -> LooseningEntry:
        return shell_entry(At(layer, KEY, (PATH,)), self.path, self.real, before)


def _program_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> str | None:
    """The user's program, or that of the workspace where the user agreed to it; None where nobody chose."""
    mine = _chosen(layers.user, facts, found)
    counts = mine is not None and scales.standing(layers.user, mine.entry(layers.user, None)) is Standing.COUNTS
    program = users = mine.path if mine is not None and counts else None
    for layer in reversed(layers.of_workspace):
        chosen = _chosen(layer, facts, found)
        if chosen is None or chosen.path == users:
            continue
        if scales.standing(layer, chosen.entry(layer, users)) is Standing.COUNTS:
            program = chosen.path
    return program


def _chosen(layer: Layer, facts: Facts, found: Findings) -> _Program | None:
    """The program that one layer names, if it can be one."""
    said = _said(layer)
    if said is None:
        return None
    program = parse_program(said)
    if program is None:
        found.wrong(layer, "the absolute path of a shell, or null; it does not count", KEY, PATH)
        return None
    path = PurePath(program)
    real, folder = (facts.directories.get((layer.folder, str(place))) for place in (program, path.parent))
    if real is None or folder is None:
        found.add("Where this program stands cannot be told: it does not count.", layer, KEY, PATH)
        return None
    # Whoever can write in one of these places can put another program there.
    places = (program, str(PurePath(folder) / path.name), real)
    if any(PurePath(place).is_relative_to(root) for place in places for root in facts.roots):
        words = "An agent could change this program, which lies in the workspace: it does not count."
        found.add(words, layer, KEY, PATH)
        return None
    return _Program(program, real)


def parse_program(value: object) -> str | None:
    """The program that a setting names. One that is looked for, in a folder or on PATH, could be anybody's."""
    if not isinstance(value, str) or "\0" in value:
        return None
    return value if PurePath(value).is_absolute() else None


def _said(layer: Layer) -> Json:
    said = layer.get(KEY)
    return said.get(PATH) if isinstance(said, Mapping) else None


def _amount(value: int | None) -> float:
    return float("inf") if value is None else value


def _effect(words: LimitWords, value: int | None) -> str:
    return words.more.format(value)


def _graded(field: str, words: LimitWords) -> Graded[int | None]:
    return Graded(
        KEY,
        getattr(ShellLimits(), field),
        partial(parse_limit, words),
        _amount,
        f"a whole number from {words.least} to {words.most}",
        partial(_effect, words),
        path=(words.name,),
    )


_GRADED = {field: _graded(field, words) for field, words in SHELL_LIMITS.items()}
