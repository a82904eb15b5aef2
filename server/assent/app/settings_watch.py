"""Notices that settings changed where no client says so: another window, another program, a checkout."""

import logging
from collections.abc import Callable

from assent.runtime.clock import Clock

logger = logging.getLogger(__name__)

EVERY_SECONDS = 0.5


class SettingsWatch:
    """Looks again and again at something cheap that is another object once the settings are others."""

    def __init__(self, clock: Clock, state: Callable[[], object], changed: Callable[[], None]) -> None:
        self._clock = clock
        self._state = state
        self._changed = changed
        self._seen: object = None

    def seen(self) -> None:
        """What the settings are now is known."""
        self._seen = self._state()

    async def run(self) -> None:
        """Looks until it is cancelled."""
        while True:
            await self._clock.sleep(EVERY_SECONDS)
            try:
                self._look()
            except Exception:
                # One bad moment must not end the watch: then nothing would be noticed any more.
                logger.exception("the settings could not be looked at")

    def _look(self) -> None:
        if self._state() != self._seen:
            self.seen()
            self._changed()
