"""What the user answered about a folder's settings on this machine: kept outside every workspace, out of its reach."""

import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from assent.lazy_dataclasses import dataclass
from assent.runtime.clock import SystemClock
from assent.settings.birth import birth_of
from assent.settings.consent_file import Consent, FolderIdentity, Record, ledger_text, records_from
from assent.settings.faults import Conflict, SettingsFault
from assent.settings.locking import locked
from assent.settings.reading import Reading, SettingsFile, explain, read_bytes
from assent.settings.replacing import replace_file

__all__ = [
    "Answer",
    "Consent",
    "ConsentLedger",
    "ConsentLookup",
    "FolderIdentity",
    "Record",
    "folder_identity",
    "identity_of_real",
    "never_asked",
]

logger = logging.getLogger(__name__)

_TRIES = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """What the user says about one entry of a folder's settings: it counts, or it is ignored."""

    folder: Path
    consent: Consent
    honoured: bool


ConsentLookup = Callable[[Consent], bool | None]
"""Whether the user agreed to an entry (True), refused it (False), or was never asked about it as it stands (None)."""

_Key = tuple[FolderIdentity, Consent]
_Change = Callable[[tuple[Record, ...]], Iterable[Record]]


def folder_identity(folder: Path) -> FolderIdentity:
    """The identity of a folder, the same through whatever link it is reached; OSError where there is none."""
    return identity_of_real(os.path.realpath(folder))


def identity_of_real(real: str) -> FolderIdentity:
    """The same of a path that was followed already."""
    info = os.stat(real)  # noqa: PTH116 - for every question to the settings
    return FolderIdentity(real, info.st_dev, info.st_ino, birth_of(real, info))


def never_asked(_: Consent) -> bool | None:
    """The lookup where there is no folder, and so nothing that was answered."""
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Ledger:
    """The ledger as one reading of its file gives it. With a fault it holds nothing."""

    reading: Reading
    records: tuple[Record, ...] = ()
    answers: Mapping[_Key, bool] = field(default_factory=lambda: MappingProxyType({}))
    fault: str | None = None


class ConsentLedger:
    """The answers of this machine's user, in one file of the state directory; read anew when the file changed."""

    def __init__(self, state_dir: Path, timestamp: Callable[[], str] | None = None) -> None:
        self.state_dir = state_dir
        self._timestamp = timestamp or SystemClock().timestamp
        self.file = state_dir / "consent.json"
        self._reader = SettingsFile(self.file)
        self._known: _Ledger | None = None
        self._ended = set[_Key]()
        """What counts no more, and could not be forgotten: as long as this process lives, it is."""

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
        return self.lookup(folder)(consent) is True

    def lookup(self, folder: Path | None) -> ConsentLookup:
        """What was answered for one folder until now. Never raises; in doubt, nothing was."""
        with suppress(OSError):
            if folder is not None and not self._is_within(folder):
                identity, answers = folder_identity(folder), self._now().answers

                def answer(consent: Consent) -> bool | None:
                    if (identity, consent) in self._ended:
                        return None
                    return answers.get((identity, consent), answers.get((identity.undated, consent)))

                return answer
        return never_asked

    def answered(self, folder: Path) -> tuple[Record, ...]:
        """What was answered for this folder, as it is kept. Never raises; in doubt, nothing was."""
        with suppress(OSError):
            if not self._is_within(folder):
                identity = folder_identity(folder)
                return tuple(record for record in self._now().records if record.folder.is_same(identity))
        return ()

    def grant(self, folder: Path, consent: Consent) -> None:
        """Records a consent, in place of an earlier answer on the same entry. SettingsFault where it cannot be kept."""
        self.record([Answer(folder, consent, honoured=True)])

    def record(self, answers: Sequence[Answer]) -> None:
        """Keeps all of these answers, each in place of an earlier one on the same entry, or raises a SettingsFault."""
        if not answers:
            return
        for folder in {answer.folder for answer in answers}:
            self._require_outside(folder)
        with self._explained():
            at = self._timestamp()
            records = [
                Record(folder_identity(answer.folder), answer.consent, answer.honoured, at) for answer in answers
            ]
            self._rewrite(lambda known: [*_others(known, records), *_last_of_each(records)])
            self._ended.difference_update((record.folder, record.consent) for record in records)

    def revoke(self, folder: Path, setting: str, entry: str) -> None:
        """Forgets the answer on an entry, whatever it was bound to. SettingsFault where it cannot be forgotten."""
        ledger, real = self._load(), os.path.realpath(folder)
        places = {(record.folder.path, *_entry(record.consent)) for record in ledger.records}
        if (real, setting, entry) in places or ledger.fault is not None:
            with self._explained():
                gone = [Record(folder_identity(folder), Consent(setting, entry, ""), honoured=False)]
                self._rewrite(lambda records: _others(records, gone))

    def end(self, folder: Path, consent: Consent) -> None:
        """The user took this back. Counts at once; never raises."""
        try:
            self.revoke(folder, consent.setting, consent.entry)
        except SettingsFault as fault:
            logger.warning("a consent that was taken back could not be forgotten: %s", fault)
            with suppress(OSError):
                self._ended.add((folder_identity(folder), consent))

    def _require_outside(self, folder: Path) -> None:
        if self._is_within(folder):
            raise SettingsFault(
                f"Assent's state directory {self.state_dir} lies inside this workspace, where agents may write;"
                " move it elsewhere with ASSENT_STATE_DIR"
            )

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

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, SettingsFault) as fault:
            raise SettingsFault(f"{self.file} was not changed: {explain(fault)}") from fault

    def _rewrite(self, change: _Change) -> None:
        with locked(self.state_dir / "locks" / "consent.lock"):
            for _ in range(_TRIES):
                before = read_bytes(self.file) if self.file.exists() else None
                ledger = self._load()
                if ledger.fault is not None and before is not None:
                    self._set_aside(before)
                with suppress(Conflict):
                    replace_file(self.file, before, ledger_text(change(ledger.records)), mode=0o600)
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
        if reading.document.repeated:
            raise SettingsFault("it says one thing twice")  # noqa: TRY301
        records = records_from(reading.document.value)
    except (OSError, SettingsFault) as fault:
        return _Ledger(reading, fault=explain(fault))
    answers: dict[_Key, bool] = {}
    for record in records:
        key = (record.folder, record.consent)
        # Where two records contradict each other, the refusal counts.
        answers[key] = record.honoured and answers.get(key, True)
    return _Ledger(reading, records, answers)


def _others(known: Iterable[Record], answered: Sequence[Record]) -> Iterable[Record]:
    """The records that stay beside these answers: those of other folders and entries.

    What was answered for another folder that once stood at the same path goes, too: its number may be given anew.
    """
    here = {record.folder.path: record.folder for record in answered}
    replaced = {(record.folder, _entry(record.consent)) for record in answered}
    for record in known:
        same_place = here.get(record.folder.path, record.folder)
        if record.folder.is_same(same_place) and (same_place, _entry(record.consent)) not in replaced:
            yield record


def _last_of_each(answered: Sequence[Record]) -> Iterable[Record]:
    return {(record.folder, _entry(record.consent)): record for record in answered}.values()


def _entry(consent: Consent) -> tuple[str, str]:
    return consent.setting, consent.entry


def _require_private(file: Path) -> None:
    if file.is_symlink():
        raise SettingsFault("it is a link, and what it leads to may lie where agents write")
    if sys.platform != "win32" and any(place.stat().st_mode & 0o022 for place in (file, file.parent)):
        raise SettingsFault("others than its owner may write it, or the folder that it lies in")
