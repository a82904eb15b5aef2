"""A file that is not UTF-8 is read as the editor reads it: by the settings of the user, the workspace, its folders."""

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Scene
from tests.e2e.text_editor import AS_INSTALLED, PLAIN
from tests.e2e.vscode import VsCode


@pytest.fixture(autouse=True)
def _of_the_user(vscode: VsCode) -> Iterator[None]:
    vscode.set_user_settings({**PLAIN, "files.encoding": "windows1251", "files.associations": {"*.old": "bat"}})
    yield
    vscode.set_user_settings(AS_INSTALLED)


async def test_each_file_is_read_in_the_encoding_that_all_settings_together_name(scene: Scene, vscode: VsCode):
    of_folder = '{"files.encoding": "koi8r", "[bat]": {"files.encoding": "cp866"}}'
    home = vscode.new_workspace("encodings", {"a/.vscode/settings.json": of_folder, "b/b.txt": ""})
    files = {"b/mine.txt": "cp1251", "a/theirs.txt": "koi8_r", "a/run.bat": "cp866", "a/run.old": "cp866"}
    for name, encoding in files.items():
        (home / name).write_bytes(f"Да {encoding}\n".encode(encoding))
    file = home / "encodings.code-workspace"
    file.write_text('{ "folders": [{ "path": "b" }, { "path": "a" }] }')
    window = await scene.workbench(vscode, file)
    await window.open_chat()
    for count, (name, encoding) in enumerate(files.items(), 1):
        await window.chat.send(f"read {home / name}")
        await window.chat.has_rows("done", count)
        await window.chat.shows(f"Да {encoding}")
