"""Whatever is changed in a history behind the server's back, checking it says so and names the place."""

import asyncio
import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assent.store.chain import START, Link, entry_hash
from assent.store.database import FILE
from assent.store.head import Head
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import behind_its_back, decided, kept, random_entries, rows, with_store

EDITS = int(os.environ.get("ASSENT_HISTORY_EDITS", "500"))
SEED = int(os.environ.get("ASSENT_TEST_SEED", "1"))
MANY = 30


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history of some length."""
    folder = tmp_path_factory.mktemp("template")
    kept(folder, random_entries(MANY, SEED))
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoiled."""
    for path in template.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


Edit = Callable[[sqlite3.Connection, random.Random], int | None]
"""Does something to the file, and says which entry is the first that is not as it was; None: none in particular."""


def _some(dice: random.Random) -> int:
    return dice.randrange(1, MANY + 1)


def _flip_a_byte(connection: sqlite3.Connection, dice: random.Random) -> int:
    n, column = _some(dice), dice.choice(["body", "hash"])
    text = connection.execute(f"SELECT {column} FROM entries WHERE n = {n}").fetchone()[0]
    at = dice.randrange(len(text))
    other = chr(32 + (ord(text[at]) - 31) % 95)
    connection.execute(f"UPDATE entries SET {column} = ? WHERE n = {n}", (text[:at] + other + text[at + 1 :],))
    return n


