"""The model's argument text as a JSON object."""

from collections.abc import Mapping

from assent.jsontext import NotJson, read_json
from assent.model.json import JsonObject


def parse_arguments(text: str) -> tuple[JsonObject | None, str | None]:
    """The object, or None and what is wrong. Empty text is an empty object; one level of quoting is undone."""
    if not text.strip():
        return {}, None
    try:
        value = read_json(text)
        if isinstance(value, str):
            # Some models send the arguments as a JSON string that holds the JSON object.
            value = read_json(value) if value.strip() else {}
    except NotJson as fault:
        return None, f"The arguments are not valid JSON: {fault}"
    if not isinstance(value, Mapping):
        return None, "The arguments must be a JSON object."
    return value, None
