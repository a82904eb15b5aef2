"""How long a call waits for an answer: the user's word, or a stricter one of a workspace.

More seconds are looser than fewer; `never` is looser than `unattended`, and that is looser than `always`. A workspace
that wants less is heard at once. One that wants more than the user's settings say needs the user's agreement, and then
it counts, unless another part of the workspace wants less than the user.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from assent.model.patience import LONGEST, SHORTEST, Allowance, TimeoutWhen, parse_seconds, parse_when
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers, Scope
from assent.settings.loosening import At, LooseningEntry, timeout_entry
from assent.settings.scales import Scales, Standing

T = TypeVar("T", float, TimeoutWhen)

_EFFECTS = {
    TimeoutWhen.ALWAYS: "A waiting call would be refused when its time is over, whether you are there or not.",
    TimeoutWhen.UNATTENDED: "The time after which a waiting call is refused would count only while nobody is there.",
    TimeoutWhen.NEVER: "A waiting call would never be refused by itself: it would wait until somebody answers.",
}


@dataclass(frozen=True, slots=True)
class _Setting(Generic[T]):
    """One of the two settings: what a value means, and which of two is looser."""

    key: str
    usual: T
    parse: Callable[[object], T | None]
    looseness: Callable[[T], float]
    expected: str
    effect: Callable[[T], str]

    def said(self, layer: Layer, found: Findings) -> T | None:
        """What this layer says, if it is anything."""
        value = layer.get(self.key)
        told = self.parse(value)
        if value is not None and told is None:
            counts = "until it is, the default counts" if layer.scope is Scope.USER else "it does not count"
            found.wrong(layer, f"{self.expected}; {counts}", self.key)
        return told

    def entry(self, layer: Layer, value: T, before: T) -> LooseningEntry:
        """This value, as what a user would agree to."""
        return timeout_entry(At(layer, self.key), value, before, self.effect(value))

    def weighed(self, layers: Layers, scales: Scales, found: Findings) -> T:
        """What counts of what all layers say."""
        users = agreed = self._of_user(layers.user, scales, found)
        stricter: list[T] = []
        for layer in reversed(layers.of_workspace):
            wanted = self.said(layer, found)
            if wanted is None or wanted == users:
                continue
            if self.looseness(wanted) < self.looseness(users):
                stricter.append(wanted)
            elif scales.standing(layer, self.entry(layer, wanted, users)) is Standing.COUNTS:
                agreed = wanted
        return min(stricter, key=self.looseness, default=agreed)

    def _of_user(self, user: Layer, scales: Scales, found: Findings) -> T:
        value = self.said(user, found)
        if value is None:
            return self.usual
        looser = self.looseness(value) > self.looseness(self.usual)
        if looser and scales.standing(user, self.entry(user, value, self.usual)) is not Standing.COUNTS:
            return self.usual
        return value


def _seconds_effect(seconds: float) -> str:
    return f"A waiting call would be refused by itself only after {seconds:g} seconds."


_SECONDS = _Setting(
    "approvalTimeoutSeconds",
    Allowance().seconds,
    parse_seconds,
    lambda seconds: seconds,
    f"a number of seconds from {SHORTEST} to {LONGEST}",
    _seconds_effect,
)
_WHEN = _Setting(
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
    yield from _entry_of(_SECONDS, layer, found)
    yield from _entry_of(_WHEN, layer, found)


def _entry_of(setting: _Setting[T], layer: Layer, found: Findings) -> Iterator[LooseningEntry]:
    value = setting.said(layer, found)
    if value is None:
        return
    if layer.scope is not Scope.USER or setting.looseness(value) > setting.looseness(setting.usual):
        yield setting.entry(layer, value, setting.usual)
