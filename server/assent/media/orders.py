"""What is to be made, and what came of it."""

from assent.lazy_dataclasses import dataclass
from assent.media.kinds import Kind


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made."""

    text: str
    """What it shows, or says."""
    kind: Kind
    size: tuple[int, int] | None = None
    voice: str | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """The bytes, as they came; nobody has looked at them yet unless `checked` says what they are."""

    data: bytes
    checked: Kind | None = None
    note: str = ""
    """What the model is told beside that it is done."""
