"""The thread that reads documents, on a real disk: it waits with a bound, goes on by itself, and survives its file."""

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path, PurePath

import pytest

from assent.collections import index, librarian, walking
from assent.collections.librarian import Holding, Librarian
from assent.collections.reading import NOT_TEXT
from assent.model.collections import Collection
from assent.model.errors import ToolFault
from assent.model.paths import PathUse
from tests.support.scale import limit

NAME = "docs"


class Reader:
    """A librarian of one folder, and a test's way to ask it."""

    def __init__(self, folder: Path) -> None:
        self.top = folder / "top"
        self.top.mkdir(exist_ok=True)
        self.state = folder / "state"
        self.folders = (str(self.top),)
        self.kept_back: set[str] = set()
        self.secrets: frozenset[str] = frozenset()
        self.librarian = Librarian(self.state, self._holding, lambda: self.secrets)

    def _holding(self) -> Holding:
        return Holding(self.folders, (Collection(NAME, (str(self.top),)),))

    def write(self, name: str, text: str = "bettong") -> Path:
        file = self.top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def _shows(self, use: PathUse, searched: PathUse) -> bool:
        assert searched.real == str(self.top)
        return Path(use.real).name not in self.kept_back

    async def found(self, query: str = "bettong", most: int = 1_000) -> tuple[list[str], bool]:
        """The names of what is found, and whether all was looked into."""
        reply = await self.librarian.find([NAME], query, most, lambda: self._shows)
        return sorted({str(PurePath(hit.path).relative_to(self.top)) for hit in reply.hits[NAME]}), reply.finished

    async def names(self, query: str = "bettong") -> list[str]:
        names, finished = await self.found(query)
        assert finished
        return names

    @property
    def file(self) -> Path:
        (file,) = (self.state).glob("*.sqlite3")
        return file


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    made = Reader(tmp_path)
    yield made
    await made.librarian.end()


async def until_finished(reader: Reader) -> list[str]:
    end = time.monotonic() + limit(20)
    while time.monotonic() < end:
        names, finished = await reader.found()
        if finished:
            return names
    raise AssertionError("it is never finished")


