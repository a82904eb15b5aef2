"""What an entry is looked up by, in a few bytes: repeated from its text, and compared with it when it is checked."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

NAMES = (
    "at",
    "stage",
    "ending",
    "by",
    "reason",
    "option",
    "tool",
    "agent_id",
    "agent_name",
    "folder",
    "session",
    "call",
    "one",
    "asked",
    "waited",
    "took",
)
"""The columns of `facts` after the number."""


def facts_of(fields: Mapping[str, Any]) -> tuple[int | None, ...]:
    """The facts of an entry, in the order of NAMES."""
    session, run, call = (str(fields.get(name, "")) for name in ("session_id", "run_id", "call_id"))
    return (
        moment(fields.get("at")),
        *(fact(fields.get(name)) for name in NAMES[1:10]),
        fact(session),
        fact(call),
        _identity(f"{session}\n{run}\n{call}"),
        1 if fields.get("approval_id") else 0,
        _number(fields.get("waited_ms")),
        _number(fields.get("took_ms")),
    )


def fact(text: object) -> int | None:
    """A number that stands for a text. Two texts with one number do no harm: the text itself is looked at, too."""
    return _fact(text) if isinstance(text, str) else None


def moment(text: object) -> int | None:
    """A point in time as milliseconds since 1970, or None where it is none. Without a zone it is UTC."""
    if not isinstance(text, str):
        return None
    try:
        when = datetime.fromisoformat(text)
        aware = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
        return round(aware.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


@lru_cache(maxsize=4096)
def _fact(text: str) -> int:
    # Six bytes are stored in six; with the sign bit free.
    return int.from_bytes(_digest(text)[:6], "big") >> 1


def _identity(text: str) -> int:
    """Which call it is: here two with one number would be counted as one, so it is longer."""
    return int.from_bytes(_digest(text)[:8], "big") >> 1


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _number(value: object) -> int | None:
    """A duration; what does not fit into a column of SQLite says nothing."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62:
        return value
    return None
