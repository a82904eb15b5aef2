"""A pattern of several names, compared with the names along a path. All possibilities are followed at once."""

from collections.abc import Sequence
from typing import NamedTuple

from assent.policy.rules.pattern import Step
from assent.policy.rules.segment import SegmentGlob, Tokens
from assent.policy.rules.spelling import Segment, Spelling


class Hit(NamedTuple):
    """How a path stands to a pattern."""

    itself: bool
    """The pattern means this path."""
    above: bool
    """It means a folder that the path lies in."""
    below: bool
    """It means something that may lie below this path."""

    @property
    def any(self) -> bool:
        return self.itself or self.above or self.below


class PathGlob:
    """Steps made ready to be compared with paths in one spelling."""

    __slots__ = ("_deep", "_end", "_plain", "_wild", "deep_start", "first", "needs")

    def __init__(self, steps: Sequence[Step], spelling: Spelling) -> None:
        self._plain: dict[str, int] = {}
        self._wild: dict[Tokens, tuple[SegmentGlob, int]] = {}
        self._deep = sum(1 << at for at, step in enumerate(steps) if step.deep)
        self._end = 1 << len(steps)
        self.first: SegmentGlob | None = None
        self.needs = ""
        """Characters that every matching path has in one of its names. Looking for them is quick."""
        for at, step in enumerate(steps):
            self._add(step.tokens, SegmentGlob(step.tokens, spelling), 1 << at)
        self.deep_start = bool(self._deep & 1)

    def _add(self, tokens: Tokens, glob: SegmentGlob, bit: int) -> None:
        """Steps that say the same are looked at together."""
        self.first = self.first or glob
        self.needs = max(self.needs, glob.needs, key=len)
        if glob.plain is not None:
            self._plain[glob.plain] = self._plain.get(glob.plain, 0) | bit
        else:
            _, bits = self._wild.get(tokens, (glob, 0))
            self._wild[tokens] = (glob, bits | bit)

    def match(self, names: Sequence[Segment]) -> Hit:
        """Goes along the path once."""
        state, above = 1, False
        for name in names:
            above = above or bool(state & self._end)
            state = self._after(name, state & ~self._end)
            if not state:
                break
        return Hit(bool(state & self._end), above, bool(state & ~self._end))

    def _after(self, name: Segment, state: int) -> int:
        accepted = self._plain.get(name.key, 0)
        for glob, bits in self._wild.values():
            if state & bits and glob.matches(name):
                accepted |= bits
        return ((state & accepted) << 1) | (state & self._deep)
