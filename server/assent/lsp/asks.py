"""What we asked the client, and who waits for the answers. These ids live apart from the client's own ids."""

import asyncio
import itertools
import logging
from typing import Any

from assent.lsp.envelope import Answer
from assent.lsp.faults import Disconnected

log = logging.getLogger(__name__)


class Asks:
    """The open questions to one client."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._open: dict[str, asyncio.Future[Any]] = {}
        self._closed = False

    def open(self) -> tuple[str, asyncio.Future[Any]]:
        """A new id and the future of its answer."""
        if self._closed:
            raise Disconnected
        ask_id = f"assent-{next(self._numbers)}"
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._open[ask_id] = future
        return ask_id, future

    def forget(self, ask_id: str) -> None:
        """Nobody waits any more: a late answer is ignored."""
        self._open.pop(ask_id, None)

    def settle(self, answer: Answer) -> None:
        """An answer came. Late ones, and ones to nothing, are ignored."""
        future = self._open.pop(answer.id, None) if isinstance(answer.id, str) else None
        if future is None or future.done():
            log.debug("ignored an answer that nobody waits for")
        elif answer.fault is not None:
            future.set_exception(answer.fault)
        else:
            future.set_result(answer.result)

    def close(self) -> None:
        """The client is gone."""
        self._closed = True
        for future in self._open.values():
            if not future.done():
                future.set_exception(Disconnected())
        self._open.clear()
