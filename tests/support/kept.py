"""What is on the disk of a server's state, seen from outside: a test kills a server only when it is there."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.scale import wait_until


def rows(state: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    """What the database holds now, while a server may be writing to it."""
    file = state / "assent.sqlite3"
    if not file.exists():
        return []
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
        try:
            return connection.execute(query, values).fetchall()
        except sqlite3.OperationalError:
            # The tables are not there yet.
            return []


def change(state: Path, statement: str, *values: object) -> None:
    """Damages the database of a server that has ended."""
    with closing(sqlite3.connect(state / "assent.sqlite3")) as connection:
        changed = connection.execute(statement, values).rowcount
        connection.commit()
    assert changed > 0, "nothing was changed"


def wait_for_calls(state: Path, number: int, how: str = "waiting") -> None:
    """Returns when so many calls that wait, or run, are on the disk."""
    wait_until(
        lambda: rows(state, "SELECT count(*) FROM calls WHERE state = ?", how) == [(number,)],
        what=f"{number} {how} calls on the disk",
    )


def everything(state: Path) -> bytes:
    """Every byte of the state directory."""
    return b"".join(file.read_bytes() for file in sorted(state.rglob("*")) if file.is_file())
