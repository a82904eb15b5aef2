"""What chats pass before they are written: nothing that looks like a secret comes to the disk."""

from functools import lru_cache

from assent.masking import mask_json, mask_text
from assent.model.json import Json
from assent.store.plain import Veil

SHORT = 200


def _text(text: str) -> str:
    return _short(text) if len(text) <= SHORT else mask_text(text)[0]


@lru_cache(maxsize=512)
def _short(text: str) -> str:
    """Names of tools, headlines and reasons come again and again."""
    return mask_text(text)[0]


def _value(value: Json) -> Json:
    masked: Json = mask_json(value)[0]
    return masked


VEIL = Veil(_text, _value)
