"""How a function that comes with the product becomes a node."""

from collections.abc import Callable, Mapping
from typing import Any

from assent.lazy_dataclasses import dataclass
from assent.model.errors import ToolFault
from assent.model.json import Json, JsonObject

Inputs = Mapping[str, Any]
MOST_TEXT = 2_000_000
"""Characters that one input, or a result, may have."""
TEXT: JsonObject = {"type": "string", "maxLength": MOST_TEXT}
COUNT: JsonObject = {"type": "integer", "minimum": 0}


@dataclass(frozen=True, slots=True)
class Function:
    """One of them: the same inputs give the same result, and nothing is read or changed on the way."""

    name: str
    title: str
    description: str
    schema: JsonObject
    work: Callable[[Inputs], Json]
    """Runs beside the loop. Raises ToolFault."""


def taking(properties: JsonObject, *required: str) -> JsonObject:
    """The schema of inputs with these names and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def wrong(text: str) -> ToolFault:
    """What it was given cannot be worked with, and why."""
    return ToolFault("invalid_arguments", text)


def not_too_long(text: str) -> str:
    """The result, unless it has grown beyond what anybody reads."""
    if len(text) > MOST_TEXT:
        raise wrong(f"The result would have {len(text)} characters; {MOST_TEXT} are the most.")
    return text
