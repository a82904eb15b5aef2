"""The end of the process by the clock, for when a handler blocks the loop or a thread does not let go.

Nothing that it started may outlive it, this way of ending included.
"""

import logging
import os
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class LastResort:
    """Once armed, ends the process when it has not ended by itself in time."""

    def __init__(self, seconds: float, exit_code: Callable[[], int], at_last: Callable[[], None]) -> None:
        self._at_last = at_last
        self._exit_code = exit_code
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._armed = False

    def arm(self) -> None:
        """The clock runs from the first call on. Any thread may call."""
        with self._lock:
            if not self._armed:
                self._armed = True
                self._timer.start()

    def _end(self) -> None:
        log.error("something did not let go in time: ending the process the hard way")
        try:
            self._at_last()
        finally:
            os._exit(self._exit_code())
