"""What the log says of answers that did not count: each with its reason, and of very many only how many they were."""

import logging
import time
from collections.abc import Callable
from uuid import UUID

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 60.0
ONE_BY_ONE = 20
"""So many within the window are listed one by one."""


class RefusedAnswers:
    """Those of one client. No word of an answer is written down, and of its id only one that could be one of ours."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since = now()
        self._count = 0

    def note(self, approval_id: str | None, reason: str) -> None:
        """This answer did not count."""
        if self._now() - self._since > WINDOW_SECONDS:
            self._since, self._count = self._now(), 0
        self._count += 1
        if self._count <= ONE_BY_ONE:
            logger.warning("an answer to %s did not count: %s", _shown(approval_id), reason)
        elif str(self._count).rstrip("0") in ("1", "5"):
            # So that whoever tries thousands neither fills the log nor goes unseen.
            logger.warning("%d answers did not count within a minute; the last one: %s", self._count, reason)


def _shown(approval_id: str | None) -> str:
    if approval_id is None:
        return "no approval"
    try:
        known = str(UUID(approval_id)) == approval_id
    except ValueError:
        known = False
    return f"approval {approval_id}" if known else f"what is no approval's id ({len(approval_id)} characters)"
