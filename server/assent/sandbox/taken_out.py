"""Protected things that a command has made where nothing was: moved out of the workspace, and never deleted."""
# ruff: noqa: PTH103, PTH118 - names as the system spells them

import logging
import os
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime

from assent.runtime.ids import new_id

logger = logging.getLogger(__name__)


def take_out(paths: Iterable[str], state: str) -> None:
    """Moves each into a folder of its own below the state directory, under the path that it had."""
    found = _outermost(paths)
    if not found:
        return
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    place = os.path.join(state, "taken-out", f"{stamp}-{new_id()[:8]}")
    for path in found:
        target = os.path.join(place, path.lstrip("/"))
        try:
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)  # noqa: PTH120
            shutil.move(path, target)
        except OSError as fault:
            # It is told of all the same, as something that has appeared.
            logger.warning("something protected could not be taken out: %s", type(fault).__name__)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Without what lies in another of them."""
    found: list[str] = []
    for path in sorted(set(paths)):
        if not found or not path.startswith(found[-1].rstrip("/") + "/"):
            found.append(path)
    return found
