"""The folders of an editor: where their URIs lead on this disk."""

from pathlib import Path

import pytest

from assent.lsp.folders import folders_on_disk


@pytest.mark.parametrize("name", ["code", "two words", "100%", "a%20b", "ünï#?&+"])
def test_a_folder_is_found_whatever_its_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    assert folders_on_disk([folder.as_uri()]) == (str(folder.resolve()),)


def test_what_lies_elsewhere_is_left_out(tmp_path: Path) -> None:
    assert folders_on_disk(["vscode-remote://host/code", tmp_path.as_uri(), "untitled:x"]) == (str(tmp_path.resolve()),)
