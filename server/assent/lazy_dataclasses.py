"""Dataclasses whose methods are written when the first of their kind is made.

The standard library compiles up to six functions for a dataclass while its module is loaded, about half a millisecond.
There are some six hundred here, of which few are needed before a chat can be used: it was nearly half of what loading
cost. Here a class inherits placeholders, and `dataclasses.dataclass` does its work when one of them is reached. While
one thread writes a class, the others still reach the placeholders, and wait there.
"""

import dataclasses
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING, Any

_options: dict[type, dict[str, bool]] = {}
_written: set[type] = set()
_writing = RLock()
"""One for all: what a class is written from may have to be written first."""


class _Fields:
    """Where the standard library looks for the fields of a dataclass."""

    def __get__(self, instance: object, owner: type) -> Any:
        cls = _postponed_in(owner)
        if cls is None:
            raise AttributeError
        _write(cls)
        return cls.__dict__["__dataclass_fields__"]


class _Unwritten:
    """What a class has before its methods are written, and never reaches afterwards."""

    __dataclass_fields__ = _Fields()

    def __init__(self, *args: object, **kwargs: object) -> None:
        cls: Any = _postponed_in(type(self))
        _write(cls)
        cls.__init__(self, *args, **kwargs)


def _postponed_in(kind: type) -> type | None:
    return next((cls for cls in kind.__mro__ if cls in _options), None)


def _write(cls: type) -> None:
    with _writing:
        if cls not in _written:
            dataclasses.dataclass(**_options[cls])(cls)
            _written.add(cls)


def write_dataclasses(packages: tuple[str, ...]) -> None:
    """Writes those of some packages ahead, where nobody waits for it. Any thread may call."""
    for cls in [cls for cls in tuple(_options) if cls.__module__.startswith(packages)]:
        _write(cls)


def _postponed(cls: Any = None, /, **options: bool) -> Any:
    if cls is None:
        return partial(_postponed, **options)
    if cls.__init__ is not object.__init__:
        # Another one's `__init__` would be reached while this class is written.
        return dataclasses.dataclass(**options)(cls)
    bases = tuple(base for base in cls.__bases__ if base is not object)
    content = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    later: Any = type(cls)(cls.__name__, (*bases, _Unwritten), content)
    later.__qualname__ = cls.__qualname__
    _options[later] = options
    return later


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _postponed

__all__ = ["dataclass", "write_dataclasses"]
