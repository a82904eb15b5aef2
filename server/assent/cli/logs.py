"""Logging to standard error. A line holds no message body and no secret."""

import logging
import sys


def set_up_logging(level: str) -> None:
    """One plain line a record; libraries only when something is wrong."""
    logging.basicConfig(
        level=level.upper(), stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
    for noisy in ("pygls", "asyncio", "websockets"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
