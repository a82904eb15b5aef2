"""Tells what commands print as often as a person can follow, however fast they print."""

import asyncio
from collections.abc import Callable

from assent.lazy_dataclasses import dataclass
from assent.runtime.processes import Stream
from assent.shells.shell import Shell

SHORTEST_PAUSE = 0.2
MOST_A_SECOND = 20
"""Of all commands together."""
MOST_AT_ONCE = 4_096
"""Characters. What is more, a page asks for, or nobody reads."""

Tell = Callable[[Shell, Stream, str], None]


@dataclass(slots=True)
class _Pending:
    stream: Stream
    text: str
    left_out: int = 0

    def add(self, stream: Stream, text: str) -> None:
        self.stream = stream
        self.text += text
        too_much = len(self.text) - MOST_AT_ONCE
        if too_much > 0:
            self.text = self.text[too_much:]
            self.left_out += too_much

    def shown(self) -> str:
        return f"[{self.left_out} characters left out]\n{self.text}" if self.left_out else self.text


class Telling:
    """Gathers what is printed, and tells it piece by piece."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._pending: dict[Shell, _Pending] = {}
        self._timers: dict[Shell, asyncio.TimerHandle] = {}

    def add(self, shell: Shell, stream: Stream, text: str) -> None:
        """A command printed this."""
        if not text:
            return
        pending = self._pending.setdefault(shell, _Pending(stream, ""))
        pending.add(stream, text[-2 * MOST_AT_ONCE :])
        pending.left_out += max(0, len(text) - 2 * MOST_AT_ONCE)
        if shell not in self._timers:
            pause = max(SHORTEST_PAUSE, (len(self._timers) + 1) / MOST_A_SECOND)
            self._timers[shell] = asyncio.get_running_loop().call_later(pause, self._due, shell)

    def flush(self, shell: Shell) -> None:
        """Tells what is left of a command, which has ended or goes on elsewhere."""
        timer = self._timers.pop(shell, None)
        if timer is not None:
            timer.cancel()
        self._say(shell)

    def _due(self, shell: Shell) -> None:
        self._timers.pop(shell, None)
        self._say(shell)

    def _say(self, shell: Shell) -> None:
        pending = self._pending.pop(shell, None)
        if pending is not None:
            self._tell(shell, pending.stream, pending.shown())
