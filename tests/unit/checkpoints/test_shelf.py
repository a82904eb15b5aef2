"""Where checkpoints are kept: bounded, the oldest go first, and what is damaged or strange is none."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from assent.checkpoints import shelf as shelves
from assent.checkpoints.kept import Checkpoint, KeptFile, Unreadable, index_text, read_index
from assent.checkpoints.shelf import Shelf
from assent.runtime.known_secrets import KnownSecrets
from assent.tools.disk import Content, read_regular
from assent.tools.places import Place, locate
from tests.support.secret_samples import SAMPLES

TOKEN = SAMPLES["GitHub token"][0].encode()
KEPT = KeptFile("/w/a.txt", "a.txt", existed=True, mode=0o644, before="3:abc", copy="0", made="4:def")
RUN = Checkpoint("run", "chat", "2026-01-01T00:00:00Z", (KEPT, KeptFile("/w/b.txt", "b.txt", existed=False)), more=2)


@pytest.fixture
def secrets() -> KnownSecrets:
    return KnownSecrets()


@pytest.fixture
def shelf(tmp_path: Path, secrets: KnownSecrets) -> Shelf:
    return Shelf(tmp_path / "state" / "checkpoints", secrets)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def found(file: Path) -> tuple[Place, Content | None]:
    place = locate(str(file), (str(file.parent),))
    return place, read_regular(place.target, shelves.MOST_FILE_BYTES)


def kept(shelf: Shelf, run_id: str, file: Path, data: bytes) -> Checkpoint:
    """A run that is about to write this file."""
    file.write_bytes(data)
    begun = Checkpoint(run_id, "chat", f"2026-01-01T00:00:{len(run_id):02}Z")
    checkpoint = begun.with_file(shelf.entry(begun, *found(file)))
    shelf.save(checkpoint)
    return checkpoint


def test_what_is_written_down_is_read_back() -> None:
    assert read_index(index_text(RUN)) == RUN


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-1],
        lambda text: b"",
        lambda text: text.replace(b'"version":1', b'"version":2'),
        lambda text: text.replace(b'"version":1,', b""),
        lambda text: text.replace(b'"mode":420', b'"mode":"420"'),
        lambda text: text.replace(b'"existed":true', b'"existed":1'),
        lambda text: text.replace(b'"copy":"0"', b'"copy":"../../settings.json"'),
        lambda text: text.replace(b'"copy":"0"', b'"copy":0'),
        lambda text: text.replace(b'"shown":"a.txt",', b""),
        lambda text: text.replace(b'"more":2', b'"more":2,"other":1'),
        lambda text: text.replace(b'"files":[', b'"files":[[],'),
    ],
)
def test_what_is_damaged_is_none(damage: Callable[[bytes], bytes]) -> None:
    text = index_text(RUN).replace(b": ", b":").replace(b", ", b",")
    assert damage(text) != text and read_index(text) == RUN
    with pytest.raises(Unreadable):
        read_index(damage(text))


def test_one_that_was_written_down_before_folders_were_tells_of_none() -> None:
    text = index_text(replace(RUN, files=(replace(KEPT, new_folders=2),)))
    assert read_index(text).files[0].new_folders == 2
    earlier = json.loads(text)
    del earlier["files"][0]["new_folders"]
    assert read_index(json.dumps(earlier).encode()).files == (KEPT,)


def test_a_copy_that_was_changed_is_none(shelf: Shelf, tmp_path: Path, workspace: Path) -> None:
    checkpoint = kept(shelf, "run", workspace / "a.txt", b"before")
    (file,) = checkpoint.files
    assert shelf.content(checkpoint, file) == b"before"
    (copy,) = (tmp_path / "state" / "checkpoints").glob("*/0")
    copy.write_bytes(b"foul!!")
    assert shelf.content(checkpoint, file) is None


def test_an_index_in_another_place_or_behind_a_link_is_none(shelf: Shelf, tmp_path: Path, workspace: Path) -> None:
    kept(shelf, "run", workspace / "a.txt", b"before")
    (folder,) = (tmp_path / "state" / "checkpoints").iterdir()
    assert len(shelf.all_of("chat")) == 1 and shelf.all_of("another") == []
    folder.rename(folder.with_name("0" * 32))
    assert shelf.all_of("chat") == []
    (folder.parent / folder.name).symlink_to(folder.with_name("0" * 32))
    assert shelf.all_of("chat") == []


def test_the_oldest_go_first_where_there_are_too_many(tmp_path: Path, secrets: KnownSecrets, workspace: Path) -> None:
    shelf = Shelf(tmp_path / "checkpoints", secrets, most_runs=3)
    for number in range(6):
        kept(shelf, "r" * (number + 1), workspace / "a.txt", b"before")
        for age, folder in enumerate(sorted((tmp_path / "checkpoints").iterdir(), key=lambda one: one.stat().st_mtime)):
            os.utime(folder, (age, age))
    shelf.tidy()
    assert [one.run_id for one in shelf.all_of("chat")] == ["rrrrrr", "rrrrr", "rrrr"]


def test_the_oldest_go_first_where_they_are_too_much(tmp_path: Path, secrets: KnownSecrets, workspace: Path) -> None:
    shelf = Shelf(tmp_path / "checkpoints", secrets, most=5_000)
    for number in range(3):
        kept(shelf, "r" * (number + 1), workspace / "a.txt", b"x\n" * 1_000)
        for age, folder in enumerate(sorted((tmp_path / "checkpoints").iterdir(), key=lambda one: one.stat().st_mtime)):
            os.utime(folder, (age, age))
    shelf.tidy()
    assert [one.run_id for one in shelf.all_of("chat")] == ["rrr", "rr"]


def test_what_is_too_big_is_said(
    shelf: Shelf, workspace: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shelves, "MOST_FILE_BYTES", 100)
    monkeypatch.setattr(shelves, "MOST_RUN_BYTES", 1_000)
    big = kept(shelf, "big", workspace / "a.txt", b"x" * 101)
    assert (big.files[0].why_not, big.files[0].copy) == (shelves.TOO_BIG, None)
    run = Checkpoint("run", "chat", "2026-01-01T00:00:00Z")
    for number in range(12):
        (workspace / f"{number}.txt").write_bytes(b"y" * 100)
        run = run.with_file(shelf.entry(run, *found(workspace / f"{number}.txt")))
    assert [file.why_not for file in run.files] == [None] * 10 + [shelves.TOO_MUCH] * 2


@pytest.mark.parametrize(
    ("name", "data", "why", "remembered"),
    [
        (".env", b"A=1", shelves.FOR_SECRETS, False),
        ("id_rsa", b"A=1", shelves.FOR_SECRETS, False),
        ("code.py", b"known-to-be-secret", shelves.IN_MEMORY, True),
        ("data.bin", b"\0known-to-be-secret", shelves.IN_MEMORY, True),
        ("latin.txt", b"caf\xe9 " + TOKEN, shelves.IN_MEMORY, True),
        ("data.bin", b"\xff\0\x01" + TOKEN + b"\0\xfe", shelves.IN_MEMORY, True),
        ("wide.txt", TOKEN.decode().encode("utf-16-le"), shelves.IN_MEMORY, True),
        ("wide.txt", TOKEN.decode().encode("utf-32-be"), shelves.IN_MEMORY, True),
        ("wide.txt", "known-to-be-secret".encode("utf-16-le"), shelves.IN_MEMORY, True),
        ("plain.bin", bytes(range(256)) * 40, None, True),
        ("long.txt", b"x\n" * 1_100_000, shelves.UNSEARCHED, True),
        ("long.bin", b"\xff\0" * 1_100_000, shelves.UNSEARCHED, True),
        ("code.py", b"x = 1", None, True),
    ],
)
def test_no_secret_comes_to_the_disk(
    shelf: Shelf,
    secrets: KnownSecrets,
    tmp_path: Path,
    workspace: Path,
    name: str,
    data: bytes,
    why: str,
    remembered: bool,
) -> None:
    secrets.add("known-to-be-secret")
    checkpoint = kept(shelf, "run", workspace / name, data)
    (file,) = checkpoint.files
    assert (file.why_not, file.copy) == (why, None if why else "0")
    assert shelf.content(checkpoint, file) == (data if remembered else None)
    written = b"".join(one.read_bytes() for one in (tmp_path / "state").rglob("*") if one.is_file())
    assert b"known-to-be-secret" not in written.replace(b"\0", b"")
    assert TOKEN not in written.replace(b"\0", b"")


def test_a_disk_that_takes_nothing_keeps_nobody_from_writing(tmp_path: Path, workspace: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    shelf = Shelf(tmp_path / "file" / "checkpoints", KnownSecrets())
    checkpoint = kept(shelf, "run", workspace / "a.txt", b"before")
    assert checkpoint.files[0].why_not == shelves.NO_COPY and shelf.all_of("chat") == []
