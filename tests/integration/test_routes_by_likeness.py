"""Routes by which something is taken for what the user agreed to: another folder, another agent, other records."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile import repository_with_git
from tests.support.routes import (
    asks,
    click_bypass,
    dotted,
    file_of,
    put,
    runs_unasked,
    told,
)
from tests.support.server import (
    SCRIPTED,
    Server,
    write,
)

Json = Any
Start = Callable[..., Server]


# Another folder


def _reopened(start: Start, first: Server, folder: Path) -> Server:
    """The first window is closed; another one opens this folder on the same machine."""
    first.client.close()
    server = start()
    server.workspace = folder
    server.meet()
    return server


def test_a_copied_repository_inherits_nothing(start: Start, tmp_path: Path) -> None:
    first = start()
    first.meet()
    click_bypass(first)
    copy = tmp_path / "copy"
    shutil.copytree(first.workspace, copy)
    server = _reopened(start, first, copy)
    assert f'"{SCRIPTED}": true' in file_of(server).read_text()
    asks(server)


def test_a_copy_in_the_place_of_the_folder_inherits_nothing(start: Start, tmp_path: Path) -> None:
    first = start()
    first.meet()
    click_bypass(first)
    original = first.workspace
    shutil.copytree(original, tmp_path / "copy")
    first.client.close()
    original.rename(tmp_path / "aside")
    (tmp_path / "copy").rename(original)
    server = start()
    server.meet()
    asks(server)


def test_a_repository_that_was_deleted_and_cloned_anew_inherits_nothing(start: Start, tmp_path: Path) -> None:
    """The system gives the number of the deleted folder to the new one."""
    first = start()
    first.meet()
    click_bypass(first)
    folder = first.workspace
    shutil.copytree(folder, tmp_path / "clone")
    first.client.close()
    number = folder.stat().st_ino
    shutil.rmtree(folder)
    folder.mkdir()
    if folder.stat().st_ino != number:
        pytest.skip("this file system gave the new folder another number")
    shutil.copytree(tmp_path / "clone", folder, dirs_exist_ok=True)
    server = start()
    server.meet()
    asks(server)


def test_a_moved_repository_inherits_nothing(start: Start, tmp_path: Path) -> None:
    first = start()
    first.meet()
    click_bypass(first)
    moved = tmp_path / "moved"
    first.workspace.rename(moved)
    asks(_reopened(start, first, moved))


def test_the_same_folder_reached_by_a_link_is_the_same_folder(start: Start, tmp_path: Path) -> None:
    first = start()
    first.meet()
    click_bypass(first)
    link = tmp_path / "link"
    link.symlink_to(first.workspace)
    runs_unasked(_reopened(start, first, link))


def test_a_folder_that_links_its_settings_to_an_agreed_one_inherits_nothing(start: Start, tmp_path: Path) -> None:
    first = start()
    first.meet()
    click_bypass(first)
    other = tmp_path / "other"
    (other / ".vscode").mkdir(parents=True)
    (other / ".vscode" / "settings.json").symlink_to(file_of(first))
    asks(_reopened(start, first, other))


def test_a_repository_below_an_agreed_one_inherits_nothing(start: Start) -> None:
    first = start()
    first.meet()
    click_bypass(first)
    below = first.workspace / "vendor" / "library"
    shutil.copytree(first.workspace / ".vscode", below / ".vscode")
    asks(_reopened(start, first, below))


def test_a_pointer_to_an_agreed_repository_inherits_nothing(start: Start, tmp_path: Path) -> None:
    first = start()
    first.meet()
    repository_with_git(first.workspace)
    click_bypass(first)
    other = tmp_path / "other"
    shutil.copytree(first.workspace / ".vscode", other / ".vscode")
    (other / ".git").mkdir()
    (other / ".git" / "commondir").write_text(f"{first.workspace}/.git\n")
    asks(_reopened(start, first, other))
    (other / ".git" / "commondir").unlink()
    (other / ".git").rmdir()
    (other / ".git").write_text(f"gitdir: {first.workspace}/.git\n")
    asks(_reopened(start, first, other))


# Another agent under the same name


def test_a_changed_definition_of_the_agent_inherits_nothing(start: Start) -> None:
    server = start()
    server.meet()
    click_bypass(server)
    runs_unasked(server)
    changed = server.settings()
    original = changed["user"]["agents"][SCRIPTED]["script"]
    other = Path(original).with_name("another.json")
    other.write_text(json.dumps({"turns": [[write("by-another.txt")]]}))
    changed["user"]["agents"][SCRIPTED]["script"] = str(other)
    server.client.notify("workspace/didChangeConfiguration", {"settings": {"assent": changed}})
    chat = server.chat()
    assert chat.info()["bypassAgent"] is False
    run = chat.send()
    chat.select(chat.card(), "deny")
    run.result()
    assert not (server.workspace / "by-another.txt").exists()


def test_a_workspace_cannot_define_the_agent_that_was_agreed_to_anew(start: Start, tmp_path: Path) -> None:
    server = start()
    server.meet()
    click_bypass(server)
    planted = tmp_path / "planted.json"
    planted.write_text(json.dumps({"turns": [[write("planted.txt")]]}))
    agents = {SCRIPTED: {"provider": "scripted", "script": str(planted)}}
    put(server, dotted({"bypassPermissions": {SCRIPTED: True}, "agents": agents}))
    told(server)
    runs_unasked(server)
    assert not (server.workspace / "planted.txt").exists()


# The records of what the user agreed to


def _other_version(file: Path) -> None:
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "version": 99}))


def _writable_by_others(file: Path) -> None:
    file.chmod(0o666)


def _a_link(file: Path) -> None:
    elsewhere = file.parent.parent / "consent.json"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)


def _cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def _a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


def _a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _another_digest(file: Path) -> None:
    record = json.loads(file.read_text())
    record["records"] = [{**one, "digest": "0" * 64} for one in record["records"]]
    file.write_text(json.dumps(record))


def _another_folder(file: Path) -> None:
    record = json.loads(file.read_text())
    record["records"] = [{**one, "path": f"{one['path']}/../workspace"} for one in record["records"]]
    file.write_text(json.dumps(record))


SPOILT = [
    _other_version,
    _writable_by_others,
    _a_link,
    _cut_off,
    _a_pipe,
    _a_folder,
    _another_digest,
    _another_folder,
]


@pytest.fixture(scope="module")
def agreed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the user clicked, with the state that this left."""
    folder = tmp_path_factory.mktemp("agreed")
    with Server(folder) as server:
        server.meet()
        click_bypass(server)
    return folder


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__.strip("_"))
def test_records_that_are_not_sound_agree_to_nothing(
    agreed: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    state = tmp_path / "state"
    shutil.copytree(agreed / "state", state)
    with Server(agreed, env={"ASSENT_STATE_DIR": str(state)}) as server:
        server.meet()
        runs_unasked(server, name=f"{spoil.__name__}.txt")
        spoil(state / "consent.json")
        asks(server)


def test_records_that_a_repository_brings_agree_to_nothing(start: Start, tmp_path: Path) -> None:
    """Genuine ones, put wherever a server could look for them."""
    first = start()
    first.meet()
    click_bypass(first)
    first.client.close()
    genuine = (first.state / "consent.json").read_bytes()
    for folder in (".assent", ".vscode", ".", "state"):
        (first.workspace / folder).mkdir(exist_ok=True)
        (first.workspace / folder / "consent.json").write_bytes(genuine)
    server = start(env={"ASSENT_STATE_DIR": str(tmp_path / "fresh-state")})
    server.meet()
    asks(server)


def test_records_within_the_workspace_agree_to_nothing(start: Start) -> None:
    """Agents write there, and a repository brings what it likes."""
    first = start()
    first.meet()
    click_bypass(first)
    first.client.close()
    within = first.workspace / "state"
    shutil.copytree(first.state, within)
    server = start(env={"ASSENT_STATE_DIR": str(within)})
    server.meet()
    asks(server)
