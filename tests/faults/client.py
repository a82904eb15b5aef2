"""A client that remembers all that was said, both ways, in order: what the checker compares with the journal."""

import threading
from dataclasses import dataclass
from typing import Any

from tests.support.server import EagerClient

Json = Any


@dataclass(frozen=True, slots=True)
class Said:
    """One message: heard from the server, or sent to it."""

    heard: bool
    message: dict[str, Json]


class FaultClient(EagerClient):
    """Keeps the log of one server's life."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.log: list[Said] = []
        self._logging = threading.Lock()
        super().__init__(*arguments, **options)

    def send(self, message: Json) -> None:
        """Sends it; what may have reached a server that dies meanwhile is in the log too."""
        self._say(Said(False, message))
        super().send(message)

    def _reply(self, message: Json) -> None:
        self._say(Said(True, message))
        super()._reply(message)

    def _say(self, said: Said) -> None:
        with self._logging:
            self.log.append(said)
