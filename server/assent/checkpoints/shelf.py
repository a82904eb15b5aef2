"""Where checkpoints are kept: in the state directory, for the user alone, no more than there is room for.

Each run has a folder with an index and one copy a file. What is or looks like a secret never comes to the disk; it is
kept in memory as long as this process lives, or not at all.
"""

import logging
import os
import shutil
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from assent.checkpoints.kept import (
    MOST_INDEX_BYTES,
    Checkpoint,
    KeptFile,
    Unreadable,
    folder_name,
    index_text,
    read_index,
)
from assent.checkpoints.marks import Marks, is_marked
from assent.masking import mask_text
from assent.policy.protected import is_secret
from assent.runtime.known_secrets import KnownSecrets
from assent.tools.disk import Content, digest_of
from assent.tools.places import Place
from assent.tools.text import decode

logger = logging.getLogger(__name__)

MOST_FILE_BYTES = 10 * 1024 * 1024
MOST_RUN_BYTES = 64 * 1024 * 1024
MOST_RUN_FILES = 500
MOST_RUNS = 100
MOST_BYTES = 512 * 1024 * 1024
MOST_MEMORY = 32 * 1024 * 1024
LONGEST_SEARCHED = 2 * 1024 * 1024
"""Characters in which secrets are looked for: more takes too long."""

