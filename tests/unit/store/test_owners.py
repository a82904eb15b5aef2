"""Which process lives: told by a lock of the operating system, so that kill -9 frees what it held."""

import subprocess
import sys
from pathlib import Path

import pytest

from assent.store.owners import Owners
from tests.support.processes import ROOT
from tests.support.scale import limit

HOLDS = """
import sys
from pathlib import Path
from assent.store.owners import Owners
print(Owners(Path(sys.argv[1])).claim(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "processes"


def another(folder: Path) -> tuple["subprocess.Popen[str]", str]:
    """A process that lives, and its name."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT / "server")},
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def test_a_killed_process_is_gone_and_a_living_one_is_not(folder: Path) -> None:
    process, name = another(folder)
    with process:
        owners = Owners(folder)
        assert owners.alive(name)
        assert owners.alive(name), "looking does not take the lock away"
        process.kill()
        process.wait(limit(10))
        assert not owners.alive(name)


def test_files_of_the_dead_are_swept_and_those_of_the_living_are_not(folder: Path) -> None:
    process, name = another(folder)
    with process:
        owners = Owners(folder)
        mine = owners.claim()
        owners.sweep()
        assert {file.stem for file in folder.iterdir()} == {name, mine}
        process.kill()
        process.wait(limit(10))
        owners.sweep()
        assert {file.stem for file in folder.iterdir()} == {mine}
        owners.release()


def test_a_process_knows_itself_and_lets_go_at_its_end(folder: Path) -> None:
    one, other = Owners(folder), Owners(folder)
    assert one.claim() == one.claim() == one.name
    assert one.alive(one.name)
    assert other.alive(one.name)

    one.release()
    assert not other.alive(one.name)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("put_another", [True, False])
def test_a_file_that_was_removed_is_made_anew_with_the_next_claim(folder: Path, put_another: bool) -> None:
    one, other = Owners(folder), Owners(folder)
    one.claim()
    (file,) = folder.iterdir()
    file.unlink()
    folder.rmdir()
    if put_another:
        folder.mkdir()
        file.write_text("")
    assert not other.alive(one.name)

    assert one.claim() == one.name

    assert other.alive(one.name)
    other.sweep()
    assert [found.stem for found in folder.iterdir()] == [one.name]
    one.release()
    assert list(folder.iterdir()) == []


def test_the_file_is_for_its_owner_alone(folder: Path) -> None:
    owners = Owners(folder)
    owners.claim()
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0
    owners.release()


@pytest.mark.parametrize("name", ["", "never-there", "../outside", "a/b", "x\0y", "ünï"])
def test_a_name_that_is_no_process_is_nobody(folder: Path, name: str) -> None:
    folder.mkdir(parents=True)
    (folder.parent / "outside.lock").write_text("")

    assert not Owners(folder).alive(name)


def test_a_file_that_is_swept_while_it_is_claimed_is_made_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.runtime.file_lock import take
    from assent.store import owners as module

    one, other = Owners(folder), Owners(folder)
    swept: list[bool] = []

    def take_late(descriptor: int) -> None:
        if not swept:
            swept.append(True)
            # In this very moment another process looks around.
            other.sweep()
        take(descriptor)

    monkeypatch.setattr(module, "take", take_late)
    one.claim()
    monkeypatch.undo()

    assert other.alive(one.name)
    one.release()
