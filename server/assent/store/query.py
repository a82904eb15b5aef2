"""Looking entries up, newest first."""

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

from assent.lazy_dataclasses import dataclass
from assent.masking import mask_text
from assent.store.facts import fact, moment
from assent.store.gists import NO_BOTTOM, SEARCHED, worth_looking
from assent.store.reading import HistoryUnreadable, fields_of

USUAL_LIMIT = 50
MOST_ENTRIES = 500
SOON_SECONDS = 0.7
"""After so long a search for words tells what it has found so far, if it has found anything."""
MOST_SECONDS = 20.0
_AT_ONCE = 5_000
_LONG_ENOUGH = 64
_FEW_ENOUGH = 8


@dataclass(frozen=True, slots=True)
class Filters:
    """What an entry has to fit, all of it. Times are texts as people and machines write them."""

    session_id: str | None = None
    call_id: str | None = None
    agent: str | None = None
    tool: str | None = None
    stage: str | None = None
    ending: str | None = None
    by: str | None = None
    folder: str | None = None
    text: str | None = None
    since: str | None = None
    until: str | None = None
    before: int | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as it is kept."""

    n: int
    hash: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """Entries, newest first, and whether there are older ones that fit or were not looked at."""

    entries: tuple[Kept, ...]
    more: bool


def look_up(connection: sqlite3.Connection, filters: Filters) -> Page:
    """The newest entries that fit. Raises InvalidTime for a time that is none."""
    limit = max(1, min(filters.limit or USUAL_LIMIT, MOST_ENTRIES))
    found = list(_first(_fitting(connection, filters), limit + 1))
    looked_at_all = found[-1:] != [None]
    entries = [entry for entry in found if entry is not None]
    return Page(tuple(entries[:limit]), more=len(entries) > limit or not looked_at_all)


def _first(entries: Iterator[Kept | None], most: int) -> Iterator[Kept | None]:
    for _, entry in zip(range(most), entries, strict=False):
        yield entry


def _fitting(connection: sqlite3.Connection, filters: Filters) -> Iterator[Kept | None]:
    """The entries that fit; None and no more where there was no time to look at all of them."""
    words = _Words(filters.text or "")
    conditions, values = _conditions(filters)
    began, hits = time.monotonic(), 0
    for top, bottom in _ranges(connection, filters.before, words):
        query = _QUERY.format(" AND ".join([*conditions, *words.conditions, "f.n < ?", "f.n >= ?"]))
        for n, digest, body in connection.execute(query, (*values, *words.values, top, bottom)):
            fields = fields_of(body)
            if _fits(fields, filters) and words.stand_in(fields):
                hits += 1
                yield Kept(n, digest, fields)
        if words.all and _out_of_time(began, hits):
            yield None
            return


_QUERY = """SELECT e.n, e.hash, e.body FROM facts AS f CROSS JOIN entries AS e ON e.n = f.n
WHERE {} ORDER BY f.n DESC"""


def _out_of_time(began: float, hits: int) -> bool:
    passed = time.monotonic() - began
    if passed > MOST_SECONDS and not hits:
        raise HistoryUnreadable(
            f"Nothing was found in {MOST_SECONDS:.0f} seconds, and not everything was looked at. "
            "Narrow it down by a time, a chat or a tool."
        )
    return passed > SOON_SECONDS and hits > 0


def _ranges(connection: sqlite3.Connection, before: int | None, words: "_Words") -> Iterator[tuple[int, int]]:
    """Numbers from the newest down, top and bottom, which is included: all at once, or in pieces where words may be."""
    top = max(-_BEYOND, min(before, _BEYOND)) if before is not None else _BEYOND
    if not words.all:
        yield top, NO_BOTTOM
        return
    for bottom, end in worth_looking(connection, words.runs, top):
        top = end
        while (row := connection.execute(_PIECE, (top, bottom, _AT_ONCE)).fetchone()) is not None:
            yield top, row[0]
            top = row[0]
        yield top, bottom


_PIECE = "SELECT n FROM facts WHERE n < ? AND n >= ? ORDER BY n DESC LIMIT 1 OFFSET ?"
_BEYOND = 1 << 62


class InvalidTime(ValueError):
    """A text that is no point in time; `name` is the filter that it was given for."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"“{text}” is no point in time; write it like 2030-01-31 or 2030-01-31T12:00:00Z")
        self.name = name


def milliseconds(name: str, text: str) -> int:
    """The point in time that a filter names."""
    when = moment(text)
    if when is None:
        raise InvalidTime(name, text)
    return when


_COLUMNS = {
    "session_id": "session",
    "call_id": "call",
    "tool": "tool",
    "stage": "stage",
    "ending": "ending",
    "by": "by",
    "folder": "folder",
}


def _conditions(filters: Filters) -> tuple[list[str], list[Any]]:
    conditions, values = ["1"], []
    for name, column in _COLUMNS.items():
        wanted = getattr(filters, name)
        if wanted is not None:
            conditions.append(f"f.{column} = ?")
            values.append(fact(_as_kept(wanted)))
    if filters.agent is not None:
        conditions.append("(f.agent_id = ? OR f.agent_name = ?)")
        values += [fact(_as_kept(filters.agent))] * 2
    for name, sign in (("since", ">="), ("until", "<")):
        text = getattr(filters, name)
        if text is not None:
            conditions.append(f"f.at {sign} ?")
            values.append(milliseconds(name, text))
    return conditions, values


def _fits(fields: dict[str, Any], filters: Filters) -> bool:
    """Whether the entry itself says what its facts stand for."""
    plain = all(
        getattr(filters, name) is None or fields.get(name) == _as_kept(getattr(filters, name)) for name in _COLUMNS
    )
    agent = filters.agent
    return plain and (agent is None or _as_kept(agent) in (fields.get("agent_id"), fields.get("agent_name")))


def _as_kept(text: str) -> str:
    return mask_text(text)[0]


class _Words:
    """Words that all have to stand in what an entry says, in whatever case."""

    def __init__(self, text: str) -> None:
        self.all = tuple(dict.fromkeys(text.lower().split()))
        # The database sorts out most by plain letters and digits, which are spelled in the text as they are.
        plain = [max(re.findall(r"[a-z0-9]+", word), key=len, default="") for word in self.all]
        self.runs = tuple(run[:_LONG_ENOUGH] for run in plain if run)[:_FEW_ENOUGH]
        self.values = tuple(f"%{run}%" for run in self.runs)
        self.conditions = ("e.body LIKE ?",) * len(self.values)

    def stand_in(self, fields: dict[str, Any]) -> bool:
        if not self.all:
            return True
        said = "\n".join(_readable(fields, name) for name in SEARCHED).lower()
        return all(word in said for word in self.all)


def _readable(fields: dict[str, Any], name: str) -> str:
    """The field, and arguments also as they are without JSON's escapes."""
    text = fields.get(name)
    if not isinstance(text, str):
        return ""
    if name != "args" or "\\" not in text:
        return text
    return f"{text}\n{_unescaped(text)}"


def _unescaped(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False) + "\n" + "\n".join(_texts(json.loads(text)))
    except (ValueError, RecursionError):
        return ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
