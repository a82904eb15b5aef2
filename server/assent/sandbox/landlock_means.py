"""Confining with Landlock."""

from assent.sandbox.means import Means


def landlock(empty: str) -> Means | str:
    """Not yet."""
    return "not there."