FOR_SECRETS = "It is a file for secrets, so no copy of it was kept."
IN_MEMORY = "It holds what looks like a secret, so its copy is kept in memory only, until the server ends."
UNSEARCHED = "It is too long to be searched for secrets, so its copy is kept in memory only, until the server ends."
TOO_BIG = f"It was longer than {MOST_FILE_BYTES >> 20} MiB, so no copy of it was kept."
TOO_MUCH = f"This run wrote files of more than {MOST_RUN_BYTES >> 20} MiB together, so no copy of this one was kept."
NO_COPY = "No copy of it could be kept: the disk did not take it."
LOST = "Its copy is not there any more."
_INDEX = "index.json"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Shelf:
    """Any thread may call; for one run, one at a time."""

    def __init__(
        self, folder: Path, secrets: KnownSecrets, *, most_runs: int = MOST_RUNS, most: int = MOST_BYTES
    ) -> None:
        self._folder = folder
        self._secrets = secrets
        self._most_runs = most_runs
        self._most = most
        self._memory: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        """The contents that must not come to the disk, by run and path."""
        self.marks = Marks(folder, secrets, self._read)
        """The roll backs that go on."""

    def entry(self, checkpoint: Checkpoint, place: Place, content: Content | None) -> KeptFile:
        """What there is to know of a file that is about to be written for the first time, with its copy kept."""
        if content is None:
            return KeptFile(place.real, place.shown, existed=False, new_folders=_missing_above(place))
        mode = content.status.st_mode & 0o777
        file = KeptFile(place.real, place.shown, existed=True, mode=mode, before=content.digest)
        why_not, in_memory = self._why_not(checkpoint, place, content)
        if why_not is None:
            return self._copied(checkpoint, file, content.data)
        if in_memory:
            self._remember(checkpoint.run_id, place.real, content.data)
        return replace(file, why_not=why_not)

    def save(self, checkpoint: Checkpoint) -> None:
        """Writes down what is known of a run. A disk that does not take it is no reason not to go on."""
        folder = self._folder_of(checkpoint.run_id)
        try:
            self._made(folder)
            beside = folder / f"{_INDEX}.new"
            with suppress(FileNotFoundError):
                beside.unlink()
            _write(beside, index_text(self._without_secrets(checkpoint)))
            beside.replace(folder / _INDEX)
        except OSError as fault:
            logger.warning("a checkpoint could not be kept (%s)", type(fault).__name__)

    def all_of(self, session_id: str) -> list[Checkpoint]:
        """The checkpoints of a chat, the newest first."""
        found = [one for one in map(self._read, self._oldest_first()) if one is not None]
        return [one for one in reversed(found) if one.session_id == session_id]

    def content(self, checkpoint: Checkpoint, file: KeptFile) -> bytes | None:
        """What the file held; None where that is not known any more, or never was."""
        remembered = self._memory.get((checkpoint.run_id, file.path))
        data = remembered if remembered is not None else self._copy(checkpoint, file)
        # A copy that was changed is none.
        return data if data is not None and digest_of(data) == file.before else None

    def tidy(self) -> None:
        """Takes the oldest away where there are too many, or where they are too much."""
        runs = self._oldest_first()
        sizes = {run: _size(run) for run in runs}
        total = sum(sizes.values())
        for at, run in enumerate(runs[:-1]):
            if len(runs) - at <= self._most_runs and total <= self._most:
                break
            if is_marked(run):
                # What is being rolled back just now, in whichever window.
                continue
            total -= sizes[run]
            shutil.rmtree(run, ignore_errors=True)

    def _without_secrets(self, checkpoint: Checkpoint) -> Checkpoint:
        """A name that holds what looks like a secret is none to write down."""
        told = tuple(one for one in checkpoint.files if not mask_text(one.path, self._secrets.values)[1])
        return replace(checkpoint, files=told, more=checkpoint.more + len(checkpoint.files) - len(told))

    def _why_not(self, checkpoint: Checkpoint, place: Place, content: Content) -> tuple[str | None, bool]:
        """Why its content does not come to the disk, and whether it may be remembered."""
        if is_secret(place.real) or is_secret(place.named):
            return FOR_SECRETS, False
        if not content.whole or content.size > MOST_FILE_BYTES:
            return TOO_BIG, False
        if content.size + _size(self._folder_of(checkpoint.run_id)) > MOST_RUN_BYTES:
            return TOO_MUCH, False
        readings = _readings(content.data)
        if any(len(text) > LONGEST_SEARCHED for text in readings):
            return UNSEARCHED, True
        return (IN_MEMORY, True) if self._holds_secret(content.data, readings) else (None, False)

    def _holds_secret(self, data: bytes, readings: tuple[str, ...]) -> bool:
        known = self._secrets.values
        return any(value.encode() in data for value in known) or any(mask_text(text, known)[1] for text in readings)

    def _copied(self, checkpoint: Checkpoint, file: KeptFile, data: bytes) -> KeptFile:
        folder, name = self._folder_of(checkpoint.run_id), str(len(checkpoint.files))
        try:
            self._made(folder)
            _write(folder / name, data)
        except OSError as fault:
            logger.warning("a copy of a file could not be kept (%s)", type(fault).__name__)
            with suppress(OSError):
                (folder / name).unlink()
            return replace(file, why_not=NO_COPY)
        return replace(file, copy=name)

    def _remember(self, run_id: str, path: str, data: bytes) -> None:
        self._memory[run_id, path] = data
        while sum(map(len, self._memory.values())) > MOST_MEMORY:
            self._memory.popitem(last=False)

    def _copy(self, checkpoint: Checkpoint, file: KeptFile) -> bytes | None:
        if file.copy is None:
            return None
        try:
            return _bytes(self._folder_of(checkpoint.run_id) / file.copy, MOST_FILE_BYTES)
        except OSError:
            return None

    def _read(self, folder: Path) -> Checkpoint | None:
        try:
            checkpoint = read_index(_bytes(folder / _INDEX, MOST_INDEX_BYTES))
        except (OSError, Unreadable):
            return None
        # Copied or renamed, it is none of that run.
        return checkpoint if self._folder_of(checkpoint.run_id) == folder else None

    def _folder_of(self, run_id: str) -> Path:
        return self._folder / folder_name(run_id)

    def _made(self, folder: Path) -> None:
        for one in (self._folder, folder):
            one.mkdir(parents=True, exist_ok=True, mode=0o700)

    def _oldest_first(self) -> list[Path]:
        found = []
        with suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        found.append((entry.stat(follow_symlinks=False).st_mtime_ns, entry.path))
        return [Path(path) for _, path in sorted(found)]


def _readings(data: bytes) -> tuple[str, ...]:
    """The texts that it may hold: in an encoding that nobody named, what is a secret is still plain to read."""
    text = decode(data)
    if text is not None:
        return (text,)
    # Two or four bytes a character are mostly zeros where what is written is a token.
    plain = data.decode("latin-1")
    return (plain, plain.replace("\0", "")) if "\0" in plain else (plain,)


def _missing_above(place: Place) -> int:
    """How many folders will have to be made for it. It was looked at some time ago; this is how it is now."""
    above = Path(place.real).parents
    return next((count for count, folder in enumerate(above) if os.path.lexists(folder)), 0)


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, _NEW, 0o600), "wb") as stream:
        stream.write(data)


def _bytes(path: Path, most: int) -> bytes:
    with os.fdopen(os.open(path, _READ), "rb") as stream:
        return stream.read(most + 1)


def _size(folder: Path) -> int:
    total = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                total += entry.stat(follow_symlinks=False).st_size
    return total
