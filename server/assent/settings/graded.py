"""Settings whose values go from strict to loose: the user's word, or a stricter one of a workspace.

A workspace that wants something stricter is heard at once. One that wants more than the user's settings say needs the
user's agreement, and then it counts, unless another part of the workspace wants something stricter than the user.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from assent.lazy_dataclasses import dataclass
from assent.settings.findings import Findings
from assent.settings.layers import Layer, Layers, Scope
from assent.settings.loosening import At, LooseningEntry, graded_entry
from assent.settings.scales import Scales, Standing

T = TypeVar("T", bound=float | str | None)


@dataclass(frozen=True, slots=True)
class Graded(Generic[T]):
    """One such setting, or one entry of it: what a value means, and which of two is looser."""

    key: str
    usual: T
    """Where it is None, saying nothing has a meaning of its own; null in the settings says nothing, too."""
    parse: Callable[[object], T | None]
    looseness: Callable[[T], float]
    expected: str
    effect: Callable[[T], str]
    """What a value would let happen, as a sentence."""
    path: tuple[str, ...] = ()
    """Below the setting."""

    def weighed(self, layers: Layers, scales: Scales, found: Findings) -> T:
        """What counts of what all layers say."""
        users = agreed = self._of_user(layers.user, scales, found)
        stricter: list[T] = []
        for layer in reversed(layers.of_workspace):
            wanted = self._said(layer, found)
            if wanted is None or wanted == users:
                continue
            if self.looseness(wanted) < self.looseness(users):
                stricter.append(wanted)
            elif scales.standing(layer, self._entry(layer, wanted, users)) is Standing.COUNTS:
                agreed = wanted
        return min(stricter, key=self.looseness, default=agreed)

    def entries(self, layer: Layer, found: Findings) -> Iterator[LooseningEntry]:
        """What one layer says that may loosen something: of the user's settings, what is looser than saying nothing."""
        value = self._said(layer, found)
        if value is not None and (layer.scope is not Scope.USER or self._is_loose(value)):
            yield self._entry(layer, value, self.usual)

    def _of_user(self, user: Layer, scales: Scales, found: Findings) -> T:
        value = self._said(user, found)
        if value is None:
            return self.usual
        if self._is_loose(value):
            standing = scales.standing(user, self._entry(user, value, self.usual))
            return value if standing is Standing.COUNTS else self.usual
        return value

    def _is_loose(self, value: T) -> bool:
        return self.looseness(value) > self.looseness(self.usual)

    def _said(self, layer: Layer, found: Findings) -> T | None:
        value = layer.get(self.key)
        for name in self.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        told = self.parse(value)
        if value is not None and told is None:
            counts = "until it is, the default counts" if layer.scope is Scope.USER else "it does not count"
            found.wrong(layer, f"{self.expected}; {counts}", self.key, *self.path)
        return told

    def _entry(self, layer: Layer, value: T, before: T) -> LooseningEntry:
        return graded_entry(At(layer, self.key, self.path), value, before, self.effect(value))
