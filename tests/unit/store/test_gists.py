"""What says where words need not be looked for hides nothing that is there, however it came about or was changed."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from assent.model.records import Entry
from assent.store import gists, query
from assent.store.chain import START
from assent.store.database import FILE
from assent.store.gists import SPAN, gist_of, worth_looking
from assent.store.head import Head
from assent.store.history import end_of
from assent.store.query import Filters, look_up
from assent.store.reading import reading
from assent.store.store import Store
from assent.store.verify import verify
from tests.support.history_entries import a_subject, behind_its_back, decided, kept, rows, with_store

SEED = 11
MANY = 3 * SPAN + 20
SIGNS = "cdfgh0123ABCÄßİı\u212a日\U0001f600\ud800 .-_/%\\\"'\n\t{}"
"""Few letters, so that words recur, and all that is spelled otherwise in lower case, in JSON or in a database."""


def random_text(dice: random.Random, letters: str) -> str:
    return "".join(dice.choice(letters) for _ in range(dice.randrange(1, 16)))


def random_entries(many: int, seed: int) -> list[Entry]:
    """Entries that say anything; those near each other are made of few letters, so that something is often missing."""
    dice = random.Random(seed)
    entries = []
    for number in range(many):
        letters = "abe" + "".join(random.Random(number // 100).sample(SIGNS, 6))
        args = {random_text(dice, letters): [random_text(dice, letters), {"deep": random_text(dice, letters)}]}
        subject = a_subject(f"call-{number}", args=args, headline=random_text(dice, letters))
        entries.append(decided(subject=subject, text=random_text(dice, letters)))
    return entries


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gists")
    kept(folder, random_entries(MANY, SEED), at_once=200)
    return folder


def found(folder: Path, text: str, **more: object) -> list[int]:
    with reading(folder) as connection:
        return numbers(connection, text, **more)


def numbers(connection: sqlite3.Connection, text: str, **more: object) -> list[int]:
    page = look_up(connection, Filters(text=text, limit=500, **more))  # type: ignore[arg-type]
    return [kept.n for kept in page.entries]


@contextmanager
def without_gists(folder: Path) -> Iterator[sqlite3.Connection]:
    """The same history in memory, where nothing says what may be skipped."""
    with closing(sqlite3.connect(":memory:")) as copy, closing(sqlite3.connect(folder / FILE)) as connection:
        connection.backup(copy)
        copy.execute("DELETE FROM gists")
        yield copy


def words_of(folder: Path, many: int, seed: int) -> list[str]:
    """Pieces of what the entries say, in any case, alone and together, and words that are said nowhere."""
    dice = random.Random(seed)
    said = [
        str(value)
        for entry in random_entries(MANY, SEED)
        for value in (entry.text, entry.subject.headline, *(entry.subject.call.args or ()))
    ]
    words = []
    for _ in range(many):
        pieces = []
        for _ in range(dice.choice([1, 1, 1, 2])):
            whole = dice.choice(said) if dice.random() < 0.8 else random_text(dice, SIGNS)
            start = dice.randrange(len(whole))
            pieces.append(whole[start : start + dice.randrange(2, 9)])
        words.append(dice.choice([str.upper, str.lower, str])(" ".join(pieces)))
    return words


def test_nothing_that_is_skipped_holds_a_hit(folder: Path) -> None:
    assert len(rows(folder, "SELECT span FROM gists")) == 3
    skipped = hits = 0
    with reading(folder) as connection, without_gists(folder) as copy:
        for text in words_of(folder, 150, SEED):
            expected = numbers(copy, text)
            assert numbers(connection, text) == expected, text
            runs = query._Words(text).runs
            spans = list(worth_looking(connection, runs, MANY + 1)) if text.split() else []
            skipped += bool(spans) and sum(top - max(bottom, 1) for bottom, top in spans) < MANY
            hits += bool(expected)
    assert skipped > 20 and hits > 50


@pytest.mark.parametrize("before", [1, SPAN - 1, SPAN, SPAN + 1, 2 * SPAN, MANY, MANY + 100, -5])
def test_pages_and_other_filters_skip_no_hit_either(folder: Path, before: int) -> None:
    with reading(folder) as connection, without_gists(folder) as copy:
        for text in words_of(folder, 10, before):
            assert numbers(connection, text, before=before) == numbers(copy, text, before=before), text
            assert numbers(connection, text, tool="bash") == numbers(copy, text, tool="bash"), text


def test_where_a_word_is_not_said_is_not_looked_at(folder: Path, tmp_path: Path) -> None:
    kept(tmp_path, [decided(f"call-{number}", text="needle" if number == 10 else "hay") for number in range(400)])
    with reading(tmp_path) as connection:
        assert list(worth_looking(connection, ("needle",), 401)) == [(3 * SPAN, 401), (gists.NO_BOTTOM, SPAN)]
        assert list(worth_looking(connection, ("ne",), 401)) == [(gists.NO_BOTTOM, 401)]
        assert list(worth_looking(connection, (), 401)) == [(gists.NO_BOTTOM, 401)]
    assert found(tmp_path, "NEEDLE") == [11] and found(tmp_path, "needles") == []


def test_a_gist_is_made_as_ever() -> None:
    """Those that are kept were made so: if this changes, they have to be kept in another table."""
    bits = gist_of([("Run the ABC-9", "x"), ("É12",)])
    assert [at for at in range(len(bits) * 8) if bits[at >> 3] >> (at & 7) & 1] == [4095, 6210, 13368]
    assert len(bits) == 4000


FALSIFIED = {
    "nothing is said": "UPDATE gists SET bits = zeroblob(4000) WHERE span = 1",
    "it is of other entries": "UPDATE gists SET bits = (SELECT bits FROM gists WHERE span = 2) WHERE span = 1",
    "it is cut off": "UPDATE gists SET bits = substr(bits, 1, 3999) WHERE span = 1",
    "it is none": "UPDATE gists SET bits = 'none' WHERE span = 1",
}


@pytest.mark.parametrize("change", FALSIFIED.values(), ids=FALSIFIED)
def test_one_that_was_falsified_is_named(tmp_path: Path, change: str) -> None:
    kept(tmp_path, random_entries(MANY, SEED), at_once=200)
    assert verify(tmp_path).intact
    behind_its_back(tmp_path, change)
    verified = verify(tmp_path)
    assert not verified.intact and verified.first_broken == SPAN
    assert f"Entries {SPAN} to {2 * SPAN - 1} cannot be found by their words" in str(verified.problem)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM gists",
        "DELETE FROM gists WHERE span = 2",
        "UPDATE gists SET bits = 'none'",
        "UPDATE gists SET bits = x''",
        "INSERT INTO gists VALUES (-1, zeroblob(4000)), (3, zeroblob(4000)), (99, zeroblob(4000))",
    ],
)
def test_without_one_that_can_be_used_everything_is_looked_at(folder: Path, tmp_path: Path, change: str) -> None:
    kept(tmp_path, random_entries(MANY, SEED), at_once=200)
    behind_its_back(tmp_path, change)
    with reading(tmp_path) as connection, without_gists(folder) as copy:
        for text in ("needs_approval", *words_of(folder, 20, 5)):
            assert numbers(connection, text) == numbers(copy, text), text


def test_missing_ones_are_made_bit_by_bit_and_only_then_used(tmp_path: Path) -> None:
    kept(tmp_path, random_entries(MANY, SEED), at_once=200)
    behind_its_back(tmp_path, "DELETE FROM gists")
    texts = words_of(tmp_path, 5, 3)
    expected = [found(tmp_path, text) for text in texts]
    made = [0]

    async def go_on(store: Store) -> None:
        for number in range(24):
            await store.write(
                decided(f"new-{number}", subject=a_subject(f"new-{number}", args={}), text="", reason=None)
            )
            made.append(int(str(rows(tmp_path, "SELECT count(*) FROM gists")[0][0])))
            assert [[n for n in found(tmp_path, text) if n <= MANY] for text in texts] == expected

    with_store(tmp_path, go_on)
    assert sorted(set(made)) == [0, 2, 3]
    assert verify(tmp_path).intact


def test_entries_that_come_in_the_place_of_lost_ones_are_found(tmp_path: Path) -> None:
    kept(tmp_path, [decided(f"call-{number}", text="hay") for number in range(2 * SPAN)])
    behind_its_back(tmp_path, "DELETE FROM entries WHERE n > 10", "DELETE FROM facts WHERE n > 10")
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        Head(tmp_path / "history.head").begin(end_of(connection))
    kept(tmp_path, [decided(f"again-{number}", text="needle") for number in range(3 * SPAN)])
    assert found(tmp_path, "needle") == list(range(10 + 3 * SPAN, 10, -1))
    assert verify(tmp_path).intact


def test_an_empty_history_has_nothing_to_skip(tmp_path: Path) -> None:
    kept(tmp_path, [decided()])
    behind_its_back(tmp_path, "DELETE FROM entries", "DELETE FROM facts")
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        assert end_of(connection) == START
    assert found(tmp_path, "allowed") == []
