"""Two calls compared, as a sequence compares each with all others: how much their order matters."""

from enum import Enum

from assent.policy.conflicts import Resources, Touched, better_apart


class Conflict(Enum):
    """How much the order of two calls matters."""

    NONE = "none"
    WEAK = "weak"
    """They are better not carried out at the same time."""
    STRONG = "strong"
    """The model's order has to be kept."""


def between(one: Resources, other: Resources) -> Conflict:
    """How much the order of these two matters."""
    touched: Touched[str] = Touched()
    touched.add("one", one)
    if touched.in_the_way_of(other):
        return Conflict.STRONG
    return Conflict.WEAK if better_apart(one, other) else Conflict.NONE
