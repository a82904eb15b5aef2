"""Arguments of a call that an agent gives as text instead of as an object."""

from assent.acp.words import Content, Text
from assent.jsontext import NotJson, read_json
from assent.model.json import JsonObject


def object_in(text: str) -> JsonObject | None:
    """The JSON object that this text is; None where it is none, or not whole yet."""
    if text.lstrip()[:1] != "{":
        return None
    try:
        value = read_json(text)
    except NotJson:
        return None
    return value if isinstance(value, dict) else None


def arguments_in(content: tuple[Content, ...] | None) -> JsonObject | None:
    """The arguments, where the whole content is the text of an object."""
    if content is None or len(content) != 1 or not isinstance(content[0], Text):
        return None
    return object_in(content[0].text)
