"""The command: gathers the bundle, masks it as a whole, and prints it. Nothing is written, started or sent."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from assent.cli.diagnostics.commands import commands_shown
from assent.cli.diagnostics.machine import sandbox_tools, versions
from assent.cli.diagnostics.shown_settings import settings_shown
from assent.cli.diagnostics.state_files import state_files
from assent.cli.diagnostics.words import as_text
from assent.cli.host import app_that_only_reads
from assent.cli.log_file import last_lines
from assent.jsontext import readable_json
from assent.lazy_dataclasses import dataclass
from assent.masking import Json, mask_json
from assent.model.errors import AssentError, InvalidRequest
from assent.runtime.places import state_directory

LOG_LINES = 50


@dataclass(frozen=True, slots=True)
class DiagnosticsWish:
    """What stands on the command line."""

    folder: Path
    user_settings: Path | None = None
    as_json: bool = False


def diagnostics(wish: DiagnosticsWish) -> int:
    """Prints the bundle; 0, or 2 where the command line makes no sense."""
    try:
        bundle = gathered(wish)
    except AssentError as fault:
        sys.stderr.write(f"assent: {fault}\n")
        return 2
    text = readable_json(bundle) + "\n" if wish.as_json else as_text(bundle)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    return 0


def gathered(wish: DiagnosticsWish) -> Mapping[str, Any]:
    """The bundle, masked."""
    if not wish.folder.is_dir():
        raise InvalidRequest(f"there is no folder {wish.folder}")
    state = state_directory()
    app = app_that_only_reads()
    folder = Path(os.path.realpath(wish.folder))
    settings = settings_shown(app, folder, wish.user_settings)
    bundle: dict[str, Json] = {
        "versions": versions(),
        "sandbox": sandbox_tools(),
        "commands": commands_shown(folder, app.trust.now().shell, app.secrets.values),
        "settings": settings,
        "state": state_files(state),
        "log": _log(state),
    }
    app.keys.know(app.key_places())
    masked, count = mask_json(_at_home(bundle, str(Path.home())), app.secrets.values)
    return {**cast("Mapping[str, Any]", masked), "masked": count}


def _log(state: Path) -> list[Json]:
    try:
        return [*last_lines(state, LOG_LINES)]
    except OSError as fault:
        return [f"the log cannot be read: {fault.strerror or type(fault).__name__}"]


def _at_home(value: Json, home: str) -> Json:
    """The value without the name of the user's own folder."""
    if isinstance(value, str):
        return value.replace(home, "~") if len(home) > 1 else value
    if isinstance(value, Mapping):
        return {name: _at_home(item, home) for name, item in value.items()}
    return [_at_home(item, home) for item in value] if isinstance(value, list) else value
