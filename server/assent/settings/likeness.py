"""Which of the known names somebody meant who wrote another one, and how a name of any length is shown."""

from collections.abc import Collection
from difflib import get_close_matches

_LONGEST_NAME = 100


def closest(name: str, known: Collection[str]) -> str | None:
    """The known name that is most like this one, if any is."""
    close = get_close_matches(name, sorted(known), n=1) if len(name) <= _LONGEST_NAME else []
    return close[0] if close else None


def meant(like: str | None) -> str:
    """What a sentence about a name that nobody has ends with."""
    return f' Did you mean "{like}"?' if like else ""


def shown(name: str) -> str:
    """The name, cut where it is too long to be one."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
