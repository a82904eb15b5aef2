"""What the server wrote down, read straight from its files: nothing here shares code with what wrote it."""

import hashlib
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATABASE = "assent.sqlite3"
HEAD = "history.head"


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of the history as it stands in the file."""

    n: int
    hash: str
    body: str

    @property
    def fields(self) -> dict[str, Any]:
        """What it says."""
        found: dict[str, Any] = json.loads(self.body)
        return found


def written_in(state: Path) -> list[Line]:
    """All entries of the history in this state directory."""
    path = state / DATABASE
    if not path.exists() or path.stat().st_size == 0:
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as connection:
        if not connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'entries'").fetchone()[0]:
            return []
        return [Line(*row) for row in connection.execute("SELECT n, hash, body FROM entries ORDER BY n")]


def head_in(state: Path) -> tuple[int, str] | None:
    """The number and the hash that the head's file names: the further one of its two readable slots."""
    path = state / HEAD
    slots = path.read_bytes().split(b"\n")[:2] if path.exists() else []
    links = [link for slot in slots if (link := _link(slot)) is not None]
    return max(links) if links else None


def broken_links(lines: list[Line], head: tuple[int, str] | None) -> list[str]:
    """What of the chain does not hold."""
    faults = []
    before = "0" * 64
    for place, line in enumerate(lines, 1):
        if line.n != place:
            faults.append(f"entry {place} is missing; {line.n} stands in its place")
            break
        expected = hashlib.sha256(f"{before}\n{line.n}\n{line.body}".encode("utf-8", "surrogatepass")).hexdigest()
        if line.hash != expected:
            faults.append(f"entry {line.n} does not follow the one before it")
        before = line.hash
    if head is not None and head[0] > 0:
        n, digest = head
        if n > len(lines):
            faults.append(f"the head names entry {n}, and there are {len(lines)}")
        elif lines[n - 1].hash != digest:
            faults.append(f"entry {n} is not the one that the head names")
    return faults


def _link(slot: bytes) -> tuple[int, str] | None:
    words = slot.decode("ascii", "replace").split()
    if len(words) != 3 or hashlib.sha256(f"{words[0]} {words[1]}".encode()).hexdigest()[:16] != words[2]:
        return None
    return int(words[0]), words[1]
