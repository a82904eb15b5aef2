"""What stands on the disk while a roll back goes on: exactly what the user agreed to. Written, and read strictly."""

from collections.abc import Sequence
from dataclasses import asdict
from types import NoneType

from assent.checkpoints.kept import Unreadable, fits, told_in
from assent.jsontext import write_json
from assent.lazy_dataclasses import dataclass

VERSION = 1
MOST_MARK_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Agreed:
    """One file that is to be rolled back."""

    path: str
    """Its real name."""
    shown: str
    was: str
    """What stood for it when the user agreed: as anything else it is not touched."""
    was_mode: int | None
    """Who could read, write and run it then; None where there was none."""
    before: str | None
    """What stands for what it is to hold; None where it is to go."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A roll back that was begun, and is not known to be over."""

    run_id: str
    session_id: str
    files: tuple[Agreed, ...] = ()
    unnamed: int = 0
    """Files beside them whose names are none to write down."""
    readable: bool = True
    """False: there was one, and what it was to do cannot be read any more."""


def mark_text(begun: Begun) -> bytes:
    """How it is written down."""
    told = asdict(begun)
    del told["readable"]
    return write_json({"version": VERSION, **told})


def read_mark(text: bytes) -> Begun:
    """What was written down. Raises Unreadable for anything else."""
    told = told_in(text, VERSION)
    files = told.pop("files", None)
    if not (fits(told, _OF_ALL) and isinstance(files, list) and all(fits(one, _OF_FILE) for one in files)):
        raise Unreadable("it makes no sense")
    return Begun(**told, files=tuple(Agreed(**one) for one in files))


def without(begun: Begun, hidden: Sequence[Agreed]) -> Begun:
    """The same, with these files counted only."""
    told = tuple(one for one in begun.files if one not in hidden)
    return Begun(begun.run_id, begun.session_id, told, begun.unnamed + len(begun.files) - len(told))


_OF_ALL = {"run_id": (str,), "session_id": (str,), "unnamed": (int,)}
_OF_FILE = {"path": (str,), "shown": (str,), "was": (str,), "was_mode": (int, NoneType), "before": (str, NoneType)}
