"""Names for effects: of one length, so that none is a part of another, and told apart by who made them."""

import itertools
import random

from tests.faults.effects import FREE, mark_by_command, mark_by_file
from tests.support.server import Step


class Marks:
    """Calls that leave marks, each another one."""

    def __init__(self, numbers: random.Random, kind: str = "bash") -> None:
        self._numbers = numbers
        self._kind = kind
        self._count = itertools.count()

    def call(self) -> Step:
        """A command or a file that is asked for, or now and then one that settings allow."""
        match self._numbers.randrange(5):
            case 0:
                return mark_by_file(self._next(FREE))
            case 1:
                return mark_by_file(self._next("file"))
        return mark_by_command(self._next(self._kind))

    def asked(self) -> Step:
        """A command that is asked for."""
        return mark_by_command(self._next(self._kind))

    def _next(self, kind: str) -> str:
        return f"{kind}-{next(self._count):06d}"
