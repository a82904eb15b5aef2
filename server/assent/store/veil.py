"""What is kept passes this before it is written: nothing that is or looks like a secret comes to the disk."""

from assent.masking import mask_json
from assent.model.json import Json
from assent.runtime.known_secrets import KnownSecrets
from assent.store.entry_text import mask_said
from assent.store.plain import Veil


def veil_over(secrets: KnownSecrets) -> Veil:
    """Masks what is known to be secret at the moment in which it is written, and what looks like it."""

    def text(text: str) -> str:
        return mask_said(text, secrets.values)[0]

    def value(value: Json) -> Json:
        masked: Json = mask_json(value, secrets.values)[0]
        return masked

    return Veil(text, value)
