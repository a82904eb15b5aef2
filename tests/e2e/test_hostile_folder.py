"""A hostile repository in the real editor, trusted and not: nothing of it is started, and the first write asks."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.e2e.conftest import Scene
from tests.e2e.vscode import VsCode
from tests.e2e.workbench import Workbench
from tests.support.hostile import HostileRepository
from tests.support.traps import Traps

# What the editor itself would do with a folder that one trusts is not what these tests are about.
_NOT_THE_EDITOR: dict[str, object] = {
    "task.allowAutomaticTasks": "off",
    "npm.autoDetect": "off",
    "typescript.disableAutomaticTypeAcquisition": True,
}


@dataclass
class Place:
    """An editor with a hostile repository for it, and the traps that stand there."""

    editor: VsCode
    repository: HostileRepository
    traps: Traps


_RESTRICTED = pytest.mark.long(
    "test_restricted_mode.py proves it for what settings say, and nothing else is read there"
)


@pytest.fixture(
    scope="module", params=[pytest.param(True, id="trusted"), pytest.param(False, id="restricted", marks=_RESTRICTED)]
)
def place(
    request: pytest.FixtureRequest, make_vscode: Callable[..., VsCode], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """The folder also brings Pythons, and a careless person has that folder on the path."""
    name = "hostile-trusted" if request.param else "hostile-restricted"
    editor = make_vscode(name, trusting=request.param, **_NOT_THE_EDITOR)
    with Traps(tmp_path_factory.mktemp(name) / "marks") as traps:
        repository = HostileRepository(editor.folder / "workspaces" / "hostile", traps)
        for python in ("python", "python3", "python3.12", "python3.14"):
            traps.program(repository.folder / "pythons" / python, "a Python on the path")
        editor.start(PATH=os.pathsep.join([str(repository.folder / "pythons"), ".", os.environ["PATH"]]))
        yield Place(editor, repository, traps)


async def test_a_hostile_folder_starts_nothing_and_the_first_write_asks(scene: Scene, place: Place):
    window = await scene.workbench(place.editor, place.repository.folder)
    await window.open_chat()
    _is_not_of_the_folder(await window.server(), place.repository.folder)
    await _asks(window, place, "greeting.txt")
    await _asks(window, place, "denied/../greeting.txt")
    await window.chat.send("write hello to denied/greeting.txt")
    await window.chat.has_rows("denied", 3)
    await window.chat.has_cards(0)
    _nothing_happened(place)


@pytest.mark.long("tests/integration/test_hostile_repository.py proves it for every file")
async def test_a_hostile_workspace_file_loosens_nothing(scene: Scene, place: Place):
    window = await scene.workbench(place.editor, place.repository.folder / "hostile.code-workspace")
    await window.open_chat()
    await window.begin_new_chat()
    _is_not_of_the_folder(await window.server(), place.repository.folder)
    await _asks(window, place, "greeting.txt")
    _nothing_happened(place)


async def _asks(window: Workbench, place: Place, name: str) -> None:
    """A write is asked for; it is denied, and the file is not there."""
    denied = await window.chat.rows("denied").count()
    await window.chat.send(f"write hello to {name}")
    await (await window.chat.card(Path(name).name).appears()).deny()
    await window.chat.has_rows("denied", denied + 1)
    assert not (place.repository.folder / name).exists()


def _is_not_of_the_folder(server: psutil.Process, folder: Path) -> None:
    assert not Path(server.cmdline()[0]).is_relative_to(folder)
    assert not Path(server.cwd()).is_relative_to(folder)


def _nothing_happened(place: Place) -> None:
    assert place.traps.sprung() == []
    records = place.editor.state / "consent.json"
    assert not records.exists() or str(place.repository.folder) not in records.read_text()
