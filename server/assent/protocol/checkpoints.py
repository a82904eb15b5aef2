"""What runs changed by tools that write files, and rolling that back. What shell commands wrote is not part of it."""

from typing import Literal

from attrs import frozen

from assent.protocol.previews import DiffPreview

FileState = Literal["changed", "created", "changed_since", "same", "left"]


@frozen
class CheckpointListParams:
    """Of which chat."""

    session_id: str


@frozen
class CheckpointInfo:
    """A run that wrote files. `notKept`: how many of them cannot be rolled back."""

    run_id: str
    at: str
    files: tuple[str, ...]
    not_kept: int


@frozen
class CheckpointList:
    """The newest first."""

    checkpoints: tuple[CheckpointInfo, ...]


@frozen
class CheckpointRef:
    """A run of a chat."""

    session_id: str
    run_id: str


@frozen
class CheckpointFile:
    """A file that the run wrote, by its real path. `changed_since`: it is only rolled back where that is said of it."""

    path: str
    shown: str
    state: FileState
    note: str | None = None
    preview: DiffPreview | None = None
    """From before the run until now."""


@frozen
class CheckpointDiff:
    """All files of a run as they stand now; `digest` stands for exactly that."""

    run_id: str
    at: str
    digest: str
    files: tuple[CheckpointFile, ...]
    more: int = 0
    """Files beyond those that could be listed: they cannot be rolled back."""


@frozen
class CheckpointTextParams:
    """A file of a run, by its real path."""

    session_id: str
    run_id: str
    path: str


@frozen
class CheckpointText:
    """The text that it had before the run; left out where there was none, or no copy is there."""

    text: str | None = None


@frozen
class CheckpointRestoreParams:
    """What was shown under this digest is rolled back; what changed since only where it is named here."""

    session_id: str
    run_id: str
    digest: str
    also_changed: tuple[str, ...] = ()


@frozen
class CheckpointLeft:
    """A file that is as it was."""

    shown: str
    why: str


@frozen
class CheckpointRestored:
    """What became of it. With an `error`, nothing was rolled back as far as it does not say otherwise."""

    restored: tuple[str, ...]
    left: tuple[CheckpointLeft, ...]
    error: str | None = None