def _shorten(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = _some(dice)
    connection.execute(
        f"UPDATE entries SET body = substr(body, 1, length(body) - {dice.randrange(1, 99)}) WHERE n = {n}"
    )
    return n


def _delete(connection: sqlite3.Connection, dice: random.Random) -> int:
    n, many = _some(dice), dice.randrange(1, 4)
    for table in ("entries", "facts"):
        connection.execute(f"DELETE FROM {table} WHERE n >= {n} AND n < {n + many}")
    return n


def _delete_and_close_the_gap(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = _some(dice)
    for table in ("entries", "facts"):
        connection.execute(f"DELETE FROM {table} WHERE n = {n}")
        for later in range(n + 1, MANY + 1):
            connection.execute(f"UPDATE {table} SET n = n - 1 WHERE n = {later}")
    return n


def _cut_the_end_off(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = _some(dice)
    for table in ("entries", "facts"):
        connection.execute(f"DELETE FROM {table} WHERE n >= {n}")
    return n


def _swap(connection: sqlite3.Connection, dice: random.Random) -> int:
    one, other = sorted(dice.sample(range(1, MANY + 1), 2))
    for table in dice.choice([("entries",), ("entries", "facts")]):
        connection.execute(f"UPDATE {table} SET n = -1 WHERE n = {one}")
        connection.execute(f"UPDATE {table} SET n = {one} WHERE n = {other}")
        connection.execute(f"UPDATE {table} SET n = {other} WHERE n = -1")
    return one


def _insert(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = dice.choice([0, -5, MANY + 1, MANY + 7, 1 << 61])
    copied = _some(dice)
    for table in ("entries", "facts"):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")][1:]
        names = ", ".join(columns)
        connection.execute(f"INSERT INTO {table} (n, {names}) SELECT {n}, {names} FROM {table} WHERE n = {copied}")
    return min(n, MANY + 1)


def _replace_by_another(connection: sqlite3.Connection, dice: random.Random) -> int:
    one, other = dice.sample(range(1, MANY + 1), 2)
    body, digest = connection.execute(f"SELECT body, hash FROM entries WHERE n = {other}").fetchone()
    if dice.random() < 0.5:
        connection.execute(f"UPDATE entries SET body = ? WHERE n = {one}", (body,))
    else:
        connection.execute(f"UPDATE entries SET body = ?, hash = ? WHERE n = {one}", (body, digest))
    return one


def _facts(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = _some(dice)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(facts)")][1:]
    column = dice.choice(columns)
    value = dice.choice(["12345", "'text'", "x'00'", f"coalesce({column}, 0) + 1"])
    connection.execute(f"UPDATE facts SET {column} = {value} WHERE n = {n}")
    return n


def _hide(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = _some(dice)
    connection.execute(f"DELETE FROM facts WHERE n = {n}")
    return n


def _only_facts(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = dice.choice([0, -3, MANY + 1, MANY + 20])
    connection.execute("INSERT INTO facts (n, tool) VALUES (?, 5)", (n,))
    return n


def _other_type(connection: sqlite3.Connection, dice: random.Random) -> int:
    n = _some(dice)
    column = dice.choice(["body", "hash"])
    connection.execute(f"UPDATE entries SET {column} = CAST({column} AS BLOB) WHERE n = {n}")
    return n


def _rewrite_from_here(connection: sqlite3.Connection, dice: random.Random) -> int | None:
    """The best that one can do without touching the head: every hash is right, the end is another."""
    start = _some(dice)
    before = connection.execute(f"SELECT hash FROM entries WHERE n = {start - 1}").fetchone()
    link = before[0] if before else START.hash
    for n, body in connection.execute(f"SELECT n, body FROM entries WHERE n >= {start} ORDER BY n").fetchall():
        changed = body.replace('"agent_name":"', '"agent_name":"No ') if n == start else body
        link = entry_hash(link, n, changed)
        connection.execute("UPDATE entries SET body = ?, hash = ? WHERE n = ?", (changed, link, n))
    return None


def _drop_an_index(connection: sqlite3.Connection, dice: random.Random) -> None:
    connection.execute(f"DROP INDEX {dice.choice(['facts_of_session', 'facts_of_call'])}")


def _a_view_in_its_place(connection: sqlite3.Connection, dice: random.Random) -> None:
    connection.execute("ALTER TABLE facts RENAME TO facts_kept")
    connection.execute(f"CREATE VIEW facts AS SELECT * FROM facts_kept WHERE n <> {_some(dice)}")


EDITORS: list[Edit] = [
    _flip_a_byte,
    _shorten,
    _delete,
    _delete_and_close_the_gap,
    _cut_the_end_off,
    _swap,
    _insert,
    _replace_by_another,
    _facts,
    _hide,
    _only_facts,
    _other_type,
    _rewrite_from_here,
    _drop_an_index,
    _a_view_in_its_place,
]


def _texts(folder: Path) -> tuple[list[tuple[object, ...]], ...]:
    """All that the file says, with the types of it."""
    columns = "typeof(hash), typeof(body)"
    entries = rows(folder, f"SELECT n, hash, body, {columns} FROM entries ORDER BY n")
    return entries, rows(folder, "SELECT * FROM facts ORDER BY n"), rows(folder, "SELECT sql FROM sqlite_master")


def test_what_nobody_touched_is_intact(folder: Path) -> None:
    found = verify(folder)
    assert (found.intact, found.entries, found.first_broken, found.problem) == (True, MANY, None, None)


def _edits() -> Iterator[tuple[int, Edit]]:
    for number in range(EDITS):
        yield number, EDITORS[number % len(EDITORS)]


def test_every_edit_is_named(template: Path, tmp_path: Path) -> None:
    dice = random.Random(SEED)
    before = _texts(template)
    originals = {path.name: path.read_bytes() for path in template.iterdir()}
    done = 0
    for number, edit in _edits():
        for name, data in originals.items():
            (tmp_path / name).write_bytes(data)
        connection = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        expected = edit(connection, dice)
        connection.close()
        if _texts(tmp_path) == before:
            continue
        found = verify(tmp_path)
        assert not found.intact and found.problem, (number, edit.__name__)
        assert expected is None or found.first_broken == expected, (number, edit.__name__, expected, found)
        done += 1
    assert done > EDITS * 0.9


def test_the_words_say_how_it_shows(folder: Path) -> None:
    def problem(*statements: str) -> str:
        for path in ("assent.sqlite3", "history.head"):
            (folder / path).write_bytes(originals[path])
        behind_its_back(folder, *statements)
        return str(verify(folder).problem)

    originals = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert "Entry 5 was changed: its text" in problem("UPDATE entries SET body = body || ' ' WHERE n = 5")
    assert "Entry 5 was changed: its hash" in problem(f"UPDATE entries SET hash = '{'0' * 64}' WHERE n = 5")
    assert "Entries 3 to 4 are missing" in problem("DELETE FROM entries WHERE n IN (3, 4)")
    assert "Entries 29 to 30 are missing: the history was cut off" in problem(
        "DELETE FROM entries WHERE n > 28", "DELETE FROM facts WHERE n > 28"
    )
    assert "Entry 0 was added" in problem("INSERT INTO entries VALUES (0, 'x', '{}')")
    assert "found as something else" in problem("UPDATE facts SET tool = 1 WHERE n = 9")
    assert "cannot be found" in problem("DELETE FROM facts WHERE n = 9")


def test_it_reads_a_history_of_many_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.store.verify._AT_ONCE", 7)
    kept(tmp_path, [decided(f"{number}") for number in range(50)])
    assert verify(tmp_path).entries == 50 and verify(tmp_path).intact
    behind_its_back(tmp_path, "UPDATE entries SET body = body || ' ' WHERE n = 43")
    assert verify(tmp_path).first_broken == 43


def test_checking_while_it_is_written_finds_nothing(tmp_path: Path) -> None:
    async def both(store: Store) -> list[bool]:
        async def write() -> None:
            for number in range(150):
                await store.write(decided(f"{number}"))

        writing, found = asyncio.ensure_future(write()), []
        await asyncio.sleep(0)
        await store.write(decided("first"))
        while not writing.done():
            found.append((await asyncio.to_thread(verify, tmp_path)).intact)
        await writing
        return found

    found = with_store(tmp_path, both)
    assert found and all(found)


# The head by itself


def test_a_torn_head_leaves_the_one_before(tmp_path: Path) -> None:
    head = Head(tmp_path / "history.head")
    links = [Link(n, f"{n:064x}") for n in range(1, 6)]
    head.begin()
    for before, link in zip([START, *links], links, strict=False):
        old = head.path.read_bytes()
        head.write(link)
        new = head.path.read_bytes()
        assert head.read() == link
        for at in range(len(new) + 1):
            # As far as this byte the new one came through.
            head.path.write_bytes(new[:at] + old[at:])
            assert head.read() in (before, link)
        head.path.write_bytes(new)


def test_no_flipped_bit_of_a_head_is_believed(tmp_path: Path) -> None:
    head = Head(tmp_path / "history.head")
    head.begin()
    first, second = (Link(n, f"{n:064x}") for n in (1, 2))
    head.write(first)
    head.write(second)
    data = head.path.read_bytes()
    for bit in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        head.path.write_bytes(flipped)
        assert head.read() in (first, second)
