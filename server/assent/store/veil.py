"""What chats pass before they are written: nothing that looks like a secret comes to the disk."""

from assent.masking import mask_json, mask_text
from assent.model.json import Json
from assent.store.plain import Veil


def _text(text: str) -> str:
    return mask_text(text)[0]


def _value(value: Json) -> Json:
    masked: Json = mask_json(value)[0]
    return masked


VEIL = Veil(_text, _value)
