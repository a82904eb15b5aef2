"""What stands in a message of an agent, taken with care: it may hold anything, and nothing of it may raise.

An object that was read from JSON is a dict. To ask whether something is any kind of mapping takes many times as long,
and a single message is asked it dozens of times.
"""

from collections.abc import Sequence

from assent.model.json import LARGEST_EXACT, Json, JsonObject

LONGEST_NAME = 500
"""Of names and titles, in characters."""
LONGEST_DESCRIPTION = 2_000
CUT = "…"
"""Stands at the end of what was too long."""


def as_object(value: Json) -> JsonObject:
    """The object; an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def member(value: Json, *keys: str) -> Json:
    """What stands in an object under these keys, one below the other; None where there is nothing."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def items(value: Json) -> Sequence[Json]:
    """The items of a list; none where it is no list."""
    return value if isinstance(value, list | tuple) else ()


def text_in(value: Json) -> str | None:
    """A text that is not empty."""
    return value if isinstance(value, str) and value else None


def name_in(value: Json) -> str | None:
    """A text for a title or a name, not longer than one."""
    return _cut(value, LONGEST_NAME)


def description_in(value: Json) -> str:
    """A text that describes; empty where there is none."""
    return _cut(value, LONGEST_DESCRIPTION) or ""


def count_in(value: Json) -> int | None:
    """A count; None where it is none."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= LARGEST_EXACT else None


def offered(value: Json) -> bool:
    """Whether something is there: true, or an object that says more about it."""
    return value is True or isinstance(value, dict)


def _cut(value: Json, longest: int) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    return value if len(value) <= longest else value[: longest - len(CUT)] + CUT
