"""The head: how far the chain had come, kept outside the database, so that entries missing at the end are missed.

Two slots are written in turns, each with a checksum of its own: a torn write leaves the other one. It is written after
the commit, so it never names what the database does not hold; when a crash comes between, it names less, which is no
sign of anything. Its file is made and synced once with its full size; later writes go in place and are left to the
system, because what a power cut could take back is only the last of them.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from assent.store.chain import MOST, START, Link
from assent.store.regular import NoFile, open_file, read_start

_SLOT = 16 + 1 + 64 + 1 + 16 + 1


class HeadUnreadable(Exception):
    """There is no head, or what is there is none."""


class Head:
    """The head's file. Whoever writes holds the lock of the database."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Link:
        """The furthest end of the chain that was written, or HeadUnreadable."""
        try:
            data = read_start(self.path, 2 * _SLOT)
        except FileNotFoundError:
            raise HeadUnreadable(f"{self.path.name} is missing") from None
        except NoFile as fault:
            raise HeadUnreadable(f"{self.path.name} is not readable: {fault.strerror}") from None
        links = [link for link in (_link(data[:_SLOT]), _link(data[_SLOT : 2 * _SLOT])) if link is not None]
        if not links:
            raise HeadUnreadable(f"{self.path.name} is not readable")
        return max(links, key=lambda link: link.n)

    def begin(self, link: Link = START) -> None:
        """Makes the file anew, durably. What stood in its place before is moved aside, whatever it is."""
        draft = self.path.with_name(f"{self.path.name}.new")
        _move_aside(draft)
        descriptor = open_file(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(_slot(link) * 2)
            stream.flush()
            os.fsync(stream.fileno())
        _move_aside(self.path)
        draft.replace(self.path)
        sync_folder(self.path.parent)

    def write(self, link: Link) -> None:
        """Moves it forward, in the slot that does not hold the furthest end so far."""
        descriptor = open_file(self.path, os.O_RDWR)
        try:
            data = os.read(descriptor, 2 * _SLOT)
            first, second = _link(data[:_SLOT]), _link(data[_SLOT:])
            to_second = first is not None and (second is None or first.n >= second.n)
            os.lseek(descriptor, _SLOT if to_second else 0, os.SEEK_SET)
            os.write(descriptor, _slot(link))
        finally:
            os.close(descriptor)


def _move_aside(path: Path) -> None:
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.unreadable-{number}")):
        number += 1
    with suppress(FileNotFoundError):
        path.rename(aside)


def sync_folder(folder: Path) -> None:
    """Makes new names in a folder last through a power cut, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _slot(link: Link) -> bytes:
    text = f"{link.n:016d} {link.hash}"
    return f"{text} {_checksum(text)}\n".encode("ascii")


def _link(slot: bytes) -> Link | None:
    try:
        number, digest, checksum = slot.decode("ascii").split()
    except ValueError:
        return None
    if len(slot) != _SLOT or checksum != _checksum(f"{number} {digest}") or not number.isdecimal():
        return None
    n = int(number)
    return Link(n, digest) if n < MOST else None


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
