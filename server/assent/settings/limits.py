"""The limits of a run: the user's numbers, or smaller ones of a workspace. A larger number is looser."""

from collections.abc import Iterator
from functools import partial

from assent.model.limits import LIMIT_NAMES, LIMITS, Limits, LimitWords, parse_limit
from assent.settings.findings import Findings
from assent.settings.graded import Graded
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import LooseningEntry
from assent.settings.members import report_senseless
from assent.settings.scales import Scales

KEY = "limits"


def limits_of(layers: Layers, scales: Scales, found: Findings) -> Limits:
    """What counts now, limit by limit."""
    for layer in layers.all:
        report_senseless(layer, KEY, "an object that maps a limit to a number", "The limits", LIMIT_NAMES, found)
    return Limits(**{field: graded.weighed(layers, scales, found) for field, graded in _GRADED.items()})


def limits_in(layer: Layer, found: Findings) -> Iterator[LooseningEntry]:
    """What one layer says that may loosen something: of the user's settings, what is larger than saying nothing."""
    for graded in _GRADED.values():
        yield from graded.entries(layer, found)


def no_larger_than_usual(known: Limits) -> Limits:
    """What counts of them while nobody can tell what the settings should say."""
    usual = Limits()
    return Limits(**{field: min(getattr(known, field), getattr(usual, field)) for field in LIMITS})


def _effect(words: LimitWords, value: int) -> str:
    return words.more.format(value)


def _graded(field: str, words: LimitWords) -> Graded[int]:
    return Graded(
        KEY,
        int(getattr(Limits(), field)),
        partial(parse_limit, words),
        lambda value: value,
        f"a whole number from {words.least} to {words.most}",
        partial(_effect, words),
        path=(words.name,),
    )


_GRADED = {field: _graded(field, words) for field, words in LIMITS.items()}
