"""AGENTS.md of a folder: read as text, cut where it is long, and as if it were not there where it is anything else."""

import os
from pathlib import Path

import pytest

from assent.app.instructions import MOST_BYTES, instructions_of


def texts(*folders: Path) -> list[str]:
    return [one.text for one in instructions_of(map(str, folders))]


def test_each_folder_says_its_own(tmp_path: Path):
    for name in ("one", "two", "none"):
        (tmp_path / name).mkdir()
    (tmp_path / "one" / "AGENTS.md").write_text("Use tabs.")
    (tmp_path / "two" / "AGENTS.md").write_text("Use spaces.")
    assert texts(tmp_path / "one", tmp_path / "none", tmp_path / "two") == ["Use tabs.", "Use spaces."]


def test_a_long_one_is_cut_between_two_signs(tmp_path: Path):
    (tmp_path / "AGENTS.md").write_text("a" + "é" * MOST_BYTES)
    (found,) = instructions_of([str(tmp_path)])
    assert found.cut
    assert set(found.text) == {"a", "é"}
    assert len(found.text.encode()) in {MOST_BYTES - 1, MOST_BYTES}


@pytest.mark.parametrize("content", [b"", b" \n", b"\x00\x01", b"\xff\xfe\xff", b"ab\xff\x01"])
def test_what_is_no_text_says_nothing(tmp_path: Path, content: bytes):
    (tmp_path / "AGENTS.md").write_bytes(content)
    assert texts(tmp_path) == []


def test_what_is_no_file_says_nothing(tmp_path: Path):
    (tmp_path / "folder" / "AGENTS.md").mkdir(parents=True)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "AGENTS.md")
    assert texts(tmp_path / "folder", tmp_path / "pipe", tmp_path / "missing") == []


def test_a_link_out_of_the_folder_says_nothing(tmp_path: Path):
    (tmp_path / "secret").write_text("a key")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "AGENTS.md").symlink_to(tmp_path / "secret")
    assert texts(folder) == []
