"""A machine that never saw the extension: it makes its own environment, or says what is missing."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Scene
from tests.e2e.limits import milliseconds
from tests.e2e.vscode import VsCode


async def test_the_first_activation_shows_its_progress_and_works(scene: Scene, make_vscode: Callable[..., VsCode]):
    vscode = make_vscode("first")
    arguments = ["--log-level", "debug"]
    vscode.set_machine_settings({"assent.server.args": arguments})
    vscode.start()
    window = await scene.workbench(vscode, vscode.new_workspace("first"))
    await window.click_icon()
    progress = re.compile("Assent: (Preparing|Unpacking|Compiling|Checking)")
    await expect(window.announcements).to_contain_text(progress, timeout=milliseconds(60))
    await window.chat.is_ready()
    server = await window.server()
    python = Path(server.cmdline()[0])
    assert python.is_relative_to(vscode.profile.folder), "the server runs from an environment of the extension's own"
    assert server.cmdline()[-2:] == arguments

    await window.chat.send("write hello to greeting.txt")
    await (await window.chat.card("greeting.txt").appears()).approve()
    await window.chat.has_rows("done")
    assert window.file("greeting.txt").read_text() == "hello"


@pytest.mark.long("test/python.test.ts proves the search and its words")
async def test_without_a_python_the_message_names_the_setting(
    scene: Scene, make_vscode: Callable[..., VsCode], tmp_path: Path
):
    vscode = make_vscode("no-python")
    vscode.start(PATH=str(_programs_without_python(tmp_path)))
    window = await scene.workbench(vscode, vscode.new_workspace("no-python"))
    await window.click_icon()
    told = window.chat.root.get_by_text(re.compile(r"assent\.server\.python")).or_(
        window.notifications.filter(has_text="assent.server.python")
    )
    await expect(told.first).to_be_visible(timeout=milliseconds(60))
    assert vscode.assent_servers() == []


@pytest.mark.long("test/python.test.ts proves the search and its words")
async def test_a_named_python_that_is_none_is_told(scene: Scene, make_vscode: Callable[..., VsCode]):
    vscode = make_vscode("wrong-python")
    vscode.set_machine_settings({"assent.server.python": "/no/such/python"})
    vscode.start()
    window = await scene.workbench(vscode, vscode.new_workspace("wrong-python"))
    await window.click_icon()
    told = window.chat.root.get_by_text("/no/such/python").or_(window.notifications.filter(has_text="/no/such/python"))
    await expect(told.first).to_be_visible(timeout=milliseconds(60))


def _programs_without_python(folder: Path) -> Path:
    """A folder with links to the machine's programs, all but its Pythons."""
    programs = folder / "programs"
    programs.mkdir()
    for name in ("sh", "bash", "env", "ls", "cat", "which", "uname", "getconf", "ps", "sed", "grep"):
        found = shutil.which(name, path=os.defpath)
        if found:
            (programs / name).symlink_to(found)
    return programs
