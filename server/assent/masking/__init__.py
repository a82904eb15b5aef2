"""Secrets in texts and in JSON, masked before anything is written down, logged or shown to another.

Nothing here reads a clock, a file or an environment. What looks like a secret is replaced by a mark that says what
kind of secret stood there; masking what is masked changes nothing.
"""

from assent.masking.marks import holds_mark, stray_mark
from assent.masking.names import kind_of_name
from assent.masking.texts import mask_lines, mask_text, mask_tokens, masked_part
from assent.masking.values_of_json import Json, mask_json

__all__ = [
    "Json",
    "holds_mark",
    "kind_of_name",
    "mask_json",
    "mask_lines",
    "mask_text",
    "mask_tokens",
    "masked_part",
    "stray_mark",
]
