"""What a plain request comes to: one call of a tool, and the words for it."""

from assent.lazy_dataclasses import dataclass
from assent.model.json import JsonObject


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing to do: the tool for it, its arguments, and the words for it."""

    tool: str
    args: JsonObject
    words: str


Plan = tuple[tuple[Wish, ...], ...]
"""Groups of wishes: those of a group are begun together, a group after the one before it."""
