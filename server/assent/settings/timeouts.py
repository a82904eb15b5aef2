"""How long a call waits for an answer: the user's word, or a stricter one of a workspace.

More seconds are looser than fewer; `never` is looser than `unattended`, and that is looser than `always`.
"""

from collections.abc import Iterator
from dataclasses import replace

from assent.model.patience import LONGEST, SHORTEST, Allowance, TimeoutWhen, parse_seconds, parse_when
from assent.settings.findings import Findings
from assent.settings.graded import Graded
from assent.settings.layers import Layer, Layers
from assent.settings.loosening import LooseningEntry
from assent.settings.scales import Scales

_EFFECTS = {
    TimeoutWhen.ALWAYS: "A waiting call would be refused when its time is over, whether you are there or not.",
    TimeoutWhen.UNATTENDED: "The time after which a waiting call is refused would count only while nobody is there.",
    TimeoutWhen.NEVER: "A waiting call would never be refused by itself: it would wait until somebody answers.",
}


def _seconds_effect(seconds: float) -> str:
    return f"A waiting call would be refused by itself only after {seconds:g} seconds."


_SECONDS = Graded(
    "approvalTimeoutSeconds",
    Allowance().seconds,
    parse_seconds,
    lambda seconds: seconds,
    f"a number of seconds from {SHORTEST} to {LONGEST}",
    _seconds_effect,
)
_WHEN = Graded(
    "approvalTimeoutWhen",
    Allowance().when,
    parse_when,
    lambda when: when.looseness,
    '"unattended", "always" or "never"',
    _EFFECTS.__getitem__,
)


def allowance_of(layers: Layers, scales: Scales, found: Findings) -> Allowance:
    """What counts now."""
    return Allowance(_SECONDS.weighed(layers, scales, found), _WHEN.weighed(layers, scales, found))


def no_looser_than_usual(known: Allowance) -> Allowance:
    """What counts of it while nobody can tell what the settings should say."""
    usual = Allowance()
    when = min(known.when, usual.when, key=lambda one: one.looseness)
    return replace(known, seconds=min(known.seconds, usual.seconds), when=when)


def timeouts_in(layer: Layer, found: Findings) -> Iterator[LooseningEntry]:
    """What one layer says that may loosen something: of the user's settings, what is looser than saying nothing."""
    yield from _SECONDS.entries(layer, found)
    yield from _WHEN.entries(layer, found)
