"""When a request is made again, and after how long. Only what failed before the model said anything is."""

from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime

TRIES_MORE = 2
LONGEST_WAIT = 60.0
"""Seconds. Who wants to be asked later than that is asked by the user."""
_FIRST_WAIT = 1.0
_GROWTH = 3.0
_AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504, 529})

Header = Callable[[str], str | None]


def is_passing(status: int, header: Header) -> bool:
    """Whether the same request may be answered well in a moment. A server that knows says so itself."""
    told = {"true": True, "false": False}.get((header("x-should-retry") or "").strip().lower())
    return status in _AGAIN if told is None else told and status >= 400


def asked_wait(header: Header, now: str) -> float | None:
    """The seconds after which the server wants to be asked again, where it says so. `now` is for one without clock."""
    milliseconds = _number(header("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    said = header("retry-after")
    seconds = _number(said)
    if said is None or seconds is not None:
        return seconds
    until, since = _date(said), _date(header("date") or "") or _iso(now)
    return max((until - since).total_seconds(), 0.0) if until and since else None


def back_off(tries: int, chance: float) -> float:
    """Seconds to wait after so many tries; `chance`, from 0 to 1, keeps many clients from coming back at once."""
    return _FIRST_WAIT * _GROWTH ** (tries - 1) * (0.75 + chance / 2)


def in_words(seconds: float) -> str:
    """A time to wait, for a person."""
    if seconds < 90:
        whole = max(round(seconds), 1)
        return f"{whole} second{'s' if whole != 1 else ''}"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} minutes"
    return f"{round(seconds / 3600)} hours"


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo else None


def _iso(text: str) -> datetime | None:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return None
    return date if date.tzinfo else None
