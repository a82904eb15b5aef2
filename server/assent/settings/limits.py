"""The limits of a run: the user's numbers, or smaller ones of a workspace. A larger number is looser."""

from collections.abc import Iterator, Mapping
from functools import partial

from assent.model.limits import LIMIT_NAMES, LIMITS, Limits, LimitWords, parse_limit
from assent.settings.findings import Findings
from assent.settings.graded import Graded
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import LooseningEntry
from assent.settings.scales import Scales

KEY = "limits"


def limits_of(layers: Layers, scales: Scales, found: Findings) -> Limits:
    """What counts now, limit by limit."""
    for layer in layers.all:
        _report_senseless(layer, found)
    return Limits(**{field: graded.weighed(layers, scales, found) for field, graded in _GRADED.items()})


def limits_in(layer: Layer, found: Findings) -> Iterator[LooseningEntry]:
    """What one layer says that may loosen something: of the user's settings, what is larger than saying nothing."""
    for graded in _GRADED.values():
        yield from graded.entries(layer, found)


def no_larger_than_usual(known: Limits) -> Limits:
    """What counts of them while nobody can tell what the settings should say."""
    usual = Limits()
    return Limits(**{field: min(getattr(known, field), getattr(usual, field)) for field in LIMITS})


def _report_senseless(layer: Layer, found: Findings) -> None:
    said = layer.get(KEY)
    if said is None:
        return
    if not isinstance(said, Mapping):
        found.wrong(layer, "an object that maps a limit to a number; it does not count", KEY)
        return
    for name in said:
        if name not in LIMIT_NAMES:
            found.add(f"The limits are {', '.join(LIMIT_NAMES)}: this does not count.", layer, KEY, name)


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
