"""Figures counted from the history, by the database. Of several decisions about one call the last one counts."""

import sqlite3

from assent.lazy_dataclasses import dataclass
from assent.model.approval import ResolvedBy
from assent.model.records import Ending, Stage
from assent.store.facts import fact
from assent.store.query import milliseconds
from assent.store.reading import fields_of


@dataclass(frozen=True, slots=True)
class Spread:
    """How a duration is spread, in milliseconds, each by nearest rank."""

    count: int
    median: int
    p95: int
    longest: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers of the log. Names go with how often they were counted, the most frequent first."""

    decisions: tuple[tuple[str, int], ...]
    endings: tuple[tuple[str, int], ...]
    answers: tuple[tuple[str, int], ...]
    timeouts: int
    settled_by_policy: int
    waited: Spread | None
    tools: tuple[tuple[str, Spread], ...]


def figures(connection: sqlite3.Connection, since: str | None, until: str | None) -> Figures:
    """Counts what was written in this time, or ever."""
    _gather(connection, since, until)
    decided = f"stage = {fact(Stage.DECIDED.value)}"
    clicked = f"{decided} AND by = {fact(ResolvedBy.USER.value)}"
    policy = f"{decided} AND by = {fact(ResolvedBy.POLICY.value)} AND asked = 1"
    return Figures(
        decisions=_counts(connection, "reason", decided),
        endings=_counts(connection, "ending", "1"),
        answers=_counts(connection, "option", clicked),
        timeouts=_count(connection, f"{decided} AND ending = {fact(Ending.TIMEOUT.value)}"),
        settled_by_policy=_count(connection, policy),
        waited=next((spread for _, spread in _spreads(connection, "1", "waited", decided)), None),
        tools=tuple(
            (_name(connection, "tool", n), spread)
            for n, spread in _spreads(connection, "tool", "took", f"stage = {fact(Stage.FINISHED.value)}")
        ),
    )


def _gather(connection: sqlite3.Connection, since: str | None, until: str | None) -> None:
    """The last decision and the last end of every call, beside the database, in memory."""
    conditions = ["stage IN (?, ?)", "tool <> ?"]
    values: list[int | None] = [fact(Stage.DECIDED.value), fact(Stage.FINISHED.value), fact("")]
    for name, text, sign in (("since", since, ">="), ("until", until, "<")):
        if text is not None:
            conditions.append(f"at {sign} ?")
            values.append(milliseconds(name, text))
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("DROP TABLE IF EXISTS temp.last")
    # With a single max(), SQLite takes the other columns from the row that has it.
    connection.execute(
        "CREATE TEMP TABLE last AS SELECT max(n) AS n, stage, ending, by, reason, option, tool, asked, waited, took "  # noqa: S608
        f"FROM facts WHERE {' AND '.join(conditions)} GROUP BY one, stage",
        values,
    )


def _count(connection: sqlite3.Connection, condition: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM temp.last WHERE {condition}").fetchone()[0])  # noqa: S608


def _counts(connection: sqlite3.Connection, column: str, condition: str) -> tuple[tuple[str, int], ...]:
    rows = connection.execute(
        f"SELECT max(n), count(*) FROM temp.last WHERE {column} IS NOT NULL AND {condition} GROUP BY {column}"  # noqa: S608
    ).fetchall()
    named = [(_name(connection, column, n), count) for n, count in rows]
    return tuple(sorted(named, key=lambda pair: (-pair[1], pair[0])))


def _spreads(connection: sqlite3.Connection, group: str, column: str, condition: str) -> list[tuple[int, Spread]]:
    """The spread of a duration in each group, with the number of an entry of the group."""
    rows = connection.execute(
        f"""WITH ranked AS (
            SELECT n, {group} AS kind, {column} AS value, count(*) OVER (PARTITION BY {group}) AS size,
                row_number() OVER (PARTITION BY {group} ORDER BY {column}) AS rank
            FROM temp.last WHERE {column} IS NOT NULL AND {condition})
        SELECT max(n), size, max(value) FILTER (WHERE rank = (size * 50 + 99) / 100),
            max(value) FILTER (WHERE rank = (size * 95 + 99) / 100), max(value)
        FROM ranked GROUP BY kind ORDER BY size DESC, max(n) DESC"""  # noqa: S608
    ).fetchall()
    return [(n, Spread(count, median, p95, longest)) for n, count, median, p95, longest in rows]


def _name(connection: sqlite3.Connection, column: str, n: int) -> str:
    """The text that the facts of this entry stand for."""
    row = connection.execute("SELECT body FROM entries WHERE n = ?", (n,)).fetchone()
    return str(fields_of(row[0]).get(column, "")) if row is not None else ""
