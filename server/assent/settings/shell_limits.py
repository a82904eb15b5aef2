"""What runs shell commands, and how much they may take: the user's word, or less by a workspace.

A larger number is looser. A program of somebody else's choice is always looser, and no file of the workspace is one:
whoever changes it would change what every command that was agreed to does.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

from assent.model.json import Json
from assent.model.limits import PATH, SHELL_LIMITS, SHELL_NAMES, LimitWords, ShellLimits, parse_limit, parse_program
from assent.settings.facts import Facts
from assent.settings.findings import Findings
from assent.settings.graded import Graded
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import At, LooseningEntry, shell_entry
from assent.settings.members import report_senseless
from assent.settings.scales import Scales, Standing

KEY = "shell"
_EXPECTED = "an object that says which shell runs commands and how much they may take"


def shell_limits_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> ShellLimits:
    """What counts now, entry by entry."""
    for layer in layers.all:
        report_senseless(layer, KEY, _EXPECTED, "The entries of assent.shell", SHELL_NAMES, found)
    numbers: dict[str, Any] = {field: graded.weighed(layers, scales, found) for field, graded in _GRADED.items()}
    return ShellLimits(_program_of(layers, facts, scales, found), **numbers)


def shell_limits_in(layer: Layer, facts: Facts, found: Findings) -> Iterator[LooseningEntry]:
    """What one layer says that may loosen something: of the user's settings, what is looser than saying nothing."""
    chosen = _chosen(layer, facts, found)
    if chosen is not None:
        yield _entry(layer, chosen, facts, None)
    for graded in _GRADED.values():
        yield from graded.entries(layer, found)


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
    return ShellLimits(**numbers)


def _program_of(layers: Layers, facts: Facts, scales: Scales, found: Findings) -> str | None:
    """The user's program, or that of the workspace where the user agreed to it; None where nobody chose."""
    users = _chosen(layers.user, facts, found)
    if users is not None:
        standing = scales.standing(layers.user, _entry(layers.user, users, facts, None))
        users = users if standing is Standing.COUNTS else None
    program = users
    for layer in reversed(layers.of_workspace):
        chosen = _chosen(layer, facts, found)
        if chosen is None or chosen == users:
            continue
        if scales.standing(layer, _entry(layer, chosen, facts, users)) is Standing.COUNTS:
            program = chosen
    return program


def _chosen(layer: Layer, facts: Facts, found: Findings) -> str | None:
    """The program that one layer names, if it can be one."""
    said = _said(layer)
    if said is None:
        return None
    program = parse_program(said)
    if program is None:
        found.wrong(layer, "the absolute path of a shell, or null; it does not count", KEY, PATH)
        return None
    places = _places_of(layer, program, facts)
    if not places:
        found.add("Where this program stands cannot be told: it does not count.", layer, KEY, PATH)
        return None
    if any(PurePath(place).is_relative_to(root) for place in places for root in facts.roots):
        found.add(
            "An agent could change this program, which lies in the workspace: it does not count.", layer, KEY, PATH
        )
        return None
    return program


def _places_of(layer: Layer, program: str, facts: Facts) -> tuple[str, ...]:
    """Where the program is found, and where it really is: whoever can write in one of them can put another there."""
    path = PurePath(program)
    real, folder = (facts.directories.get((layer.folder, str(place))) for place in (program, path.parent))
    return () if real is None or folder is None else (program, str(PurePath(folder) / path.name), real)


def _said(layer: Layer) -> Json:
    said = layer.get(KEY)
    return said.get(PATH) if isinstance(said, Mapping) else None


def _entry(layer: Layer, program: str, facts: Facts, before: str | None) -> LooseningEntry:
    real = facts.directories[layer.folder, program]
    return shell_entry(At(layer, KEY, (PATH,)), program, real, before)


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
