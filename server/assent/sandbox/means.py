"""What every means of confining has in common."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

from assent.runtime.starts import Start
from assent.sandbox.layout import Layout
from assent.sandbox.words import Tier, Unheld


class Prepared(Protocol):
    """A layout, ready to be put around a command."""

    def applied(self, start: Start) -> AbstractContextManager[Start]:
        """The same command inside. What it needs is held open until the context ends."""


class Means(Protocol):
    """A way to confine commands on this machine."""

    @property
    def tier(self) -> Tier: ...

    @property
    def holds_readers(self) -> bool:
        """Whether a command in it can do nothing but read: no other program is ended or looked into."""

    def prepare(self, layout: Layout) -> Prepared | Unheld:
        """Looks at the disk where it must. It blocks for a moment."""


@contextmanager
def in_memory(*contents: bytes) -> Iterator[tuple[int, ...]]:
    """Handles on files that have these contents and no name."""
    with ExitStack() as stack:
        yield tuple(_in_memory(content, stack) for content in contents)


def _in_memory(content: bytes, stack: ExitStack) -> int:
    handle = os.memfd_create("assent", os.MFD_CLOEXEC)
    stack.callback(os.close, handle)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.lseek(handle, 0, os.SEEK_SET)
    return handle
