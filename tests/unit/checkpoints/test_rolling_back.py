"""Rolling back: all of it, or, where one file cannot be put back, none."""

from pathlib import Path

import pytest

from assent.checkpoints.kept import KeptFile
from assent.checkpoints.review import Reviewed, State, reviewed
from assent.checkpoints.rolling_back import roll_back
from assent.model.errors import ToolFault
from assent.tools.disk import digest_of
from assent.tools.open_documents import OpenDocument
from assent.tools.writing import Writer
from tests.support.open_documents import OneDocument


def changed(path: Path, before: bytes | None, made: bytes, document: OpenDocument | None = None) -> Reviewed:
    """A file that a run made so."""
    path.write_bytes(made)
    digest = None if before is None else digest_of(before)
    file = KeptFile(str(path), path.name, before is not None, 0o644, digest, made=digest_of(made))
    return reviewed(file, before, (str(path.parent),), document)


def text_of(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


async def test_what_fails_takes_back_what_was_rolled_back_before_it(tmp_path: Path) -> None:
    stuck = tmp_path / "stuck.txt"
    files = [
        changed(tmp_path / "new.txt", None, b"made\n"),
        changed(tmp_path / "old.txt", b"before\n", b"after\n"),
        changed(stuck, b"before\n", b"after\n"),
    ]
    documents = OneDocument(stuck)
    documents.refuses = {"save"}
    files[-1] = reviewed(files[-1].file, b"before\n", (str(tmp_path),), documents.now)
    assert [one.state for one in files] == [State.CREATED, State.CHANGED, State.CHANGED]

    with pytest.raises(ToolFault, match=r"did not save it.*Nothing was rolled back"):
        await roll_back(files, Writer(documents))
    now = [text_of(tmp_path / name) for name in ("new.txt", "old.txt", "stuck.txt")]
    assert now == ["made\n", "after\n", "after\n"]


async def test_a_file_that_changes_in_the_last_moment_stops_all_of_it(tmp_path: Path) -> None:
    files = [changed(tmp_path / name, b"before\n", b"after\n") for name in ("a", "b")]
    _by_hand(tmp_path / "b")
    with pytest.raises(ToolFault, match="changed"):
        await roll_back(files, Writer())
    assert [text_of(tmp_path / name) for name in ("a", "b")] == ["after\n", "by hand\n"]


async def test_an_open_file_is_rolled_back_in_the_editor(tmp_path: Path) -> None:
    path = tmp_path / "a"
    files = [changed(path, b"before\n", b"after\n")]
    documents = OneDocument(path)
    files = [reviewed(files[0].file, b"before\n", (str(tmp_path),), documents.now)]
    await roll_back(files, Writer(documents))
    assert text_of(path) == "before\n" and documents.earlier == ["after\n"]


@pytest.mark.parametrize("existed", [True, False])
def test_what_is_typed_since_is_a_change_since(tmp_path: Path, existed: bool) -> None:
    path = tmp_path / "a"
    before = b"before\n" if existed else None
    made = changed(path, before, b"after\n")
    typed = OneDocument(path, "typed\n", dirty=True).now
    found = reviewed(made.file, before, (str(tmp_path),), typed)
    assert found.state is (State.CHANGED_SINCE if existed else State.LEFT)


def _by_hand(path: Path) -> None:
    path.write_text("by hand\n")
