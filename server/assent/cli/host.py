"""Who owns the app behind a face: built on first need, because its libraries take a while to load."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import assent
from assent.runtime.clock import SystemClock
from assent.runtime.garbage import loading
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.places import state_directory

if TYPE_CHECKING:
    from assent.app.app import App
    from assent.app.records import Records

SWITCH_SECONDS = 0.0005
"""How long one thread works while another wants to: a tenth of what Python takes by itself."""


def build_app(secrets: KnownSecrets, *beside: Path) -> "App":
    """The app of this process, which learns of secrets. No agent may touch its folders, nor these files beside them."""
    # The thread that writes asks for its turn after every step of a transaction, and what is asked for waits for it.
    sys.setswitchinterval(SWITCH_SECONDS)
    state = state_directory()
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    # The editor has its first answer by now. Classes leave a seventh of all memory behind them when they are made.
    with loading(swept=True):
        from assent.app.records import KeptRecords

        return _app(state, KeptRecords(state, secrets=secrets), *beside)


def app_that_only_reads() -> "App":
    """The same for a process that only thinks: nothing is made on the disk, and what is there counts."""
    return _app(state_directory(), None)


def _app(state: Path, records: "Records | None", *beside: Path) -> "App":
    from assent.app.app import App

    environment = [Path(sys.prefix)] if sys.prefix != sys.base_prefix else []
    return App(SystemClock(), state, (Path(assent.__file__).parent, *environment, *beside), records)