async def test_without_time_to_read_it_says_so_and_goes_on_by_itself(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(300):
        reader.write(f"{number}.md", f"bettong {number}")
    monkeypatch.setattr(librarian, "PATIENCE_SECONDS", -1)
    names, finished = await reader.found()
    assert (names, finished) == ([], False)
    survey = await reader.librarian.survey(lambda: reader._shows)
    assert survey.states[NAME].documents == 300
    assert len(await until_finished(reader)) == 300


async def test_questions_at_once_are_all_answered(reader: Reader) -> None:
    for number in range(50):
        reader.write(f"{number}.md")
    answers = await asyncio.gather(*(reader.names() for _ in range(8)))
    assert {len(names) for names in answers} == {50}


async def test_who_goes_away_holds_nobody_up(reader: Reader) -> None:
    for number in range(200):
        reader.write(f"{number}.md")
    asking = asyncio.ensure_future(reader.found())
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert len(await reader.names()) == 200


async def test_while_another_process_writes_what_is_there_is_found(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_BUSY_SECONDS", 0.05)
    reader.write("a.md")
    assert await reader.names() == ["a.md"]
    other = sqlite3.connect(reader.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    reader.write("b.md")
    assert await reader.found() == (["a.md"], False)
    other.rollback()
    other.close()
    assert await reader.names() == ["a.md", "b.md"]


@pytest.mark.parametrize("how", ["overwritten", "taken away", "emptied", "tables gone", "of another version"])
async def test_whatever_happens_to_the_file_it_is_made_anew(
    reader: Reader, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_BUSY_SECONDS", 0.2)
    for number in range(40):
        reader.write(f"{number}.md")
    assert len(await reader.names()) == 40
    match how:
        case "overwritten":
            reader.file.write_bytes(b"\xa5" * reader.file.stat().st_size)
        case "taken away":
            reader.file.unlink()
        case "emptied":
            os.truncate(reader.file, 0)
        case _:
            other = sqlite3.connect(reader.file)
            other.execute("DROP TABLE places" if how == "tables gone" else "PRAGMA user_version = 99")
            other.commit()
            other.close()
    again = Reader(reader.top.parent)
    assert len(await again.names()) == 40
    await again.librarian.end()
    reader.write("new.md", "potoroo")
    assert await reader.names("potoroo") == ["new.md"]
    assert len(await reader.names()) == 40


async def test_it_is_private_and_one_for_each_workspace(reader: Reader, tmp_path: Path) -> None:
    reader.write("a.md")
    assert await reader.names() == ["a.md"]
    assert (reader.state.stat().st_mode & 0o777, reader.file.stat().st_mode & 0o777) == (0o700, 0o600)
    before = reader.file
    reader.folders = (str(reader.top), str(tmp_path))
    assert await reader.names() == ["a.md"]
    assert {before} < set(reader.state.glob("*.sqlite3"))


async def test_what_nobody_needed_for_long_is_removed(reader: Reader) -> None:
    reader.write("a.md")
    reader.state.mkdir(mode=0o700)
    old, young = reader.state / "old.sqlite3", reader.state / "young.sqlite3"
    for file in (old, young, reader.state / "old.sqlite3-wal"):
        file.write_text("x")
    long_ago = time.time() - 61 * 24 * 60 * 60
    os.utime(old, (long_ago, long_ago))
    await reader.names()
    assert not old.exists()
    assert not (reader.state / "old.sqlite3-wal").exists()
    assert young.exists()


async def test_a_known_key_is_not_kept_and_lines_stay_where_they_are(reader: Reader) -> None:
    key = "\n".join(
        ["-----BEGIN " + "PRIVATE KEY-----", *["MIIEvQ" + "IBADANBg" * 7] * 12, "-----END " + "PRIVATE KEY-----"]
    )
    reader.secrets = frozenset({"correct-horse-battery"})
    reader.write("a.md", f"# A\n\nUse correct-horse-battery here.\n\n{key}\n\n# B\n\nThe bilby.\n")
    reply = await reader.librarian.find([NAME], "bilby", 5, lambda: lambda *_: True)
    assert [(hit.first, hit.last) for hit in reply.hits[NAME]] == [(20, 22)]
    assert (reader.top / "a.md").read_text().split("\n")[19] == "# B"
    await reader.librarian.end()
    held = b"".join(file.read_bytes() for file in reader.state.iterdir())
    assert b"correct-horse" not in held
    assert b"IBADANBg" not in held


async def test_what_may_not_be_shown_takes_no_place(reader: Reader) -> None:
    for number in range(20):
        reader.write(f"{number}.md", "bettong " * (20 - number))
    reader.kept_back = {f"{number}.md" for number in range(15)}
    names, _ = await reader.found(most=3)
    assert len(names) == 3
    assert not set(names) & reader.kept_back


async def test_what_may_be_shown_is_found_behind_all_that_may_not(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(librarian, "MOST_CANDIDATES", 3)
    for number in range(200):
        reader.write(f"{number}.md", "bettong bettong")
    reader.kept_back = {f"{number}.md" for number in range(200)}
    assert await reader.names() == []
    reader.write("last.md", "The bettong, among many words of other matters that make it fit far less well.")
    assert await reader.names() == ["last.md"]
    reader.kept_back.discard("7.md")
    assert (await reader.found(most=2))[0] == ["7.md", "last.md"]


async def test_what_is_left_out_is_named_as_far_as_it_may_be_shown(reader: Reader) -> None:
    for name in ("a.md", "b.md"):
        reader.write(name).write_bytes(b"\xff\x00")
    reader.kept_back = {"b.md"}
    state = (await reader.librarian.survey(lambda: reader._shows)).states[NAME]
    assert state.left_out == {NOT_TEXT: (2, (str(reader.top / "a.md"),))}


async def test_too_many_documents_are_cut_off_and_said(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MOST_DOCUMENTS", 10)
    for number in range(15):
        reader.write(f"{number}.md")
    assert len(await reader.names()) == 10
    state = (await reader.librarian.survey(lambda: reader._shows)).states[NAME]
    assert (state.documents, state.whole) == (10, False)


async def test_a_python_environment_and_what_others_made_are_passed_over(reader: Reader) -> None:
    for name in ("venv/lib/x.txt", "node_modules/x.md", "__pycache__/x.txt", "own/x.md"):
        reader.write(name)
    reader.write("venv/pyvenv.cfg", "home = /usr")
    assert await reader.names() == ["own/x.md"]


async def test_a_large_tree_is_looked_at_in_parts(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "_MOST_NAMES", 20)
    for number in range(60):
        reader.write(f"{number % 6}/{number}.md")
    assert len(await until_finished(reader)) == 60


async def test_after_the_end_nothing_is_answered(reader: Reader) -> None:
    reader.write("a.md")
    assert await reader.names() == ["a.md"]
    await reader.librarian.end()
    with pytest.raises(ToolFault, match="shutting down"):
        await reader.found()
