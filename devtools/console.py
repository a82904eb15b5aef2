"""What the person at the terminal is told: steps as they begin and end, and faults with what to do about them."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_one_line_at_a_time = threading.Lock()


class Trouble(Exception):
    """Something that the person has to know and can do something about; its text says what."""


def say(text: str = "") -> None:
    with _one_line_at_a_time:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


@contextmanager
def step(title: str) -> Iterator[None]:
    """Announces a piece of work, and tells how long it took."""
    say(f"* {title} ...")
    begin = time.monotonic()
    yield
    say(f"  {title}: done in {time.monotonic() - begin:.0f} s")
