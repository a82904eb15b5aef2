"""Words about searching the web."""

from assent.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found, as whoever searched describes it."""

    title: str
    url: str
    snippet: str = ""
