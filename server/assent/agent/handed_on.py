"""The tasks that are handed on at this moment: each by its call, with the task that this call belongs to."""

from collections.abc import Iterator
from contextlib import contextmanager

from assent.model.ids import CallId


class HandedOn:
    """Of one chat. None stands for what is not handed on: the whole run."""

    def __init__(self) -> None:
        self._above: dict[CallId, CallId | None] = {}

    @contextmanager
    def under_way(self, task: CallId, above: CallId | None) -> Iterator[None]:
        """While a sub-agent works on it."""
        self._above[task] = above
        try:
            yield
        finally:
            del self._above[task]

    def is_under_way(self, task: CallId | None) -> bool:
        """Whether it has begun, and not ended."""
        return task is None or task in self._above

    def is_within(self, task: CallId | None, whole: CallId | None) -> bool:
        """Whether it is this one, or a part of it that was handed on further."""
        while task is not None and task != whole:
            task = self._above.get(task)
        return task == whole
