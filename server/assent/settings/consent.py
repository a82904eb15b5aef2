"""What the user agreed to for a folder on this machine: kept outside every workspace, out of a repository's reach."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from json import dumps
from pathlib import Path

from assent.model.json import Json, JsonObject
from assent.settings.faults import Conflict, SettingsFault
from assent.settings.locking import locked
from assent.settings.reading import Reading, SettingsFile, explain, read_bytes
from assent.settings.replacing import replace_file

_VERSION = 1
_TRIES = 4


@dataclass(frozen=True, slots=True)
class FolderIdentity:
    """Which folder: by its real path and by what the file system knows it as. A copy is another folder."""

    path: str
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Consent:
    """The smallest thing that one agrees to: an entry of a setting. `digest` binds it to what it meant then."""

    setting: str
    entry: str
    digest: str


ConsentLookup = Callable[[Consent], bool]
_Record = tuple[FolderIdentity, Consent]
_Change = Callable[[FolderIdentity, Iterable[_Record]], Iterable[_Record]]


def folder_identity(folder: Path) -> FolderIdentity:
    """The identity of a folder, the same through whatever link it is reached; OSError where there is none."""
    real = os.path.realpath(folder)
    info = Path(real).stat()
    return FolderIdentity(real, info.st_dev, info.st_ino)


def no_consent(_: Consent) -> bool:
    """The lookup where there is no folder, and so nothing that was agreed to."""
    return False


@dataclass(frozen=True, slots=True, eq=False)
class _Ledger:
    """The ledger as one reading of its file gives it. With a fault it holds nothing."""

    reading: Reading
    records: frozenset[_Record] = frozenset()
    fault: str | None = None


class ConsentLedger:
    """The consent records of this machine, in one file of the state directory; read anew when the file changed."""

    def __init__(self, state_dir: Path) -> None:
        self.state_dir = state_dir
        self.file = state_dir / "consent.json"
        self._reader = SettingsFile(self.file)
        self._known: _Ledger | None = None

    @property
    def fault(self) -> str | None:
        """Why nothing counts as agreed to, in a sentence for a person; None where the ledger is sound."""
        fault = self._now().fault
        return fault and f"{self.file}: {fault}. Nothing that it holds counts; Assent asks again."

    @property
    def state(self) -> object:
        """Equal as long as the ledger did not change."""
        return self._now()

    def holds(self, folder: Path, consent: Consent) -> bool:
        """Whether the user agreed to exactly this for exactly this folder. Never raises; in doubt, no."""
        with suppress(OSError):
            return (folder_identity(folder), consent) in self._now().records and not self._is_within(folder)
        return False

    def lookup(self, folder: Path | None) -> ConsentLookup:
        """`holds` for one folder."""
        return no_consent if folder is None else lambda consent: self.holds(folder, consent)

    def grant(self, folder: Path, consent: Consent) -> None:
        """Records a consent, in place of an earlier one for the same entry. SettingsFault where it cannot be kept."""
        if self._is_within(folder):
            raise SettingsFault(
                f"Assent's state directory {self.state_dir} lies inside this workspace, where agents may write;"
                " move it elsewhere with ASSENT_STATE_DIR"
            )
        self._rewrite(folder, lambda identity, records: [*_others(records, identity, consent), (identity, consent)])

    def revoke(self, folder: Path, setting: str, entry: str) -> None:
        """Forgets the consent for an entry, whatever it was bound to. SettingsFault where it cannot be forgotten."""
        gone, ledger, real = Consent(setting, entry, ""), self._load(), os.path.realpath(folder)
        known = any(place.path == real and _same_entry(consent, gone) for place, consent in ledger.records)
        if known or ledger.fault is not None:
            self._rewrite(folder, lambda identity, records: [*_others(records, identity, gone)])

    def _is_within(self, folder: Path) -> bool:
        return Path(os.path.realpath(self.state_dir)).is_relative_to(os.path.realpath(folder))

    def _now(self) -> _Ledger:
        reading = self._reader.read()
        known = self._known
        if known is None or known.reading is not reading:
            known = self._known = _ledger(reading)
        return known

    def _load(self) -> _Ledger:
        """Read apart from `_now`: a write may run in another thread than the questions do."""
        return _ledger(SettingsFile(self.file).read())

    def _rewrite(self, folder: Path, change: _Change) -> None:
        try:
            identity = folder_identity(folder)
            with locked(self.state_dir / "locks" / "consent.lock"):
                self._replace(identity, change)
        except (OSError, SettingsFault) as fault:
            raise SettingsFault(f"{self.file} was not changed: {explain(fault)}") from fault

    def _replace(self, identity: FolderIdentity, change: _Change) -> None:
        for _ in range(_TRIES):
            before = read_bytes(self.file) if self.file.exists() else None
            ledger = self._load()
            if ledger.fault is not None and before is not None:
                self._set_aside(before)
            with suppress(Conflict):
                replace_file(self.file, before, _written(change(identity, ledger.records)), mode=0o600)
                self.file.chmod(0o600)
                return
        raise SettingsFault("another program keeps changing it")

    def _set_aside(self, content: bytes) -> None:
        """A copy of a ledger that cannot be read, before a sound one takes its place."""
        copy = self.file.with_name(f"consent.unreadable-{sha256(content).hexdigest()[:12]}.json")
        if not copy.exists():
            replace_file(copy, None, content, mode=0o600)


def _ledger(reading: Reading) -> _Ledger:
    if reading.document is None:
        return _Ledger(reading, fault=reading.fault)
    try:
        _require_private(reading.file)
        return _Ledger(reading, frozenset(_records(reading.document.value)))
    except (OSError, SettingsFault) as fault:
        return _Ledger(reading, fault=explain(fault))


def _others(records: Iterable[_Record], identity: FolderIdentity, consent: Consent) -> Iterable[_Record]:
    """The records that stay beside this entry: those of other folders and entries.

    What was agreed to for another folder that once stood at the same path goes, too: its number may be given anew.
    """
    for folder, known in records:
        if folder.path != identity.path or (folder == identity and not _same_entry(known, consent)):
            yield folder, known


def _same_entry(one: Consent, other: Consent) -> bool:
    return (one.setting, one.entry) == (other.setting, other.entry)


def _require_private(file: Path) -> None:
    if sys.platform != "win32" and file.stat().st_mode & 0o022:
        raise SettingsFault("others than its owner may write it")


def _records(value: Json) -> Iterable[_Record]:
    if not isinstance(value, Mapping) or value.get("version") != _VERSION or not isinstance(value.get("records"), list):
        raise SettingsFault("this is no list of consents that this version understands")
    records = value["records"]
    assert isinstance(records, list)
    return [_record(record) for record in records]


def _record(value: Json) -> _Record:
    fields = value if isinstance(value, Mapping) else {}
    folder = FolderIdentity(_text(fields, "path"), _number(fields, "device"), _number(fields, "inode"))
    return folder, Consent(_text(fields, "setting"), _text(fields, "entry"), _text(fields, "digest"))


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


def _written(records: Iterable[_Record]) -> bytes:
    rows = [{**asdict(folder), **asdict(consent)} for folder, consent in records]
    rows.sort(key=dumps)
    return (dumps({"version": _VERSION, "records": rows}, indent=1) + "\n").encode("ascii")
