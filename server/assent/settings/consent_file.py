"""How consents are written down: the text of the ledger, and what it says when it is read back.

Version 1 knew only what was agreed to. A version that is not known says nothing at all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, field
from json import dumps

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject
from assent.settings.faults import SettingsFault

VERSION = 2
_AGREED_ONLY = 1
# Far below what a settings file may hold, so that the ledger can always be read back.
_MOST_RECORDS = 5_000
_MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FolderIdentity:
    """Which folder: by its real path and by what the file system knows it as. A copy is another folder."""

    path: str
    device: int
    inode: int
    born: int = 0
    """When the folder was made; 0 where that is not known, or was not kept yet."""

    def is_same(self, other: "FolderIdentity") -> bool:
        """Whether both are one folder, as far as is known."""
        known = (self.path, self.device, self.inode) == (other.path, other.device, other.inode)
        return known and (self.born == other.born or 0 in (self.born, other.born))

    @property
    def undated(self) -> "FolderIdentity":
        """As a ledger names it that does not know when it was made."""
        return FolderIdentity(self.path, self.device, self.inode)


@dataclass(frozen=True, slots=True)
class Consent:
    """The smallest thing that one agrees to: an entry of a setting. `digest` binds it to what it meant then."""

    setting: str
    entry: str
    digest: str


@dataclass(frozen=True, slots=True)
class Record:
    """What the user answered about an entry of a folder's settings: that it counts, or that it is ignored."""

    folder: FolderIdentity
    consent: Consent
    honoured: bool
    at: str = field(default="", compare=False)
    """When, for people; empty where that was not kept yet. Nothing is decided by it."""


def records_from(value: Json) -> tuple[Record, ...]:
    """The records that a ledger holds; a SettingsFault where this version does not understand it."""
    fields = value if isinstance(value, Mapping) else {}
    version, records = fields.get("version"), fields.get("records")
    known = isinstance(version, int) and not isinstance(version, bool) and _AGREED_ONLY <= version <= VERSION
    if not known or not isinstance(records, list):
        raise SettingsFault("this is no list of consents that this version understands")
    return tuple(_record(record, answered=version != _AGREED_ONLY) for record in records)


def _record(value: Json, *, answered: bool) -> Record:
    fields = value if isinstance(value, Mapping) else {}
    born = _number(fields, "born") if "born" in fields else 0
    folder = FolderIdentity(_text(fields, "path"), _number(fields, "device"), _number(fields, "inode"), born)
    consent = Consent(_text(fields, "setting"), _text(fields, "entry"), _text(fields, "digest"))
    honoured = fields.get("honoured") if answered else True
    if not isinstance(honoured, bool):
        raise SettingsFault("a consent in it says neither yes nor no")
    at = fields.get("at")
    return Record(folder, consent, honoured, at if isinstance(at, str) else "")


def _text(fields: JsonObject, name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise SettingsFault(f"a consent in it has no {name}")
    return value


def _number(fields: JsonObject, name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise SettingsFault(f"a consent in it has no {name}")
    return value


def ledger_text(records: Iterable[Record]) -> bytes:
    """The ledger that holds these records."""
    rows = [
        {
            **asdict(record.folder),
            **asdict(record.consent),
            "honoured": record.honoured,
            **({"at": record.at} if record.at else {}),
        }
        for record in dict.fromkeys(records)
    ]
    rows.sort(key=dumps)
    text = (dumps({"version": VERSION, "records": rows}, indent=1) + "\n").encode("ascii")
    if len(rows) > _MOST_RECORDS or len(text) > _MOST_BYTES:
        raise SettingsFault(f"it holds {len(rows) - 1} answers already; take those of old folders out of it")
    return text
