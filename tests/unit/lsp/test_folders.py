"""The folders of an editor: where their URIs lead on this disk."""

from pathlib import Path

import pytest

from assent.lsp.folders import folders_on_disk, unreachable_folders


@pytest.mark.parametrize("name", ["code", "two words", "100%", "a%20b", "ünï#?&+"])
def test_a_folder_is_found_whatever_its_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    assert folders_on_disk([folder.as_uri()]) == (str(folder.resolve()),)


def test_what_lies_elsewhere_is_left_out(tmp_path: Path) -> None:
    assert folders_on_disk(["vscode-remote://host/code", tmp_path.as_uri(), "untitled:x"]) == (str(tmp_path.resolve()),)


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("vscode-vfs://github/owner/repo", "repo (vscode-vfs)"),
        ("memfs:/", "/ (memfs)"),
        ("ssh://host", "host (ssh)"),
        ("vscode-vfs://github/a/b%0Ac%E2%80%AEd", r"b\nc\u202ed (vscode-vfs)"),
    ],
)
def test_what_lies_elsewhere_is_named(tmp_path: Path, uri: str, name: str) -> None:
    assert unreachable_folders([uri, tmp_path.as_uri()]) == (name,)
