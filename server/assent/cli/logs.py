"""Logging to standard error and to a file of bounded size. A line holds no message body and no secret."""

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assent.cli.log_file import LogFile
from assent.lsp.faults import where_it_happened
from assent.runtime.known_secrets import KnownSecrets

if TYPE_CHECKING:
    from types import TracebackType

_LONGEST = 16_384
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def set_up_logging(level: str, state: Path | None = None, secrets: KnownSecrets | None = None) -> None:
    """One plain line a record; libraries only when something is wrong. With a state directory, in a file there, too.

    What comes to stand among the secrets is in no later line, whatever it looks like.
    """
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if state is not None:
        handlers.append(LogFile(state / "logs"))
    formatter = MaskingFormatter(secrets or KnownSecrets())
    for handler in handlers:
        handler.setFormatter(formatter)
    logging.basicConfig(level=level.upper(), handlers=handlers, force=True)
    for noisy in ("pygls", "asyncio", "websockets"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


class MaskingFormatter(logging.Formatter):
    """Writes no secret, and of a fault where it happened instead of its text, which may quote what somebody said."""

    def __init__(self, secrets: KnownSecrets) -> None:
        super().__init__(_FORMAT)
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """The record as text. A record that cannot be written says so instead."""
        from assent.masking import mask_text

        try:
            text = super().format(record)
        except (TypeError, ValueError, KeyError) as fault:
            text = f"{record.levelname} {record.name}: a line that could not be written ({type(fault).__name__})"
        if len(text) > _LONGEST:
            text = f"{text[:_LONGEST]} ({len(text) - _LONGEST} more characters)"
        return mask_text(text, self._secrets.values)[0]

    def formatException(  # noqa: N802 - the name is the library's
        self, ei: "tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]"
    ) -> str:
        """Types and places; never the message."""
        return where_it_happened(ei[1]) if ei[1] is not None else ""
