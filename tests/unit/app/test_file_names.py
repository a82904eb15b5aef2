"""The names of files for who writes one: one walk for all who ask, kept for a moment, ended when nobody waits."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assent.app.file_names import KEPT_FOR_EACH_SECOND, KEPT_SECONDS, FileNames, Names, names_below
from assent.runtime.beside import Stopped
from tests.support.clock import FakeClock
from tests.support.scale import eventually, limit


class HeldWalks:
    """Walks through real folders, each held at its beginning until a test lets it go on, or nobody waits for it."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self.begun: list[tuple[str, ...]] = []
        self.left: list[tuple[str, ...]] = []
        self.go_on = threading.Event()
        self.lasting = 0.0

    def __call__(self, folders: tuple[str, ...], stopped: Stopped) -> Names:
        self.begun.append(folders)
        while not self.go_on.wait(0.005):
            if stopped():
                self.left.append(folders)
                return ()
        self._clock.now += self.lasting
        return names_below(folders, stopped)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def walks(clock: FakeClock) -> AsyncIterator[HeldWalks]:
    walks = HeldWalks(clock)
    yield walks
    walks.go_on.set()


@pytest.fixture
async def names(clock: FakeClock, walks: HeldWalks) -> AsyncIterator[FileNames]:
    names = FileNames(clock, walks)
    yield names
    await names.end()


def paths(names: Names) -> list[str]:
    return [path for below in names for path in below.paths]


async def test_all_who_ask_meanwhile_wait_for_one_walk(tmp_path: Path, names: FileNames, walks: HeldWalks) -> None:
    (tmp_path / "a.txt").touch()
    asking = [asyncio.ensure_future(names.of((str(tmp_path),))) for _ in range(5)]
    await eventually(lambda: walks.begun)
    walks.go_on.set()
    for asked in asking:
        assert paths(await asyncio.wait_for(asked, limit(10))) == ["a.txt"]
    assert len(walks.begun) == 1


@pytest.mark.parametrize(("lasting", "kept"), [(0.0, KEPT_SECONDS), (5.0, 5 * KEPT_FOR_EACH_SECOND)])
async def test_it_is_kept_for_a_moment_and_longer_where_it_took_long(
    tmp_path: Path, names: FileNames, walks: HeldWalks, clock: FakeClock, lasting: float, kept: float
) -> None:
    folders = (str(tmp_path),)
    walks.go_on.set()
    walks.lasting = lasting
    assert paths(await names.of(folders)) == []
    await eventually(lambda: clock.sleeping)
    (tmp_path / "new.txt").touch()
    clock.advance(kept - 0.001)
    assert paths(await names.of(folders)) == []
    clock.advance(0.002)
    await eventually(lambda: not clock.sleeping)
    await asyncio.sleep(0)
    assert paths(await names.of(folders)) == ["new.txt"]
    assert len(walks.begun) == 2


async def test_a_newer_question_takes_over_the_walk_of_the_one_that_went(
    tmp_path: Path, names: FileNames, walks: HeldWalks
) -> None:
    folders = (str(tmp_path),)
    older = asyncio.ensure_future(names.of(folders))
    await eventually(lambda: walks.begun)
    older.cancel()
    newer = names.of(folders)
    walks.go_on.set()
    assert paths(await newer) == []
    assert older.cancelled()
    assert (len(walks.begun), walks.left) == (1, [])


async def test_the_walk_ends_when_nobody_waits_and_leaves_nothing(
    tmp_path: Path, names: FileNames, walks: HeldWalks
) -> None:
    folders = (str(tmp_path),)
    (tmp_path / "a.txt").touch()
    asking = [asyncio.ensure_future(names.of(folders)) for _ in range(2)]
    await eventually(lambda: walks.begun)
    asking[0].cancel()
    await asyncio.wait({asking[0]})
    assert walks.left == []
    asking[1].cancel()
    await eventually(lambda: walks.left == [folders], what="the walk's end")
    walks.go_on.set()
    assert paths(await names.of(folders)) == ["a.txt"]


async def test_other_folders_are_looked_through_anew(tmp_path: Path, names: FileNames, walks: HeldWalks) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / f"in-{folder.name}.txt").touch()
    first = asyncio.ensure_future(names.of((str(one),)))
    await eventually(lambda: walks.begun)
    second = asyncio.ensure_future(names.of((str(other),)))
    await eventually(lambda: len(walks.begun) == 2)
    walks.go_on.set()
    assert paths(await first) == ["in-one.txt"]
    assert paths(await second) == ["in-other.txt"]
    assert paths(await names.of((str(one), str(other)))) == ["in-one.txt", "in-other.txt"]


def test_a_real_walk_stops_in_the_middle(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    asked = iter((False, False, False, True, True, True, True, True))
    [below] = names_below((str(tmp_path),), lambda: next(asked))
    assert below.paths == ("a/file",)


def test_what_became_a_link_or_went_is_no_file_any_more(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    work = tmp_path / "work"
    for folder in (elsewhere, work / "deep"):
        folder.mkdir(parents=True)
        (folder / "a.txt").touch()
    for name in ("stays.txt", "goes.txt", "link.txt"):
        (work / name).touch()
    [below] = names_below((str(work),), lambda: False)
    assert set(below.paths) == {"deep/a.txt", "stays.txt", "goes.txt", "link.txt"}
    (work / "goes.txt").unlink()
    (work / "link.txt").unlink()
    (work / "link.txt").symlink_to(elsewhere / "a.txt")
    (work / "deep").rename(work / "was-deep")
    (work / "deep").symlink_to(elsewhere)
    assert [path for path in below.paths if below.is_there(path)] == ["stays.txt"]
