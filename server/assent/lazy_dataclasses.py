"""Dataclasses whose methods are written when the first of their kind is made.

The standard library compiles up to six functions for a dataclass while its module is loaded, about half a millisecond.
There are some six hundred here, of which few are needed before a chat can be used: it was nearly half of what loading
cost. So the class that others get has slots, and inherits placeholders in place of methods. When one of these is
reached, the standard library does its work on the class as it was defined, and what it wrote is put into the other.
While one thread writes, the others still reach the placeholders, and wait there.
"""

import dataclasses
from functools import partial
from inspect import get_annotations
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, get_origin

_defined: dict[type, tuple[type, dict[str, bool]]] = {}
"""As it was defined, and with which options, by the class that stands for it."""
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

    __slots__ = ()
    __dataclass_fields__ = _Fields()

    def __init__(self, *args: object, **kwargs: object) -> None:
        cls: Any = _postponed_in(type(self))
        _write(cls)
        cls.__init__(self, *args, **kwargs)


def _postponed_in(kind: type) -> type | None:
    return next((cls for cls in kind.__mro__ if cls in _defined), None)


def _write(cls: type) -> None:
    with _writing:
        if cls not in _written:
            defined, options = _defined[cls]
            before = dict(vars(defined))
            dataclasses.dataclass(**options)(defined)
            new = {name: value for name, value in vars(defined).items() if before.get(name) is not value}
            init = new.pop("__init__", None)
            for name in new.keys() - get_annotations(defined).keys():
                setattr(cls, name, new[name])
            if init is not None:
                # The last: whoever reaches it finds all else there.
                cls.__init__ = init  # type: ignore[misc]
            _written.add(cls)


def write_dataclasses(packages: tuple[str, ...]) -> None:
    """Writes those of some packages ahead, where nobody waits for it. Any thread may call."""
    for cls in [cls for cls in tuple(_defined) if cls.__module__.startswith(packages)]:
        _write(cls)


def _postponed(cls: Any = None, /, *, slots: bool = False, **options: bool) -> Any:
    if cls is None:
        return partial(_postponed, slots=slots, **options)
    if not slots or cls.__init__ is not object.__init__:
        # Another one's `__init__` would be reached while this class is written.
        return dataclasses.dataclass(slots=slots, **options)(cls)
    kinds: dict[str, Any] = get_annotations(cls)
    kept = [name for name, kind in kinds.items() if kind is not ClassVar and get_origin(kind) is not ClassVar]
    left = {"__dict__", "__weakref__", *kept}
    content = {name: value for name, value in vars(cls).items() if name not in left}
    bases = tuple(base for base in cls.__bases__ if base is not object)
    later: Any = type(cls)(cls.__name__, (*bases, _Unwritten), {**content, "__slots__": tuple(kept)})
    later.__qualname__ = cls.__qualname__
    _defined[later] = cls, options
    return later


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _postponed

__all__ = ["dataclass", "write_dataclasses"]
