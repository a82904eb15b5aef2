"""A thread that swaps files and folders for links while a tool works: nothing outside is touched or read."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from assent.model.errors import ToolFault
from assent.tools.disk import MISSING, names_in, read_regular, replace_file

ROUNDS = 400
OUTSIDE = b"not yours"


@contextmanager
def racing(swap: Callable[[], None]) -> Iterator[None]:
    """Swaps as fast as it can until the block ends."""
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            with suppress(OSError):
                swap()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "a").write_bytes(OUTSIDE)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "root" / "sub"
    made.mkdir(parents=True)
    (made / "a").write_bytes(b"mine")
    return made


def exchange(folder: Path, link: Path, aside: Path) -> Callable[[], None]:
    """Puts the link where the folder is, and the folder back: at any moment a path leads to one of them or nowhere."""

    def swap() -> None:
        folder.rename(aside)
        link.rename(folder)
        folder.rename(link)
        aside.rename(folder)

    return swap


def test_a_folder_on_the_way(folder: Path, victim: Path, tmp_path: Path) -> None:
    link, aside = tmp_path / "root" / "link", tmp_path / "root" / "aside"
    link.symlink_to(victim)
    codes: set[str] = set()
    with racing(exchange(folder, link, aside)):
        for number in range(ROUNDS):
            state = _state(folder / "a")
            if state is None:
                continue
            try:
                replace_file(str(folder / "a"), b"%d" % number, expected=state, limit=100)
                codes.add("written")
            except ToolFault as fault:
                codes.add(fault.code)

    assert (victim / "a").read_bytes() == OUTSIDE
    assert names(victim) == ["a"]
    assert codes <= {"written", "changed_since", "not_a_directory", "not_found"}


def test_a_new_file_below_a_folder_on_the_way(folder: Path, victim: Path, tmp_path: Path) -> None:
    link, aside = tmp_path / "root" / "link", tmp_path / "root" / "aside"
    link.symlink_to(victim)
    with racing(exchange(folder, link, aside)):
        for number in range(ROUNDS):
            with suppress(ToolFault):
                replace_file(str(folder / f"new{number}" / "b"), b"x", expected=MISSING, limit=100)

    assert names(victim) == ["a"]


def test_the_file_itself(folder: Path, victim: Path, tmp_path: Path) -> None:
    file, link, aside = folder / "a", folder / "link", folder / "aside"
    link.symlink_to(victim / "a")
    with racing(exchange(file, link, aside)):
        for number in range(ROUNDS):
            state = _state(file)
            if state is not None:
                with suppress(ToolFault):
                    replace_file(str(file), b"%d" % number, expected=state, limit=100)

    assert (victim / "a").read_bytes() == OUTSIDE
    assert not [name for name in names(folder) if name.endswith(".tmp")]


def test_reading_and_listing_see_nothing_outside(folder: Path, victim: Path, tmp_path: Path) -> None:
    (victim / "only here").touch()
    link, aside = tmp_path / "root" / "link", tmp_path / "root" / "aside"
    link.symlink_to(victim)
    read, seen = set(), set()
    with racing(exchange(folder, link, aside)):
        for _ in range(ROUNDS):
            with suppress(ToolFault):
                content = read_regular(str(folder / "a"), 100)
                read.add(content.data if content else None)
            with suppress(ToolFault):
                seen.update(names_in(str(folder)))

    assert read <= {b"mine", None}
    assert seen <= {"a"}
    assert b"mine" in read


def _state(file: Path) -> str | None:
    with suppress(ToolFault):
        content = read_regular(str(file), 100)
        return content.digest if content else None
    return None
