"""Looks through files for the server, in a process of its own: what takes too long there is killed and holds up nobody.

It is started with its order as the only argument, and prints what it finds. Only the standard library is there.
"""

import os
import re
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice

from assent.model.errors import ToolFault
from assent.tools.globs import Glob, UnusableGlob, alternatives, glob_of
from assent.tools.handles import Folder, folder_of, release
from assent.tools.resolve import Target, resolve
from assent.tools.search.lines import CommonFinding, Finding, LineFinding
from assent.tools.search.order import MOST_BYTES, SLOW, End, Hit, Order, from_text, told
from assent.tools.search.walking import Found, Walk, ignored_below
from assent.tools.text import decode, may_be_text

SECONDS_FOR_ONE = 1.5
"""Of the processor's time, for one file: a pattern that needs more is one that never ends."""
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)


class TooSlow(Exception):
    """A pattern takes too long."""


def main(text: str) -> None:
    """Carries out an order and prints what came of it."""
    end = End()
    try:
        for hit in hits(from_text(text), end):
            sys.stdout.write(told(hit))
    except TooSlow:
        end.fault = f"it takes too long; {SLOW}"
    except (re.error, OverflowError, RecursionError) as fault:
        end.fault = str(fault)
    except UnusableGlob as fault:
        end.fault = str(fault)
    except (ToolFault, OSError) as fault:
        end.whole, end.why = False, str(fault)
    sys.stdout.write(told(end))
    sys.stdout.flush()


def hits(order: Order, end: End) -> Iterator[Hit]:
    """What is found, in the order of the names."""
    globs = tuple(globs_of(order.globs))
    finding = _finding(order) if order.pattern is not None else None
    spared = frozenset(order.spared)
    sys.path += [order.packages] if order.packages else []
    for found in _files(order, end):
        if globs and not any(glob.matches(found.path) for glob in globs):
            continue
        if spared and any("/".join(found.path[: depth + 1]) in spared for depth in range(len(found.path))):
            continue
        path = "/".join(found.path)
        if finding is None:
            yield Hit(path, changed=found.status.st_mtime)
            continue
        data = _data_of(found)
        text = decode(data, declared=order.declared.of(f"{order.folder.real}/{path}")) if data is not None else None
        if text is None:
            if data is not None and may_be_text(data):
                yield Hit(path, unread=True)
            continue
        try:
            lines = _lines(finding, text, order.most_lines)
        except TooSlow:
            if order.file is not None:
                raise
            yield Hit(path, slow=True)
            continue
        if lines:
            yield Hit(path, lines if order.most_lines else (), len(lines), found.status.st_mtime)


def globs_of(patterns: tuple[str, ...]) -> Iterator[Glob]:
    """A pattern without a slash fits at any depth; one that ends with a slash is all that lies below. UnusableGlob."""
    for pattern in (one for given in patterns for one in alternatives(given)):
        if pattern.startswith("!"):
            raise UnusableGlob("an exclamation mark at its beginning means nothing here")
        body = pattern.removeprefix("/").removeprefix("./")
        if not body:
            raise UnusableGlob("it names nothing")
        body = f"{body}**" if body.endswith("/") else body
        yield glob_of(body if "/" in pattern.rstrip("/") or body.endswith("/**") else f"**/{body}")


def _finding(order: Order) -> Finding:
    with _in_time():
        pattern = order.pattern or ""
        return CommonFinding(pattern) if order.common else LineFinding(pattern, ignore_case=order.ignore_case)


def _lines(finding: Finding, text: str, most: int) -> tuple[int, ...]:
    with _in_time():
        return tuple(islice(finding.lines(text), most or None))


def _files(order: Order, end: End) -> Iterator[Found]:
    if order.file is not None:
        target = order.folder
        with folder_of(_in(target, order.file)) as folder:
            yield Found(folder, (order.file,), folder.status(order.file))
        return
    if order.only:
        yield from _named(order)
        return
    walk = Walk(order.most_files)
    yield from walk.files(order.folder, ignored_below(order.folder, order.root, everything=order.ignored))
    end.whole, end.why = not walk.missed, walk.missed


def _named(order: Order) -> Iterator[Found]:
    for path in order.only:
        way = tuple(path.split("/"))
        with suppress(OSError, ToolFault):
            target = resolve(os.path.join(order.folder.real, *way))  # noqa: PTH118 - as the system spells it
            # No link leads elsewhere, as none is followed where a folder is gone through.
            if target.real == os.path.join(order.folder.real, *way):  # noqa: PTH118
                with folder_of(target) as folder:
                    yield Found(folder, way, folder.status(way[-1]))


def _in(folder: Target, name: str) -> Target:
    return Target(os.path.join(folder.real, name), folder.anchor)  # noqa: PTH118 - as the system spells it


def _data_of(found: Found) -> bytes | None:
    """What a file holds; None where it is none, is too long, or cannot be read."""
    if not stat.S_ISREG(found.status.st_mode):
        return None
    if found.status.st_size > MOST_BYTES:
        return None
    try:
        return _data(found.folder, found.name, found.status)
    except OSError:
        return None


def _data(folder: Folder, name: str, seen: os.stat_result) -> bytes | None:
    descriptor = folder.open(name, _READ)
    try:
        status = os.fstat(descriptor)
        if (status.st_dev, status.st_ino) != (seen.st_dev, seen.st_ino) or not stat.S_ISREG(status.st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(MOST_BYTES + 1)
        return data if len(data) <= MOST_BYTES else None
    finally:
        release(descriptor)


@contextmanager
def _in_time() -> Iterator[None]:
    """Python looks for signals while it matches. Where there is no such timer, the server ends it, only later."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_FOR_ONE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _ring(_number: int, _frame: object) -> None:
    raise TooSlow


def begin() -> None:
    """The program."""
    if hasattr(signal, "SIGVTALRM"):
        signal.signal(signal.SIGVTALRM, _ring)
    main(sys.argv[1])
