"""What the user answered about a folder's settings, for people: in the words of the entries that stand there now."""

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.settings.consent import Record
from assent.settings.layers import Origin
from assent.settings.loosening import LooseningEntry, shown
from assent.settings.spelling import PREFIX


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer: that an entry counts, or that it is ignored."""

    folder: Path
    record: Record
    words: str
    origin: Origin | None = None
    """Where the entry stands; None where it does not any more, or is another one by now."""

    @property
    def answer_id(self) -> str:
        """Equal as long as it is the same answer about the same."""
        consent = self.record.consent
        said = [str(self.folder), consent.setting, consent.entry, consent.digest, self.record.honoured, self.record.at]
        return sha256(json.dumps(said).encode("ascii")).hexdigest()[:32]


def kept_answers(folder: Path, records: Iterable[Record], entries: Sequence[LooseningEntry]) -> Iterator[KeptAnswer]:
    """The answers for one folder, the newest first, each beside the entry of its settings that it is about."""
    standing = {entry.consent: entry for entry in entries}
    for record in sorted(records, key=lambda one: one.at, reverse=True):
        entry = standing.get(record.consent)
        if entry is not None:
            yield KeptAnswer(folder, record, entry.words, entry.origin)
        else:
            yield KeptAnswer(folder, record, _gone(record))


def _gone(record: Record) -> str:
    consent = record.consent
    return f"An entry of {PREFIX}.{consent.setting} that does not stand there any more: {shown(consent.entry)}"
