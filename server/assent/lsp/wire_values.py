"""Single values of the model as the wire has them: words, and arguments up to a size."""

from enum import StrEnum
from typing import Any

from assent.jsontext import carry, write_json

MAX_ARGS_BYTES = 64 * 1024


def word(value: StrEnum) -> Any:
    """A word of the model as the same word of the wire; a test holds the two lists equal."""
    return value.value


def bounded(args: object) -> object:
    """The arguments, or the same shape with its long texts cut, or the beginning of their text."""
    carried, _ = carry(args)
    if len(write_json(carried)) <= MAX_ARGS_BYTES:
        return carried
    shortened = _shortened(carried)
    if len(text := write_json(shortened)) <= MAX_ARGS_BYTES:
        return shortened
    return text[:MAX_ARGS_BYTES].decode("ascii") + "…"


def _shortened(value: object, limit: int = 4_096) -> object:
    """The same shape with its long texts cut, for the row of a call; never for what runs."""
    if isinstance(value, str) and len(value) > limit:
        return value[:limit] + "…"
    if isinstance(value, dict):
        return {key[:limit]: _shortened(item, limit) for key, item in list(value.items())[:100]}
    if isinstance(value, list):
        return [_shortened(item, limit) for item in value[:100]]
    return value
