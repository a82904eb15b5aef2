"""Whether models read keys and tokens: the user's word, or a stricter one of a workspace."""

from assent.model.secrets_reading import SecretsReading, parse_reading
from assent.settings.graded import Graded

KEY = "secrets.reading"
_EFFECTS = {
    SecretsReading.MASK: "What looks like a key or a token would be masked before a model reads it.",
    SecretsReading.ASK: "You would be asked before a model reads what looks like a key or a token; now it is masked.",
    SecretsReading.SHOW: "Models would read keys and tokens as they stand in files and in what commands print.",
}


def _looseness(reading: SecretsReading) -> float:
    return reading.looseness


SECRETS_READING = Graded(
    KEY, SecretsReading.MASK, parse_reading, _looseness, '"show", "mask" or "ask"', _EFFECTS.__getitem__
)
